# crash_report.awk - what tracemem decode --report prints -> a dump as people read it
# SPDX-License-Identifier: GPL-2.0-only
# Input, in any order: "KEY VALUE" lines (those of tracemem info do for the head alone); records as of decode --format
# text, "TIME CPU COMM-PID FLAGS KIND IP PARENT [MORE]", of each CPU the last N or all; "who-function WINDOW COUNT NAME"
# and "who-module ..." lines, the most frequent first, WINDOW as 1ms or 100records.
# What tracemem info says of damage: "state", "damage", "cpu-state", "gap", "readable", "lost-known"; and "kernel-said CPU
# TEXT", what the log of the boot that took the snapshot said of a CPU's part. A record may end in "salvaged" or
# "unsure-names". Nothing that is damaged is shown as if it were whole.
# -v boot= release=: of the boot that wrote the trace, empty when unknown; now: this boot's id; image: the snapshot;
# names: where names come from; n=N; unsure=1: names may be wrong.

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
	began[$2] = $6
	ended[$2] = $8
	next
}

$1 == "cpu-state" {
	know($2)
	condition[$2] = $3
	# Without its header, the number of a CPU is known from its place alone.
	if ($3 != "empty" && ($5 != "certain" || $11 ~ /header/))
		uncertain[$2] = 1
	if ($7 > 0)
		parts[$2] = commas($7) " of " commas($9) " parts cannot be read"
	if ($10 == "why")
		why[$2] = $11
	stated++
	next
}

$1 == "kernel-said" {
	know($2)
	said[$2] = text_after(2)
	next
}

$1 == "gap" {
	know($2)
	gap($2, $3, $4, $5)
	next
}

$1 == "damage" {
	damage[++damages] = text_after(1)
	next
}

{
	value[$1] = substr($0, length($1) + 2)
}

END {
	judge()
	silence()
	head()
	sort_numbers(cpus, ncpu)
	for (c = 1; c <= ncpu; c++)
		last_of(cpus[c])
	if (windows)
		who_ran()
}

function know(cpu) {
	if (!(cpu in known)) {
		known[cpu]
		numbers[++nknown] = cpu
	}
}

function judge(    i, cpu) {
	# -> broken: whether anything is; lost_known; and which CPUs may have had later records.
	for (cpu in total)
		know(cpu)
	if (value["state"] == "unreadable")
		for (cpu in seen) {
			know(cpu)
			uncertain[cpu] = 1
		}
	sort_numbers(numbers, nknown)
	if (!damages) {
		# A helper of an earlier version has words of its own.
		if (value["damaged-header"] == "yes")
			damage[++damages] = "header"
		if (value["truncated"] == "yes")
			damage[++damages] = "truncated"
		if (value["checksum"] == "BAD")
			damage[++damages] = "checksum"
	}
	broken = damages || value["state"] ~ /^(damaged|unreadable)$/ || value["damaged-sub-buffers"] + value["discarded-sub-buffers"] > 0
	for (i = 1; i <= nknown; i++) {
		cpu = numbers[i]
		if ((cpu in uncertain) || (cpu in said))
			broken = 1
		if (broken && !stated)
			uncertain[cpu] = 1
	}
	lost_known = "lost-known" in value ? value["lost-known"] == "yes" : !broken && value["layout"] !~ /^(pstore|plain)/
	for (cpu in said)
		lost_known = 0
	for (cpu in uncertain) {
		lost_known = 0
		later = " or later"
	}
}

### above all else: a CPU that stopped long before the others

