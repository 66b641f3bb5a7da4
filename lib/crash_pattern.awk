# crash_pattern.awk - fills -v file= with -v size= bytes (4M) of marks, 64 bytes each; prints how many
# SPDX-License-Identifier: GPL-2.0-only

BEGIN {
	unit = size ~ /[kK]$/ ? 1024 : size ~ /[mM]$/ ? 1048576 : size ~ /[gG]$/ ? 1073741824 : 1
	n = (size ~ /^0x/ ? hex_value(substr(size, 3)) : size + 0) * unit / 64
	for (i = 1; i <= n; i++)
		printf "%-53s %09d\n", mark, i >file
	if (close(file))
		exit 1
	printf "%.0f\n", n
}
