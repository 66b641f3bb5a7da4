# crash_again.awk - patterns, --, /proc/modules now, --, what it was -> what to add to set_ftrace_filter
# SPDX-License-Identifier: GPL-2.0-only
# Patterns are lines "SIGN KIND MODULE TEXT" (functions.sh). Out: "w WORD", a word for the filter, "r PATTERN", one that
# only the library can look up. A module that is named waits in the kernel until it is loaded; of others, those that are
# new are taken: not there before, or at another address. -v first=1: nothing is set yet, so all that is there is new.

part == 0 && $0 != "--" {
	line[++lines] = $0
}

$0 == "--" {
	part++
	next
}

part == 1 {
	name[++names] = $1
	base[$1] = $6
}

part == 2 {
	old[$1] = $6
}

END {
	for (i = 1; i <= names; i++)
		fresh[name[i]] = first || !(name[i] in old) || old[name[i]] != base[name[i]]
	for (i = 1; i <= lines; i++)
		if (line[i] ~ /^[+]/)
			pattern(line[i], "")
	for (i = 1; i <= lines; i++)
		if (line[i] ~ /^-/)
			pattern(line[i], "!")
}

function pattern(text, sign,    field, n, part_of, i, mod) {
	split(text, field, " ")
	mod = field[3]
	text = substr(text, length(field[1] field[2] field[3]) + 4)
	if (mod == "-" && first) {
		say(field[2], sign, text, "")
		return
	}
	if (mod == "-")
		mod = "*"
	n = split(mod, part_of, ",")
	for (i = 1; i <= n; i++)
		one(field[2], sign, text, part_of[i])
}

function one(kind, sign, text, mod,    i, re) {
	if (mod !~ /[*?[]/ && sign == "" && kind == "glob") {
		say(kind, sign, text, ":mod:" mod)
		return
	}
	re = glob_to_re(mod)
	for (i = 1; i <= names; i++)
		if (fresh[name[i]] && name[i] ~ re)
			say(kind, sign, text, ":mod:" name[i])
}

function say(kind, sign, text, mod) {
	if (kind == "regex")
		print "r " sign "/" text "/" mod
	else
		print "w " sign text mod
}
