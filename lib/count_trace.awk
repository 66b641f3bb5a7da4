# count_trace.awk - the function tracer's lines -> a table at each mark
# SPDX-License-Identifier: GPL-2.0-only
# Input: trace_pipe without context-info, "FUNC <-PARENT", or with the option raw "IP PARENT_IP"; a line with
# "fieldtrace-table STAMP" prints and starts anew, one with "fieldtrace-end STAMP" prints and ends.
# -v words=N: a call is a line of N words and nothing else is; 0: by its looks, where "FUNC <-PARENT" may be a mark's two words.
# -v top=N. -v raw=1: addresses, named from $FT_SYMS (kallsyms) and its lines of module $FT_MODULE: the kernel's own
# naming walks a module's whole symbol table for each event, this is done once a function.
# -v module=NAME: all functions are in that one; else -v list=FILE: the filter's listing, "FUNC [MODULE]".
# Losses ("CPU:N [LOST n EVENTS]") are reported from per_cpu/*/stats by the shell.

BEGIN {
	all = module == "" ? "" : " [" module "]"
	while (!raw && all == "" && (getline line < list) > 0) {
		n = split(line, word, " ")
		if (n == 2)
			of[word[1]] = " " word[2]
	}
	if (list != "")
		close(list)
	hex = "0123456789abcdef"
}

function before(ip, offset,    i, digit, out, borrow, part) {
	# ip - offset on text: a 64-bit address is more than an awk number holds. offset < 256.
	borrow = offset
	out = ""
	for (i = length(ip); i > 0; i--) {
		digit = index(hex, substr(ip, i, 1)) - 1 - borrow % 16
		borrow = int(borrow / 16)
		if (digit < 0) {
			digit += 16
			borrow++
		}
		out = substr(hex, digit + 1, 1) out
		if (borrow == 0)
			return substr(ip, 1, i - 1) out
	}
	return out
}

function resolve(    ip, offset, at, n, line, word, want, where, wanted, command) {
	# The traced place lies a few bytes into the function (x86 +0 or +4, others up to some words).
	for (ip in count)
		if (!(ip in name)) {
			wanted++
			name[ip] = "0x" ip
			for (offset = 0; offset <= 64; offset += 4) {
				at = before(ip, offset)
				if (!(at in want) || where[at] > offset) {
					want[at] = ip
					where[at] = offset
				}
			}
		}
	if (!wanted)
		return
	command = "grep -F \"[$FT_MODULE]\" \"$FT_SYMS\""
	while ((command | getline line) > 0) {
		at = substr(line, 1, index(line, " ") - 1)
		if (!(at in want))
			continue
		n = split(line, word, " ")
		ip = want[at]
		if (word[2] ~ /^[tTwW]$/ && (!(ip in near) || near[ip] > where[at])) {
			near[ip] = where[at]
			name[ip] = word[3] (n > 3 ? " " word[4] : "")
		}
	}
	close(command)
}

function table(stamp,    fn, named) {
	if (raw)
		resolve()
	for (fn in count)
		named[raw ? name[fn] : fn (all == "" ? of[fn] : all)] += count[fn]
	failed = print_table(named, top, stamp)
	if (failed) {
		done = 1
		exit failed
	}
	for (fn in count)
		delete count[fn]
}

# First and without a regex, for this is what a call costs: a mark has 3 words where a raw call has 2, and 2 where a bare name
# is 1.
words && NF == words {
	count[$1]++
	next
}

# What to put over the last table, which may be due before the mark that ends it comes.
/fieldtrace-stamp/ {
	stamp_at_end = $0
	sub(/^.*fieldtrace-stamp ?/, "", stamp_at_end)
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

$NF ~ /^<-/ || $(NF - 1) ~ /^<-/ {
	count[$1]++
}

END {
	if (!done)
		table(stamp_at_end)
	exit failed
}
