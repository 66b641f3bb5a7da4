# close.awk - names that somebody may have meant
# SPDX-License-Identifier: GPL-2.0-only
# Input: lines of the kernel's list, "NAME [MODULE]", or with -v symbols=1 of /proc/kallsyms. -v text=NAME. Output: up to three
# names, a blank before each: first those that begin with it, shortest first; else the nearest, and those that begin like the
# nearest: vfs_raed -> vfs_read, vfs_readv.

{
	name = symbols ? $3 : $1
	if (symbols && $2 !~ /^[tTwW]$/ || name in seen || index(name, "__ftrace_invalid_address___") == 1)
		next
	seen[name] = 1
	all[++nall] = name
}

function take(name) {
	if (count < 3 && !(name in taken)) {
		taken[name] = 1
		count++
		out = out " " name
	}
}

function by_beginning(text,    k, size, most) {
	# A few letters more first.
	for (k = 1; k <= nall; k++)
		if (index(all[k], text) == 1) {
			longer[++nlonger] = all[k]
			if (length(all[k]) > most)
				most = length(all[k])
		}
	for (size = length(text); size <= most && count < 3; size++)
		for (k = 1; k <= nlonger; k++)
			if (length(longer[k]) == size)
				take(longer[k])
}

END {
	if (length(text) > 2)
		by_beginning(text)
	for (k = 1; k <= nall && !nlonger; k++) {
		d = length(all[k]) - length(text)
		if (d > 2 || d < -2)
			continue
		d = distance(text, all[k])
		if (d == 1 || d == 2)
			near[d, ++n[d]] = all[k]
	}
	d = n[1] ? 1 : 2
	for (k = 1; k <= n[d]; k++)
		take(near[d, k])
	if (n[d])
		for (k = 1; k <= nall; k++)
			if (index(all[k], near[d, 1]) == 1)
				take(all[k])
	printf "%s", out
}
