# count_kprobe.awk - two readings of kprobe_profile -> a table of the hits between them
# SPDX-License-Identifier: GPL-2.0-only
# Input: "NUMBER NAME [MODULE]" a function, "--", earlier reading, "--", later reading; a reading has lines
# "EVENT HITS MISSED" with EVENT = PREFIX_NUMBER. -v top=N stamp=TEXT. Counts are exact to 2^53.

$0 == "--" {
	part++
	next
}

part == 0 {
	number = $1
	sub(/^[^ ]+ /, "")
	name[number] = $0
	next
}

{
	sub(/^.*_/, "", $1)
	hits[part, $1] = $2
}

END {
	for (number in name)
		counts[name[number]] += hits[2, number] - hits[1, number]
	print_table(counts, top, stamp)
}
