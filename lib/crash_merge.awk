# crash_merge.awk - what is there now, "--", what was saved before -> what is there, and what is gone behind it
# SPDX-License-Identifier: GPL-2.0-only
# -v what=modules: lines of /proc/modules. -v what=symbols: bracketed lines of /proc/kallsyms, of which only text counts.
# A module that was loaded again at another place is in the region under both: the earlier becomes NAME(old), and of
# these only the latest is kept.

function module(line,    f, n) {
	if (what == "modules") {
		split(line, f, " ")
		return f[1]
	}
	n = split(line, f, "[")
	sub(/\].*$/, "", f[n])
	return f[n]
}

function key(line,    f) {
	# The other columns of /proc/modules change while a module just sits there.
	if (what == "modules") {
		split(line, f, " ")
		return f[1] " " f[6]
	}
	return line
}

function renamed(line, name,    at) {
	if (what == "modules")
		return name "(old)" substr(line, length(name) + 1)
	at = index(line, "[" name "]")
	return substr(line, 1, at) name "(old)]"
}

$0 == "--" {
	old = 1
	next
}

what == "symbols" && !old && $0 !~ /^[0-9a-fA-F]+ [tTwW] / {
	next
}

!old {
	have[key($0)] = 1
	present[module($0)] = 1
	print
	next
}

!(key($0) in have) {
	name = module($0)
	if (name in present) {
		moved[name] = 1
		print renamed($0, name)
	} else if (name ~ /\(old\)$/) {
		held[++n] = $0
	} else {
		print
	}
}

END {
	for (i = 1; i <= n; i++) {
		name = module(held[i])
		sub(/\(old\)$/, "", name)
		if (!(name in moved))
			print held[i]
	}
}