function silence(    i, cpu, back, usual, any) {
	if (value["clock"] == "count")
		return
	for (i = 1; i <= nknown; i++) {
		cpu = numbers[i]
		if (!(cpu in total) || ended[cpu] == "")
			continue
		back = value["last"] - ended[cpu]
		usual = total[cpu] > 1 ? (ended[cpu] - began[cpu]) / (total[cpu] - 1) : 0
		if (back < 1 || back < 10 * usual)
			continue
		printf "CPU %s silent for the last %s%s%s\n", cpu, short_time(back),
			(seen[cpu] ? ": last in " what[cpu, (seen[cpu] - 1) % n] : ""),
			(cpu in uncertain ? " (as far as it can be read)" : "")
		any = 1
	}
	if (any)
		print ""
}

### the head

function backend(layout) {
	if (layout ~ /^ring/)
		return "ring"
	if (layout == "")
		return "unreadable"
	return layout == "recorder" ? "module" : layout
}

function which_boot(    text) {
	if (boot == "")
		return value["traced-boot-id"] == "" ? "unknown boot" : "boot " substr(value["traced-boot-id"], 1, 8) " (" value["traced-release"] ")"
	text = (boot == now ? "this boot " : "previous boot ") substr(boot, 1, 8)
	return text (release != "" ? " (" release ")" : "")
}

function head(    timed, lost, damaged, i, cpu, none) {
	timed = value["clock"] != "count"
	lost = value["missed"] + value["torn-or-stale"]
	lost = lost_known ? commas(lost) " lost" : lost ? "at least " commas(lost) " lost" : "lost: unknown"
	damaged = value["damaged-sub-buffers"] + value["discarded-sub-buffers"]
	printf "%-11s %s%s, %s, %s, %s%s\n", "region", (value["name"] != "" ? value["name"] " at " : ""),
		(value["address"] != "" ? value["address"] : "(a file)"), bytes(value["size"]), backend(value["layout"]),
		which_boot(), (timed && value["last"] != "" ? sprintf(", stopped at %s s%s", micro(value["last"]), later) : "")
	if (value["state"] == "unreadable")
		printf "%-11s %s salvaged one by one, without a header that can be read; lost: unknown; snapshot %s\n", "records",
			commas(value["salvage"] + 0), image
	else
		printf "%-11s %s on %d CPU%s%s; %s%s; snapshot %s\n", "records", commas(value["records"] + 0),
		value["cpus-with-records"], (value["cpus-with-records"] == 1 ? "" : "s"), (timed ? ", " short_time(value["covered"]) : ""), lost,
		(damaged ? ", " damaged " damaged pages" : ""), image
	if (damages)
		printf "%-11s %s\n", "damage", damage_text()
	split(value["readable"], part, " ")
	if (part[3] > 0 && part[1] + 0 < part[3] + 0)
		printf "%-11s %d %%: %s of %s bytes\n", "readable", part[1] * 100 / part[3], commas(part[1]), commas(part[3])
	for (i = 1; i <= nknown; i++) {
		cpu = numbers[i]
		if (!(cpu in total) && !(cpu in said) && condition[cpu] == "empty" && !(cpu in why))
			none = none (none == "" ? "" : ", ") cpu
		else
			cpu_text(cpu)
	}
	if (none != "")
		printf "%-11s CPU %s: %s\n", "empty", none,
			(broken ? "no record, and nothing tells whether there was one" : "no call was recorded there")
	if (broken && !stated)
		printf "%-11s which CPUs lack records cannot be told\n", ""
	printf "%-11s %s\n", "names", names
}

function damage_text(    i, out, word) {
	for (i = 1; i <= damages; i++) {
		word = damage[i]
		if (word == "header")
			word = "the header"
		else if (word == "truncated")
			word = "shorter than its header says"
		else if (word == "checksum")
			word = "the image is not as it was taken (checksum)"
		else if (word == "modules")
			word = "the table of modules"
		else if (word ~ /^header-bit /)
			word = "one bit of the header, byte " substr(word, 12)
		out = out (i > 1 ? "; " : "") word
	}
	return out
}

