# crash_fields.awk - the function tracer's own lines -> those of tracemem decode --format text
# SPDX-License-Identifier: GPL-2.0-only
# Input: "  COMM-PID  [CPU] FLAGS TIME: FUNC [MODULE] <-CALLER [MODULE]", as the options irq-info and record-tgid have it.
# Output: "TIME CPU COMM-PID FLAGS function F C".
# Before 6.15 the kernel moves modules' addresses as if they were its own, and finds no name or that of another module's
# function: -v delta= is by how much, -v moved=yes that it did, and -v mods= the modules' symbols of the boot that wrote
# the trace, sorted. An address behind a name (" <ADDRESS>", option sym-addr) then finds the right one. -v names=: "PID
# NAME" lines. A name comes without its module: it gets it from the same table, unless -v kernel=KALLSYMS has a function
# of that name as well. -v look_only=yes: the lines stay as they are, but for the names.

BEGIN {
	head = "^-[0-9]+ +(\\([^)]*\\) *)?\\[[0-9]+\\] "
	while ((getline line < mods) > 0) {
		split(line, f, /[ \t]+/)
		n++
		addr[n] = f[1]
		sym[n] = f[3] f[4]
		module[f[3]] = f[4]
	}
	while (n && (getline line < kernel) > 0) {
		if (index(line, "["))
			continue
		sub(/^[0-9a-f]+ . /, "", line)
		if (line in module)
			module[line] = ""
	}
	while ((getline line < names) > 0) {
		pid = line
		sub(/^ +/, "", pid)
		sub(/ .*$/, "", pid)
		sub(/^ *[0-9]+ /, "", line)
		comm[pid] = line
	}
}

!(joined = header(held $0)) && !header($0) {
	if (/^#/ || length(held $0) >= 16) {
		unfinished()
		if (look_only)
			print plain($0)
	} else {
		# A process's name may have newlines.
		held = held $0 "\n"
	}
	next
}

{
	if (joined)
		$0 = held $0
	else
		unfinished()
	held = ""
	arrow = is_call(what) ? index(what, " <-") : 0
	if (look_only) {
		if (arrow)
			what = look(named(substr(what, 1, arrow - 1))) " <-" look(named(substr(what, arrow + 3)))
		print plain(substr($0, 1, starts - 1)) plain(what)
	}
	if (look_only || !arrow)
		next
	if (task ~ /^ *$/) {
		# How many blanks of these are the name, only the table may know.
		task = pid in comm && comm[pid] ~ /^ +$/ ? comm[pid] : "<blank>"
	} else {
		sub(/^ +/, "", task)
		if (task == "<...>" && pid in comm)
			task = comm[pid]
	}
	task = printable(task)
	gsub(/ /, "_", task)
	print when " " (cpu + 0) " " task "-" pid " " flags " function " named(substr(what, 1, arrow - 1)) " " named(substr(what, arrow + 3))
}

END {
	unfinished()
}

function unfinished() {
	sub(/\n$/, "", held)
	if (look_only && held != "")
		print plain(held)
	held = ""
}

function plain(text) {
	gsub(/\t/, " ", text)
	return printable(text)
}

function header(line,    rest, at, n, f) {
	# "%16s-%-7d", then "(TGID)" where record-tgid is set, "[CPU]", the flags unless irq-info is off, the time. The name
	# always takes 16 columns, and may itself look like all the rest. -> task pid cpu flags when what, starts: where what is
	rest = substr(line, 17)
	if (rest !~ head)
		return 0
	task = substr(line, 1, 16)
	rest = substr(rest, 2)
	pid = rest
	sub(/[^0-9].*$/, "", pid)
	cpu = rest
	sub(/^[^[]*\[/, "", cpu)
	sub(/\].*$/, "", cpu)
	sub(/^[^]]*\] +/, "", rest)
	at = index(rest, ": ")
	what = substr(rest, at + 2)
	starts = length(line) - length(what) + 1
	n = split(substr(rest, 1, at - 1), f, / +/)
	when = f[n]
	flags = n > 1 ? f[1] : "....."
	return at && when ~ /^[0-9]+(\.[0-9]+)?$/
}

function is_call(text) {
	# NAME [MODULE] <ADDRESS> <-CALLER; a text of trace_marker may have an arrow, too.
	return text ~ /^[^ ]*[^ :]( \[[^]]*\])?( <[0-9a-f]+>)? <-[^ ]/
}

function named(text,    at, known) {
	sub(/ +$/, "", text)
	if (match(text, / <[0-9a-f]+>$/)) {
		at = substr(text, RSTART + 2, RLENGTH - 3)
		text = substr(text, 1, RSTART - 1)
		known = moved == "yes" ? from_table(at) : ""
		if (known != "" && known !~ /^0x/)
			return known
	}
	gsub(/ /, "", text)
	if (text ~ /^0x[0-9a-f]+$/)
		return from_table(substr(text, 3))
	return text (text in module ? module[text] : "")
}

function from_table(hex,    low, high, mid, gap) {
	# Nearest symbol at or below, within a megabyte: addresses of one width compare as text. The kernel prints no
	# leading zeros, which those of s390 have.
	while (length(hex) < length(addr[1]))
		hex = "0" hex
	hex = hex_minus(hex, delta)
	low = 0
	high = n
	while (low < high) {
		mid = int((low + high + 1) / 2)
		if (addr[mid] "" <= hex "")
			low = mid
		else
			high = mid - 1
	}
	if (low) {
		gap = hex_value(substr(hex, length(hex) - 7)) - hex_value(substr(addr[low], length(addr[low]) - 7))
		if (substr(hex, 1, length(hex) - 8) == substr(addr[low], 1, length(hex) - 8) && gap < 1048576)
			return sym[low]
	}
	sub(/^0+/, "", hex)
	return "0x" hex
}
