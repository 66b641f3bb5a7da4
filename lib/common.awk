# common.awk - functions that several programs share: globs, names, numbers
# SPDX-License-Identifier: GPL-2.0-only
# POSIX awk: no {n} in patterns, no gensub, no strtonum; numbers are exact to 2^53.

function glob_to_re(glob,    i, c, re, j, set) {
	# The kernel's glob (lib/glob.c): * ? [set] [!set], anchored at both ends.
	re = "^"
	for (i = 1; i <= length(glob); i++) {
		c = substr(glob, i, 1)
		if (c == "*") {
			re = re ".*"
		} else if (c == "?") {
			re = re "."
		} else if (c == "[" && (j = index(substr(glob, i + 2), "]"))) {
			set = substr(glob, i + 1, j)
			i += j + 1
			if (substr(set, 1, 1) == "!")
				set = "^" substr(set, 2)
			re = re "[" set "]"
		} else if (c ~ /[A-Za-z0-9_]/) {
			re = re c
		} else if (c == "^" || c == "\\") {
			re = re "\\" c
		} else {
			re = re "[" c "]"
		}
	}
	return re "$"
}

function base_name(name,    at) {
	# Without what the compiler added: foo.isra.0, foo.part.1, foo.constprop.0, foo.cold, foo.llvm.123, foo$HASH
	at = match(substr(name, 2), /[.$]/)
	return at ? substr(name, 1, at) : name
}

function distance(a, b,    i, j, la, lb, d, cost, best) {
	# Edit distance with swapped neighbours counted once: a typing error is usually one of these.
	la = length(a)
	lb = length(b)
	for (i = 0; i <= la; i++)
		d[i, 0] = i
	for (j = 0; j <= lb; j++)
		d[0, j] = j
	for (i = 1; i <= la; i++) {
		for (j = 1; j <= lb; j++) {
			cost = (substr(a, i, 1) != substr(b, j, 1))
			best = d[i - 1, j - 1] + cost
			if (d[i - 1, j] + 1 < best)
				best = d[i - 1, j] + 1
			if (d[i, j - 1] + 1 < best)
				best = d[i, j - 1] + 1
			if (i > 1 && j > 1 && substr(a, i, 1) == substr(b, j - 1, 1) && substr(a, i - 1, 1) == substr(b, j, 1) && d[i - 2, j - 2] + 1 < best)
				best = d[i - 2, j - 2] + 1
			d[i, j] = best
		}
	}
	return d[la, lb]
}

function print_table(counts, top, stamp,    key, command, failed) {
	# perf-tools' table: FUNC and COUNT, smallest first; sort does the sorting, on a column cut off after.
	# Returns 0, 141 when the reader is gone, 9 when it could not be written. Some awks end by themselves when their
	# own writing fails, some know only what close() says of another program's.
	print ""
	fflush()
	command = "cat 2>/dev/null"
	if (stamp != "")
		print stamp | command
	printf "%-30s %8s\n", "FUNC", "COUNT" | command
	failed = write_status(close(command))
	if (failed)
		return failed
	command = "{ sort -n" (top ? " | tail -n " top : "") " | cut -f 2-; } 2>/dev/null"
	printf "" | command # open it: close() of what is not open is an error
	for (key in counts)
		if (counts[key] > 0)
			printf "%.0f\t%-30s %8.0f\n", counts[key], key, counts[key] | command
	return write_status(close(command))
}

function write_status(closed) {
	# What close() says of a pipe whose end was killed by SIGPIPE is its status in one awk, that of its shell or
	# either shifted by 8 in another.
	if (closed == 0)
		return 0
	return closed == 13 || closed == 141 || closed == 269 || closed == 3328 || closed == 36096 ? 141 : 9
}

function commas(number,    text, out) {
	# 1234567 -> 1,234,567
	text = sprintf("%.0f", number)
	while (length(text) > 3) {
		out = "," substr(text, length(text) - 2) out
		text = substr(text, 1, length(text) - 3)
	}
	return text out
}

function bytes(number) {
	if (number >= 1048576 && number % 1048576 == 0)
		return number / 1048576 " MiB"
	if (number >= 1024 && number % 1024 == 0)
		return number / 1024 " KiB"
	return commas(number) " bytes"
}

function micro(time,    at, us) {
	# Seconds as text, of nine digits behind the point six: too long for an awk number. Rounded, as the kernel's text is.
	# The 1 in front: BusyBox awk takes a number that begins with 0 for octal.
	at = index(time, ".")
	if (!at || length(time) - at <= 6)
		return time
	us = int((("1" substr(time, at + 1, 9)) + 500) / 1000)
	return us < 2000000 ? substr(time, 1, at) substr(us, 2) : sprintf("%.0f.000000", substr(time, 1, at - 1) + 1)
}

function short_time(seconds) {
	return seconds < 0.01 ? sprintf("%.1f ms", seconds * 1000) : seconds < 1 ? sprintf("%.0f ms", seconds * 1000) : sprintf("%.1f s", seconds)
}

function look(name,    mod) {
	# NAME+0xOFF[MODULE] as tracemem has it -> NAME [MODULE], the kernel's own look
	if (match(name, /\[[^]]*\]+$/)) {
		mod = " " substr(name, RSTART)
		name = substr(name, 1, RSTART - 1)
	}
	if (name !~ /^[?]/)
		sub(/[+]0x[0-9a-f]+$/, "", name)
	return name mod
}

