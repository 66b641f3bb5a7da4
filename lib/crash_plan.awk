# crash_plan.awk - lines "CPU CALLS..." counted in -v ms= -> calls a second, history, cost
# SPDX-License-Identifier: GPL-2.0-only
# -v size= bytes of the region (4M), divided by -v ncpu=; each: bytes a call; cost: ns a call, or empty; where, functions:
# words; top: "NAME PERCENT ..." of the busiest.

{
	calls = 0
	for (i = 2; i <= NF; i++)
		calls += $i
	total += calls
	if (calls > most)
		most = calls
}

function history(rate) {
	return rate > 0 ? size / ncpu / each / rate : -1
}

function seconds(value) {
	if (value >= 172800)
		return sprintf("%.0f days", value / 86400)
	if (value >= 7200)
		return sprintf("%.0f hours", value / 3600)
	return value >= 180 ? sprintf("%.0f minutes", value / 60) : short_time(value)
}

END {
	size = size_value(size)
	rate = total * 1000 / ms
	busy = most * 1000 / ms
	printf "%-11s %s a second on all CPUs, %s on the busiest; %s\n", "calls", commas(rate), commas(busy), functions
	printf "%-11s %s holds %s calls a CPU: %s\n", "history", where, commas(size / ncpu / each),
		(busy > 0 ? "the last " seconds(history(busy)) " of the busiest CPU" : "none was made meanwhile")
	if (cost != "")
		printf "%-11s %s us a call, measured here: %.1f %% of the busiest CPU\n", "cost", sprintf("%.2f", cost / 1000), busy * cost / 10000000
	else
		printf "%-11s too small to measure\n", "cost"
	if (history(busy) >= 0 && history(busy) < 1)
		suggest()
}

function suggest(    n, part, share, left) {
	n = split(top, part, " ")
	if (n < 2)
		return
	share = part[2] + part[4] + part[6]
	left = history(busy * (100 - share) / 100)
	printf "%-11s less than a second. Busiest: %s (%d %%)%s%s\n", "narrower", part[1], part[2],
		(n > 2 ? ", " part[3] " (" part[4] " %)" : ""), (n > 4 ? ", " part[5] " (" part[6] " %)" : "")
	printf "%-11s leave them out: '!%s'%s%s", "", part[1], (n > 2 ? " '!" part[3] "'" : ""), (n > 4 ? " '!" part[5] "'" : "")
	if (share < 100)
		printf "  holds %s", seconds(left)
	print ""
}
