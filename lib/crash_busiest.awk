# crash_busiest.awk - the function tracer's lines -> the three busiest functions: "NAME PERCENT NAME PERCENT ..."
# SPDX-License-Identifier: GPL-2.0-only

/ <-/ && match($0, /: [^ ]+ /) {
	name = substr($0, RSTART + 2, RLENGTH - 3)
	count[name]++
	total++
}

END {
	for (k = 1; k <= 3; k++) {
		best = ""
		for (name in count)
			if (best == "" || count[name] > count[best])
				best = name
		if (best == "")
			break
		printf "%s%s %d", (k > 1 ? " " : ""), best, count[best] * 100 / total
		delete count[best]
	}
	print ""
}
