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

function base_name(name) {
	# What the compiler added: foo.isra.0, foo.part.1, foo.constprop.0, foo.cold
	sub(/[.].*$/, "", name)
	return name
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

function print_table(counts, top, stamp,    key, command) {
	# perf-tools' table: FUNC and COUNT, smallest first; sort does the sorting, on a column cut off after.
	command = "sort -n" (top ? " | tail -n " top : "") " | cut -f 2-"
	print ""
	if (stamp != "")
		print stamp
	printf "%-30s %8s\n", "FUNC", "COUNT"
	fflush()
	for (key in counts)
		if (counts[key] > 0)
			printf "%.0f\t%-30s %8.0f\n", counts[key], key, counts[key] | command
	close(command)
}
