# crash_totals.awk - lines "cpu N records COUNT ..." of tracemem decode --summary -> "N COUNT N COUNT ..."
# SPDX-License-Identifier: GPL-2.0-only

$1 == "cpu" && $3 == "records" {
	# info's lines come first, those of the decoding replace them
	count[$2] = $4
}

END {
	for (cpu in count)
		printf "%s %s ", cpu, count[cpu]
	print ""
}
