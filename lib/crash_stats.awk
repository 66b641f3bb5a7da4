# crash_stats.awk - lines of crash_fields.awk, read twice -> totals and "who-" lines as tracemem decode has them
# SPDX-License-Identifier: GPL-2.0-only
# The first reading finds the last time, the second counts back from it. What was lost, the kernel's text does not tell.

FNR == 1 {
	round++
}

round == 1 {
	if (!(($2) in cpu))
		cpus++
	cpu[$2]++
	if (cpu[$2] == 1 || $1 + 0 < from[$2] + 0)
		from[$2] = $1
	if ($1 + 0 > to[$2] + 0)
		to[$2] = $1
	if (NR == 1 || $1 + 0 < first + 0)
		first = $1
	if ($1 + 0 > last + 0)
		last = $1
	next
}

{
	back = last - $1
	mod = $6 ~ /^(0x|[?])/ ? "unknown" : "kernel"
	if (match($6, /\[[^]]*\]$/))
		mod = substr($6, RSTART + 1, RLENGTH - 2)
	for (w = 1; w <= 3; w++)
		if (back <= window(w)) {
			count["who-function", w, $6]++
			count["who-module", w, mod]++
			if (!seen["who-function", $6]++)
				name["who-function", ++names["who-function"]] = $6
			if (!seen["who-module", mod]++)
				name["who-module", ++names["who-module"]] = mod
		}
}

function window(w) {
	return w == 1 ? 0.001 : w == 2 ? 0.01 : 0.1
}

function rank(kind, w,    i, k, best, done) {
	for (k = 1; k <= 5; k++) {
		best = 0
		for (i = 1; i <= names[kind]; i++)
			if (!((kind, w, i) in used) && count[kind, w, name[kind, i]] > (best ? count[kind, w, name[kind, best]] : 0))
				best = i
		if (!best)
			return
		used[kind, w, best] = 1
		print kind " " (w == 1 ? 1 : w == 2 ? 10 : 100) "ms " count[kind, w, name[kind, best]] " " name[kind, best]
	}
}

END {
	for (c in cpu) {
		records += cpu[c]
		print "cpu " c " records " cpu[c] " first " from[c] " last " to[c]
	}
	print "layout ring\nclock local\nlost-known no\nrecords " records + 0 "\ncpus-with-records " cpus + 0
	if (records) {
		print "last " last
		printf "covered %.6f\n", last - first
	}
	for (w = 1; w <= 3; w++) {
		rank("who-function", w)
		rank("who-module", w)
	}
}
