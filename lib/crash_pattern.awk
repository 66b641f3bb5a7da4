# crash_pattern.awk - fills -v file= with -v size= bytes (4M) of marks, 64 bytes each; prints how many
# SPDX-License-Identifier: GPL-2.0-only

BEGIN {
	n = size_value(size) / 64
	for (i = 1; i <= n; i++)
		printf "%-53s %09d\n", mark, i >file
	if (close(file))
		exit 1
	printf "%.0f\n", n
}
