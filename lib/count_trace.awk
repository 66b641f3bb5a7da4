# count_trace.awk - the function tracer's lines -> a table at each mark
# SPDX-License-Identifier: GPL-2.0-only
# Input: trace_pipe without context-info, "FUNC <-PARENT", or with the option raw "IP PARENT_IP"; a line with
# "fieldtrace-table STAMP" prints and starts anew, one with "fieldtrace-end STAMP" prints and ends.
# -v words=N: a call is a line of N words and nothing else is; 0: by its looks, where "FUNC <-PARENT" may be a mark's two words.
# -v top=N. -v raw=1: addresses, named from $FT_SYMS (kallsyms), its lines of module $FT_MODULE as they are at the start: the
# kernel's own naming walks a module's whole symbol table for each event, this is done once a function.
# -v module=NAME: all functions are in that one; else -v list=FILE: the filter's listing, "FUNC [MODULE]".
# -v only=, -v own=, -v status=: left_out() in common.awk; with one of them the lines have their context-info.
# -v ready=FILE: takes "ft-ready" when what is read at the start has been read.
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
	if (raw)
		read_symbols()
	if (ready != "") {
		printf "ft-ready" >ready
		close(ready)
	}
}

function read_symbols(    line, n, word, command) {
	# Of the module, as it is now: when the table is due, it may be unloaded. Sorted, each with an x in front, or some would be
	# numbers to awk.
	command = "grep -F \"[$FT_MODULE]\" \"$FT_SYMS\" | sort"
	while ((command | getline line) > 0) {
		n = split(line, word, " ")
		if (word[2] !~ /^[tTwW]$/ || word[3] ~ /^[.$]/ || word[4] != "[" ENVIRON["FT_MODULE"] "]")
			continue
		width = length(word[1])
		at[++nat] = "x" word[1]
		symbol[nat] = word[3] " " word[4]
	}
	close(command)
}

function resolve(    ip, key, low, high, middle) {
	# The place of a call lies somewhere in the function, behind its prologue on kernels that call mcount: the nearest symbol at
	# or below it. All that is counted is in the module.
	for (ip in count)
		if (!(ip in name)) {
			key = ip
			while (length(key) < width)
				key = "0" key
			key = "x" key
			low = 0
			high = nat
			while (low < high) {
				middle = int((low + high + 1) / 2)
				if (at[middle] <= key)
					low = middle
				else
					high = middle - 1
			}
			# The first of several names of one place.
			while (low > 1 && at[low - 1] == at[low])
				low--
			name[ip] = low ? symbol[low] : "0x" ip
		}
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

only own != "" && !left_out($0) {
	# The name of a task may hold anything, but it ends at column 16.
	$0 = substr($0, 18)
	sub(/^[^:]*: /, "")
}

only own != "" && leave {
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
