# names.awk - which variables shell files set and use: "KIND NAME FILE LINE FUNCTION" lines
# SPDX-License-Identifier: GPL-2.0-only
#
# KIND: head (set outside of every function), local, set, use; early (a local that is used before it is set: dash and BusyBox
# ash give it the value it had outside, and that may be the environment's); load, reach
# (NAME: a part loaded at the file's head, or by a function).
# Works on shfmt's layout. What is in single quotes, and comments, hold no variable of the shell.

function emit(kind, name) { print kind, name, FILENAME, FNR, (fn == "" ? "-" : fn) }

# The line without comment and quoted text; quotes may go on over lines. Double-quoted text stays, between \001 and \002.
function strip(line,    i, c, out, prev) {
	out = ""
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (single) {
			if (c == "\047") single = 0
			continue
		}
		if (c == "\\") {
			i++
			out = out "%"
			continue
		}
		if (c == "\"") {
			# A quote inside of ${...} or $(...) inside of quotes is closed where it was opened.
			if (quoted[depth]) { quoted[depth] = 0; out = out "\002" } else { quoted[depth] = 1; out = out "\001" }
			continue
		}
		if (c == "$" && substr(line, i + 1, 1) ~ /[({]/) {
			depth++
			quoted[depth] = 0
			close_with[depth] = substr(line, i + 1, 1) == "(" ? ")" : "}"
			inner[depth] = 0
			out = out c substr(line, i + 1, 1)
			i++
			continue
		}
		if (depth && !quoted[depth]) {
			if (close_with[depth] == ")" && c == "(") inner[depth]++
			if (c == close_with[depth]) {
				if (inner[depth]) inner[depth]--
				else depth--
				out = out c
				continue
			}
		}
		if (c == "\047" && !quoted[depth] && !(depth && close_with[depth] == "}" && quoted[depth - 1])) { single = 1; out = out "_"; continue }
		prev = i == 1 ? " " : substr(line, i - 1, 1)
		if (c == "#" && !quoted[depth] && prev ~ /[ \t;(]/ && !(depth && close_with[depth] == "}")) break
		out = out c
	}
	return out
}

function set_name(name) {
	if (name !~ /^[A-Za-z_][A-Za-z0-9_]*$/) return
	if (fn == "") { emit("head", name); return }
	if (name in is_local) { is_set[name] = 1; return }
	emit("set", name)
}

function use_name(name) {
	if (name ~ /^[0-9]/) return
	if (name in is_local) {
		if (!(name in is_set)) { emit("early", name); is_set[name] = 1 }
		return
	}
	emit("use", name)
}

function look(line,    rest, word, at, pending, n, i, words, text, bare, arith) {
	text = line
	gsub(/\001[^\002]*\002/, "\"\"", text)
	gsub(/\001[^\002]*$/, "\"\"", text)
	if (text ~ /^[ \t]*local /) {
		# What a local is given is used before the local is there.
		uses(line)
		sub(/^[ \t]*local /, "", text)
		gsub(/\$\([^)]*\)/, "", text)
		n = split(text, words, /[ \t]+/)
		for (i = 1; i <= n; i++) {
			word = words[i]
			sub(/[=;].*/, "", word)
			if (word !~ /^[a-zA-Z_][A-Za-z0-9_]*$/) continue
			is_local[word] = 1
			delete is_set[word]
			if (words[i] ~ /=/) is_set[word] = 1
			emit("local", word)
		}
		return
	}
	if (match(text, /(^|[ \t;{])for [a-z_]+/)) {
		word = substr(text, RSTART, RLENGTH)
		sub(/.* /, "", word)
		set_name(word)
	}
	# Functions that set a name of their caller.
	if (text ~ /(^|[ \t;])ft_next_line/) set_name("ft_line")
	while (match(text, /(^|[ \t;{!&])read (-r )?[a-zA-Z_ ]+/)) {
		word = substr(text, RSTART, RLENGTH)
		sub(/.*read /, "", word)
		sub(/^-r /, "", word)
		n = split(word, words, / +/)
		text = substr(text, RSTART + RLENGTH)
		for (i = 1; i <= n; i++) set_name(words[i])
	}
	if (match(text, /getopts ("")?[^ ]* *[a-z]+/)) {
		word = substr(text, RSTART, RLENGTH)
		sub(/.* /, "", word)
		set_name(word)
	}
	# Assignments, where a command may begin; what stands right of the sign is used before.
	rest = line
	while (match(rest, /(^|[ \t;&|({!])[A-Za-z_][A-Za-z0-9_]*=/)) {
		word = substr(rest, RSTART, RLENGTH - 1)
		text = substr(rest, 1, RSTART - (word ~ /^[A-Za-z_]/))
		sub(/^[^A-Za-z_]/, "", word)
		uses(text)
		rest = substr(rest, RSTART + RLENGTH)
		at = 0
		if (rest ~ /^\001/) at = index(rest, "\002")
		else if (match(rest, /[ \t;]/)) at = RSTART
		if (!at) at = length(rest)
		uses(substr(rest, 1, at))
		rest = substr(rest, at + 1)
		gsub(/(^|[ \t])(if|then|else|do|while|until|elif|!)([ \t]|$)/, " ; ", text)
		if (text ~ /(^|[;&|({)!])[ \t]*$/ && !(gone && text !~ /[;&|({)]/)) set_name(word)
		gone = gone && text ~ /^[ \t]*$/ ? 1 : 0
		if (text !~ /(^|[;&|({)!])[ \t]*$/) gone = 1
	}
	gone = 0
	uses(rest)
}

function uses(text,    word, rest, at) {
	rest = text
	while (match(rest, /\$\{?#?[A-Za-z_][A-Za-z0-9_]*(:?=)?/)) {
		word = substr(rest, RSTART, RLENGTH)
		rest = substr(rest, RSTART + RLENGTH)
		if (word ~ /^\$[A-Za-z]/) sub(/:?=$/, "", word)
		if (word ~ /=$/) {
			gsub(/[^A-Za-z0-9_]/, "", word)
			use_name(word)
			set_name(word)
			continue
		}
		gsub(/[^A-Za-z0-9_]/, "", word)
		use_name(word)
	}
	# In arithmetic a name needs no dollar.
	rest = text
	while ((at = index(rest, "$((")) > 0) {
		rest = substr(rest, at + 3)
		word = rest
		if ((at = index(word, "))")) > 0) word = substr(word, 1, at - 1)
		gsub(/\$\{[^}]*\}|\$[A-Za-z_0-9]+/, " ", word)
		while (match(word, /[A-Za-z_][A-Za-z0-9_]*/)) {
			use_name(substr(word, RSTART, RLENGTH))
			word = substr(word, RSTART + RLENGTH)
		}
	}
}

FNR == 1 { fn = ""; single = depth = 0; quoted[0] = 0; split("", is_local); split("", is_set) }
/^# >>> find lib/ { skip = 1 }
/^# <<< find lib/ { skip = 0 }
skip { next }
{
	open = single || depth || quoted[0]
	line = strip($0)
	if (open && line !~ /^\002?[ \t]/) { uses(line); next }
	if (line ~ /^\t?[a-z_0-9A-Z]+\(\) (\{|\()/) {
		fn = line
		sub(/\(.*/, "", fn)
		ends = fn ~ /^\t/ ? "^\t\\}" : "^\\}"
		sub(/^\t/, "", fn)
		split("", is_local)
		split("", is_set)
		if (line ~ /[ \t]\}$/) fn = ""
		next
	}
	if (fn != "" && line ~ ends) { fn = ""; split("", is_local); split("", is_set); next }
	if (loading) line = "ft_load " line
	loading = 0
	if (line ~ /^[ \t]*(ft|crash)_load / || line ~ /(then|do) (ft|crash)_load /) {
		text = line
		sub(/.*_load /, "", text)
		sub(/[;&|"].*/, "", text)
		n = split(text, words, /[ \t]+/)
		for (i = 1; i <= n; i++) if (words[i] == "%") loading = 1
		else if (words[i] ~ /^[a-z_]+$/) emit(fn == "" ? "load" : "reach", words[i])
	}
	look(line)
}
