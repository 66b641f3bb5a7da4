# crash_fields.awk - the function tracer's own lines -> those of tracemem decode --format text
# SPDX-License-Identifier: GPL-2.0-only
# Input: "  COMM-PID  [CPU] FLAGS TIME: FUNC [MODULE] <-CALLER [MODULE]". Output: "TIME CPU COMM-PID FLAGS function F C".
# Before 6.15 the kernel moves modules' addresses as if they were its own, and finds no name or that of another module's
# function: -v delta= is by how much, -v moved=yes that it did, and -v mods= the modules' symbols of the boot that wrote
# the trace, sorted. An address behind a name (" <ADDRESS>", option sym-addr) then finds the right one. -v names=: "PID
# NAME" lines. A name comes without its module: it gets it from the same table, unless -v kernel=KALLSYMS has a function
# of that name as well. -v look_only=yes: the lines stay as they are, but for the names.

BEGIN {
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

!match($0, /-[0-9]+ +(\([^)]*\) +)?\[[0-9]+\] /) {
	if (look_only)
		print
	next
}

{
	task = substr($0, 1, RSTART - 1)
	rest = substr($0, RSTART + 1)
	pid = rest
	sub(/ .*$/, "", pid)
	cpu = rest
	sub(/^[^[]*\[/, "", cpu)
	sub(/\].*$/, "", cpu)
	sub(/^[^]]*\] +/, "", rest)
	at = index(rest, ": ")
	what = substr(rest, at + 2)
	split(substr(rest, 1, at - 1), f, / +/)
	arrow = index(what, " <-")
	if (look_only) {
		if (arrow)
			$0 = substr($0, 1, length($0) - length(what)) look(named(substr(what, 1, arrow - 1))) " <-" look(named(substr(what, arrow + 3)))
		print
	}
	if (look_only || !arrow)
		next
	sub(/^ +/, "", task)
	if (task == "<...>" && pid in comm)
		task = comm[pid]
	gsub(/ /, "_", task)
	print f[2] " " (cpu + 0) " " task "-" pid " " f[1] " function " named(substr(what, 1, arrow - 1)) " " named(substr(what, arrow + 3))
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
