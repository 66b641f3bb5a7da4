# lost.awk - "CPU COUNT..." lines of ft_buffer_stats -> one sentence about lost events
# SPDX-License-Identifier: GPL-2.0-only
# -v more=N: events that were recorded but not read in time.

{
	sum = 0
	for (i = 2; i <= NF; i++)
		sum += $i
	total += sum
	by = by (by == "" ? "" : ", ") "CPU " $1 ": " sprintf("%.0f", sum)
}

END {
	if (more + 0 > 0) {
		total += more
		by = by (by == "" ? "" : ", ") "not read in time: " more
	}
	printf "lost %.0f events (%s); a narrower pattern or a larger buffer (-b KB) loses fewer\n", total, by
}
