# count_profile.awk - trace_stat/function* -> one table
# SPDX-License-Identifier: GPL-2.0-only
# Input: "NAME [MODULE]" a function of the filter's listing, "--", then each CPU's file: "FUNC HITS TIME...".
# The kernel cuts names there to 30 characters (kernel/trace/ftrace.c, function_stat_show): full names come back
# from the listing, and where two share their beginning they are shown as such, never added up in silence.

$0 == "--" {
	stats = 1
	next
}

!stats {
	short = substr($1, 1, 30)
	if (short in full && full[short] != $0)
		shared[short]++
	full[short] = $0
	next
}

$2 ~ /^[0-9]+$/ {
	short = substr($1, 1, 30)
	if (short in shared)
		label = short "... (" shared[short] + 1 " functions begin so)"
	else
		label = (short in full) ? full[short] : $1
	counts[label] += $2
}

END {
	print_table(counts, top, stamp)
}
