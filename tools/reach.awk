# reach.awk - leaves out the functions that nothing calls: awk -f reach.awk [-v kind=awk] [-v roots=N] FILE...
# SPDX-License-Identifier: GPL-2.0-only
#
# Reads shell files (kind=awk: awk programs) as they are laid out here: a definition begins at the start of a line and
# ends with a line "}" and an empty one behind it (a "}" alone can be a piece of ${x%...} over two lines). What stands
# outside is kept, and so is each function whose name is a word of what is kept: in a string, a trap or a variable's
# value as well, so this errs on the side of too much. NAME_"$x", a call by a name that is put together, keeps
# everything that begins with NAME_. roots=N: the first N files are only looked at.

function head_of(line) {
	if (kind == "awk")
		return line ~ /^function / ? substr(line, 10, index(line, "(") - 10) : ""
	return line ~ /^[A-Za-z_][A-Za-z0-9_]*\(\) \{/ ? substr(line, 1, index(line, "(") - 1) : ""
}

function visit(text,    word, name, rest) {
	while (match(text, /[A-Za-z_][A-Za-z0-9_]*/)) {
		word = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
		if (word in known)
			keep(word)
		if (word ~ /_$/ && text ~ /^"[$]/)
			for (name in known)
				if (index(name, word) == 1)
					keep(name)
	}
}

function keep(name) {
	if (!(name in kept)) {
		kept[name] = 1
		queue[++queued] = name
	}
}

FNR == 1 {
	files++
	inside = ""
}

ended && $0 == "" {
	inside = ""
}

{
	begins = inside == "" && (inside = head_of($0)) != ""
	if (begins)
		known[inside] = 1
	owner[NR] = inside
	line[NR] = $0
	silent[NR] = files <= roots
	if ($0 !~ /^[ \t]*#/)
		body[inside] = body[inside] "\n" $0
	ended = $0 == "}" || (begins && $0 ~ /}$/)
}

END {
	visit(body[""])
	for (i = 1; i <= queued; i++)
		visit(body[queue[i]])
	for (i = 1; i <= NR; i++)
		if (!silent[i] && (owner[i] == "" || owner[i] in kept))
			print line[i]
}
