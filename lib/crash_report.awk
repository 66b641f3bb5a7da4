# crash_report.awk - what tracemem decode --report prints -> a dump as people read it
# SPDX-License-Identifier: GPL-2.0-only
# Input, in any order: "KEY VALUE" lines (those of tracemem info do for the head alone); records as of decode --format
# text, "TIME CPU COMM-PID FLAGS KIND IP PARENT [MORE]", of each CPU the last N or all; "who-function WINDOW COUNT NAME"
# and "who-module ..." lines, the most frequent first, WINDOW as 1ms or 100records.
# -v boot= release=: of the boot that wrote the trace, empty when unknown; now: this boot's id; image: the snapshot;
# names: where names come from; n=N.

$1 ~ /^[0-9]/ {
	record()
	next
}

$1 == "who-function" || $1 == "who-module" {
	frequent()
	next
}

$1 == "cpu" {
	total[$2] = $4
	next
}

{
	value[$1] = substr($0, length($1) + 2)
}

END {
	head()
	sort_numbers(cpus, ncpu)
	for (c = 1; c <= ncpu; c++)
		last_of(cpus[c])
	if (windows)
		who_ran()
}

### the head

function backend(layout) {
	if (layout ~ /^ring/)
		return "ring"
	return layout == "recorder" ? "module" : layout
}

function which_boot(    text) {
	if (boot == "")
		return "unknown boot"
	text = (boot == now ? "this boot " : "previous boot ") substr(boot, 1, 8)
	return text (release != "" ? " (" release ")" : "")
}

function head(    timed, lost, damaged) {
	timed = value["clock"] != "count"
	lost = value["missed"] + value["torn-or-stale"]
	damaged = value["damaged-sub-buffers"] + value["discarded-sub-buffers"]
	printf "%-11s %s%s, %s, %s, %s%s\n", "region", (value["name"] != "" ? value["name"] " at " : ""),
		(value["address"] != "" ? value["address"] : "(a file)"), bytes(value["size"]), backend(value["layout"]),
		which_boot(), (timed && value["last"] != "" ? sprintf(", stopped at %s s", micro(value["last"])) : "")
	printf "%-11s %s on %d CPU%s%s; %s lost%s; snapshot %s\n", "records", commas(value["records"] + 0),
		value["cpus-with-records"], (value["cpus-with-records"] == 1 ? "" : "s"), (timed ? ", " short_time(value["covered"]) : ""), commas(lost),
		(damaged ? ", " damaged " damaged pages" : ""), image
	printf "%-11s %s\n", "names", names
}

### the last records of a CPU, newest last

function record(    cpu, at) {
	cpu = $2
	if (!(cpu in seen)) {
		cpus[++ncpu] = cpu
		seen[cpu] = 0
	}
	at = seen[cpu]++ % n
	who[cpu, at] = task_text($3)
	when[cpu, at] = micro($1)
	what[cpu, at] = $5 == "print" ? "# " text_after(7) : ($5 == "function" ? "" : $5 " ") look($6)
	caller[cpu, at] = $5 == "function" ? look($7) : ""
	if ($5 != "function" && $5 != "print" && NF > 7)
		what[cpu, at] = what[cpu, at] " " text_after(7)
}

function text_after(field,    i, out) {
	for (i = field + 1; i <= NF; i++)
		out = out (i > field + 1 ? " " : "") $i
	return out
}

function last_of(cpu,    shown, i, at, wide, long) {
	shown = seen[cpu] < n + 0 ? seen[cpu] : n + 0
	printf "\nCPU %s, last %d of %s (newest last)\n", cpu, shown, commas(cpu in total ? total[cpu] : seen[cpu])
	# As wide as the longest name of a process and of a function that is shown, within reason.
	wide = 16
	long = 32
	for (i = seen[cpu] - shown; i < seen[cpu]; i++) {
		at = i % n
		if (length(who[cpu, at]) > wide)
			wide = length(who[cpu, at])
		if (caller[cpu, at] != "" && length(what[cpu, at]) > long)
			long = length(what[cpu, at])
	}
	printf "%" wide "s %14s   %-" long "s    %s\n", "TASK-PID", "TIME", "FUNCTION", "CALLER"
	for (i = seen[cpu] - shown; i < seen[cpu]; i++) {
		at = i % n
		if (caller[cpu, at] == "")
			printf "%" wide "s %14s   %s\n", who[cpu, at], when[cpu, at], what[cpu, at]
		else
			printf "%" wide "s %14s   %-" long "s <- %s\n", who[cpu, at], when[cpu, at], what[cpu, at], caller[cpu, at]
	}
}

### who ran last: a column a window

function frequent(    w, cell) {
	if (!($2 in column)) {
		column[$2] = ++windows
		title[windows] = "last " $2
		sub(/ms$/, " ms", title[windows])
		sub(/records$/, " records", title[windows])
		width_for(windows, title[windows])
	}
	w = column[$2]
	cell = look($4) " " $3
	rows[$1, w]++
	text[$1, w, rows[$1, w]] = cell
	if (rows[$1, w] > most[$1])
		most[$1] = rows[$1, w]
	width_for(w, cell)
}

function width_for(w, cell) {
	if (length(cell) > width[w])
		width[w] = length(cell)
}

function who_ran(    w, out) {
	out = sprintf("%-12s", "Who ran last")
	for (w = 1; w <= windows; w++)
		out = out sprintf("  %-" width[w] "s", title[w])
	sub(/ +$/, "", out)
	print "\n" out
	rows_of("who-function", "functions")
	rows_of("who-module", "modules")
}

function rows_of(kind, label,    i, w, out) {
	for (i = 1; i <= most[kind]; i++) {
		out = sprintf("%-12s", i == 1 ? label : "")
		for (w = 1; w <= windows; w++)
			out = out sprintf("  %-" width[w] "s", text[kind, w, i])
		sub(/ +$/, "", out)
		print out
	}
}
