# crash_bytes.awk - sizes as the boot line has them (4M, 0x100000), a line each -> bytes; nothing for what is none
# SPDX-License-Identifier: GPL-2.0-only
# -v page=BYTES: prints instead, once, "odd" when one of them is no multiple of that.

{
	value = size_value($0)
	if (value >= 0 && !page)
		printf "%.0f\n", value
	odd = odd || (page && value % page)
}

END {
	if (odd)
		print "odd"
}
