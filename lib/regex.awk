# regex.awk - whether a regular expression says the same to every awk, and if not, why
# SPDX-License-Identifier: GPL-2.0-only
# Input: the expression, a line. Output: nothing, or the reason. What is left out is what busybox, mawk, gawk and original-awk
# read differently, or with a warning: \t \w \x41, {n}, [[:class:]], a repetition of nothing, an anchor in the middle.

function punctuation(c) {
	return c != "" && index("^$.*+?|()[]\\", c)
}

function set_length(text,    i, c, last) {
	# The characters of "[...]" at the beginning of TEXT; 0 if it is not one of letters, digits, _ . $ and ranges.
	i = 2
	if (substr(text, i, 1) == "^")
		i++
	for (; (c = substr(text, i, 1)) != "]" || last == ""; i++) {
		if (c == "-" && last != "-" && same_kind(last, substr(text, i + 1, 1))) {
			i++
			last = "-"
		} else if (c ~ /^[A-Za-z0-9_.$]$/)
			last = c
		else
			return 0
	}
	return i
}

function same_kind(a, b) {
	return a <= b && (a ~ /^[a-z]$/ && b ~ /^[a-z]$/ || a ~ /^[A-Z]$/ && b ~ /^[A-Z]$/ || a ~ /^[0-9]$/ && b ~ /^[0-9]$/)
}

function reason(text,    c, n, depth, atom, at_start) {
	# atom: something stands before that can be repeated. at_start: nothing of this branch does.
	at_start = 1
	if (text == "")
		return "it is empty"
	while (text != "") {
		c = substr(text, 1, 1)
		n = 1
		if (c == "\\") {
			n = 2
			if (!punctuation(substr(text, 2, 1)))
				return "a backslash makes one of ^ $ . * + ? | ( ) [ ] \\ a plain character, nothing else"
			atom = 1
		} else if (c == "[") {
			if (!(n = set_length(text)))
				return "a set is [abc], [^abc] or [a-z], of letters, digits, _ . and $"
			atom = 1
		} else if (c == "(") {
			depth++
			atom = 0
			at_start = 1
			text = substr(text, 2)
			continue
		} else if (c == ")" || c == "|") {
			if (at_start)
				return "there is nothing before '" c "'"
			if (c == ")" && --depth < 0)
				return "a ')' without its '('"
			atom = (c == ")")
			if (c == "|") {
				at_start = 1
				text = substr(text, 2)
				continue
			}
		} else if (c == "*" || c == "+" || c == "?") {
			if (!atom)
				return "there is nothing that '" c "' could repeat"
			atom = 0
		} else if (c == "^") {
			if (!at_start)
				return "'^' stands at the beginning only"
			atom = 0
		} else if (c == "$") {
			if (substr(text, 2, 1) !~ /^[|)]?$/)
				return "'$' stands at the end only"
			atom = 0
		} else if (c == "{" || c == "}" || c == "]")
			return "'" c "' has no meaning here"
		else if (c !~ /^[ -~]$/)
			return "it has a character that no name has"
		else
			atom = 1
		at_start = 0
		text = substr(text, n + 1)
	}
	if (depth)
		return "a '(' without its ')'"
	return at_start ? "there is nothing behind '|'" : ""
}

{
	printf "%s", reason($0)
	exit
}
