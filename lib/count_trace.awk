# count_trace.awk - the function tracer's lines -> a table at each mark
# SPDX-License-Identifier: GPL-2.0-only
# Input: trace_pipe without context-info: "FUNC <-PARENT"; "...: fieldtrace-table STAMP" prints and starts anew,
# "fieldtrace-end STAMP" prints and ends. -v list=FILE: the filter's listing, "FUNC [MODULE]", for module names.
# -v top=N. Losses ("CPU:N [LOST n EVENTS]") are reported from per_cpu/*/stats by the shell.

BEGIN {
	while ((getline line < list) > 0) {
		n = split(line, word, " ")
		if (n == 2)
			module[word[1]] = " " word[2]
	}
	close(list)
}

function table(stamp,    fn, named) {
	for (fn in count)
		named[fn module[fn]] += count[fn]
	print_table(named, top, stamp)
	fflush()
	for (fn in count)
		delete count[fn]
}

$2 ~ /^<-/ {
	count[$1]++
	next
}

/fieldtrace-(table|end)/ {
	last = /fieldtrace-end/
	sub(/^.*fieldtrace-(table|end) ?/, "")
	table($0)
	if (last) {
		done = 1
		exit
	}
	next
}

END {
	if (!done)
		table(stamp_at_end)
}
