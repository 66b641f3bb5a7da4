# crash_prefixes.awk - available_filter_functions -> globs for the clock, reset, regulator and power calls that it has
# SPDX-License-Identifier: GPL-2.0-only
# The public names and the internal ones that do the work: clk_core_* under clk_*, rpm_* under pm_runtime_*.

BEGIN {
	n = split("clk_ __clk_ reset_control_ __reset_control_ regulator_ _regulator_ pm_runtime_ __pm_runtime_ rpm_", prefix, " ")
}

{
	for (i = 1; i <= n; i++)
		if (!(i in found) && index($1, prefix[i]) == 1 && $2 == "") {
			found[i] = 1
			print prefix[i] "*"
		}
}