function task_text(text) {
	# COMM-PID; a PID alone has no name in the table.
	return text ~ /^[0-9]+$/ ? "<...>-" text : text
}

function sort_numbers(list, n,    i, j, x) {
	for (i = 2; i <= n; i++) {
		x = list[i]
		for (j = i - 1; j >= 1 && list[j] + 0 > x + 0; j--)
			list[j + 1] = list[j]
		list[j + 1] = x
	}
}

function hex_value(text,    i, v) {
	# Up to 13 digits are exact.
	for (i = 1; i <= length(text); i++)
		v = v * 16 + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
	return v + 0
}

function size_value(text,    unit) {
	# Bytes of a size as the boot line has it: decimal or 0x hex, with K, M, G behind it; -1 when it is none.
	unit = text ~ /[kK]$/ ? 1024 : text ~ /[mM]$/ ? 1048576 : text ~ /[gG]$/ ? 1073741824 : 1
	if (unit > 1)
		text = substr(text, 1, length(text) - 1)
	if (text ~ /^0[xX][0-9a-fA-F]+$/)
		return hex_value(substr(text, 3)) * unit
	return text ~ /^[0-9]+$/ ? text * unit : -1
}

function hex_minus(text, delta,    width, low, high) {
	# An address does not fit an awk number: in two halves of 8 digits. delta is signed, up to 2^53.
	width = length(text)
	low = hex_value(substr(text, width > 8 ? width - 7 : 1)) - delta
	high = width > 8 ? hex_value(substr(text, 1, width - 8)) : 0
	while (low < 0) {
		low += 4294967296
		high--
	}
	while (low >= 4294967296) {
		low -= 4294967296
		high++
	}
	return width > 8 ? hex_wide(high, width - 8) hex_wide(low, 8) : hex_wide(low, width)
}

function hex_wide(value, width,    upper) {
	# BusyBox awk prints no %x of more than 31 bits: in halves of 16.
	upper = int(value / 65536)
	return width > 4 ? sprintf("%0" (width - 4) "x%04x", upper, value - upper * 65536) : sprintf("%0" width "x", value)
}

function printable(text,    i, c, v, out) {
	# Text from outside as one line of a terminal: what is not printable ASCII, and the backslash, as \xNN. Under LC_ALL=C.
	if (text !~ /[^ -~]/ && !index(text, "\\"))
		return text
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		if (c ~ /[^ -~]/ || c == "\\") {
			for (v = 1; v < 255 && sprintf("%c", v) != c; v++)
				;
			c = "\\x" hex_wide(v, 2)
		}
		out = out c
	}
	return out
}

function task_pid(text) {
	# Of a line with the task column: a name of 16 places, "-" and the PID. Else empty.
	return substr(text, 17, 1) == "-" && match(substr(text, 18, 12), /^[0-9]+ /) ? substr(text, 18, RLENGTH - 1) : ""
}

function left_out(text,    pid) {
	# Whether a line is none of what was asked for. -v only="PID...": of these threads and no others, where the kernel's own
	# filter lets children through. -v own=PID: the shell that runs this, where the kernel cannot leave us out; its lines and
	# ours are none then, and after one of ours comes a pause: by then what others did is read, and the next read at once
	# would find the line of this one, without end. -v status=FILE: /proc/self/status, for our own PID.
	# A line without a task belongs to the one before it (a stack), a header or a loss to nobody.
	if (!knows_ours)
		know_ours()
	if (text ~ /^(#|CPU:)/)
		return 0
	pid = task_pid(text)
	if (pid == "")
		return leave
	leave = pid in ours || only != "" && !(pid in asked)
	if (pid == own && text ~ /: fieldtrace-ours [0-9 ]*$/)
		learn_ours(text)
	if (pid == pauser && text ~ /: fieldtrace-pause$/)
		paused = 0
	if (pid == self && !paused)
		pause()
	return leave
}

function know_ours(    n, word, line) {
	knows_ours = 1
	for (n = split(only, word, " "); n > 0; n--)
		asked[word[n]] = 1
	if (own == "")
		return
	ours[own] = 1
	# NSpid, the number that the kernel knows us by, comes after Pid.
	while ((getline line < status) > 0)
		if (split(line, word, " ") > 1 && (word[1] == "Pid:" || word[1] == "NSpid:"))
			self = word[2]
	close(status)
	ours[self] = 1
	nap = "0.2"
}

function pause(    command, line) {
	# The reads of before left lines of ours as well, which ask for no pause of their own: they end at a mark ($FT_MARKER). Once
	# none can be written, tracing is over. The PID is that of the sleep, which is one of ours. Some sleeps know whole seconds only.
	command = "{ echo fieldtrace-pause >\"$FT_MARKER\"; } 2>/dev/null && echo $$ && exec sleep " nap " 2>/dev/null"
	paused = 1
	if ((command | getline line) > 0) {
		ours[line] = 1
		pauser = line
		if (close(command))
			nap = 1
	} else
		close(command)
}

function learn_ours(text,    n, word) {
	# "...fieldtrace-ours PID..." from our shell
	for (n = split(substr(text, index(text, "fieldtrace-ours") + 16), word, " "); n > 0; n--)
		ours[word[n]] = 1
}