function cpu_text(cpu,    text, i) {
	text = cpu in said ? "this boot's kernel refused what was there (\"" said[cpu] "\")" : ""
	if (cpu in parts)
		text = text (text != "" ? ", " : "") parts[cpu]
	if (cpu in why)
		text = text (text != "" ? ": " : "") causes(why[cpu])
	if (!(cpu in total) && (text != "" || condition[cpu] == "none"))
		text = "no data" (text != "" ? ": " : "") text
	if (text != "")
		printf "%-11s %s\n", "CPU " cpu, text
	if (!(cpu in total))
		return
	if (ngap[cpu] && why[cpu] ~ /header/) {
		# It has the order of the parts.
		printf "%-11s CPU %s: %s parts are missing anywhere between the beginning and the end\n", "gap", cpu, commas(gap_parts[cpu])
		return
	}
	if (ngap[cpu] > 3) {
		printf "%-11s CPU %s: %s parts are missing between %s and %s\n", "gap", cpu, commas(gap_parts[cpu]), at_time(gap_from[cpu, 1]),
			at_time(gap_to[cpu, ngap[cpu]])
		return
	}
	for (i = 1; i <= ngap[cpu]; i++)
		printf "%-11s CPU %s: %s missing between %s and %s\n", "gap", cpu,
			commas(gap_n[cpu, i]) (gap_n[cpu, i] == 1 ? " part is" : " parts are"), at_time(gap_from[cpu, i]), at_time(gap_to[cpu, i])
}

function causes(list,    word, n, i, out) {
	n = split(list, word, ",")
	for (i = 1; i <= n; i++)
		out = out (i > 1 ? ", " : "") cause(word[i])
	return out
}

function cause(word) {
	if (word == "header")
		return "its header is damaged"
	if (word == "truncated")
		return "cut off"
	if (word == "commit")
		return "impossible lengths"
	if (word == "events")
		return "damaged events"
	if (word == "order")
		return "out of order"
	if (word == "checksum")
		return "wrong checksums"
	if (word == "stale")
		return "older than what is around them"
	if (word == "cleared")
		return "emptied by a kernel that booted later"
	if (word == "blank")
		return "never written or wiped"
	return word == "ecc" ? "more wrong than error correction can mend" : word
}

function gap(cpu, from, to, parts,    i) {
	i = ++ngap[cpu]
	gap_from[cpu, i] = from == "-" ? "" : from
	gap_to[cpu, i] = to == "-" ? "+" : to
	gap_n[cpu, i] = parts
	gap_parts[cpu] += parts
}

function at_time(time) {
	if (time == "" || time == "+")
		return time == "" ? "the beginning" : "the end"
	return micro(time) (value["clock"] == "count" ? "" : " s")
}

### the last records of a CPU, newest last

function record(    cpu, at, mark) {
	while (sub(/ salvaged$/, ""))
		mark = mark "   (salvaged)"
	while (sub(/ unsure-names$/, ""))
		mark = mark "   (name unsure)"
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
	marked[cpu, at] = mark (unsure != "" && mark !~ /unsure/ ? "   (name unsure)" : "")
}

function text_after(field,    i, out) {
	for (i = field + 1; i <= NF; i++)
		out = out (i > field + 1 ? " " : "") $i
	return out
}

function last_of(cpu,    shown, i, at, wide, long) {
	shown = seen[cpu] < n + 0 ? seen[cpu] : n + 0
	printf "\nCPU %s, last %d of %s (newest last%s)\n", cpu, shown, commas(cpu in total ? total[cpu] : seen[cpu]),
		(cpu in uncertain ? "; not for certain its last: later ones may be lost" : "")
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
			printf "%" wide "s %14s   %s%s\n", who[cpu, at], when[cpu, at], what[cpu, at], marked[cpu, at]
		else
			printf "%" wide "s %14s   %-" long "s <- %s%s\n", who[cpu, at], when[cpu, at], what[cpu, at], caller[cpu, at], marked[cpu, at]
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
	if (broken)
		print "(of what can be read)"
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
