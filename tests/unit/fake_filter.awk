# fake_filter.awk - what the kernel makes of words written to set_ftrace_filter: the listing after it
# SPDX-License-Identifier: GPL-2.0-only
# Input: available_filter_functions, "--", the listing so far, "--", the words, one a line. Output: the new listing.
# Exit 1 is EINVAL: words before the bad one stay, as with the kernel, which takes one word a write.
# -v max=N: it holds so many (0: no limit), ends in silence in a glob that has more, and takes no word once it is full.
# -v refuse=" NAME NAME ": listed, and no word takes them. -v unmatched= glob= index_ok= modlater= : the features of kernels.tsv. -v modules=" NAME NAME ": what is loaded.

$0 == "--" {
	part++
	next
}

part == 0 {
	n++
	name[n] = $1
	mod[n] = $2
	gsub(/[][]/, "", mod[n])
	if (!($0 in line))
		line[$0] = n
	text[n] = $0
	next
}

part == 1 {
	if ($0 in line)
		chosen[line[$0]] = 1
	else if ($0 ~ /:mod:/)
		later = later $0 "\n"
	next
}

!bad {
	bad = !take($1)
}

function take(word,    minus, parts, nparts, m, k, hits) {
	# 1 when the kernel accepts the word
	if (word ~ /^!/) {
		minus = 1
		word = substr(word, 2)
	}
	if (index_ok == "yes" && word ~ /^[0-9]/)
		return take_index(word, minus)
	if (max && !minus && chosen_now() >= max)
		return 0
	nparts = split(word, parts, ":")
	if (nparts == 3 && parts[2] == "mod") {
		m = parts[3]
		if (index(modules, " " m " ") == 0) {
			if (modlater == "yes")
				later = later word "\n"
			return modlater == "yes" || unmatched == "silent"
		}
		word = parts[1] == "" ? "*" : parts[1]
	} else if (nparts > 1)
		return unmatched == "silent"
	for (k = 1; k <= n && !(max && !minus && chosen_now() >= max); k++)
		if ((m == "" || owner(k) == m) && name[k] !~ /^__ftrace_invalid/ && matches(word, name[k])) {
			if (index(refuse, " " name[k] " "))
				continue
			hits++
			if (minus)
				delete chosen[k]
			else
				chosen[k] = 1
		}
	return hits > 0 || unmatched == "silent"
}

function chosen_now(    k, sum) {
	for (k in chosen)
		sum++
	return sum + 0
}

function owner(k) {
	# With "suffix no" the list does not say, but the kernel knows.
	return mod[k] != "" ? mod[k] : hidden[name[k]]
}

function take_index(word, minus,    k) {
	if (word !~ /^[0-9]+$/)
		return 0
	k = word ~ /^0/ ? octal(word) : word + 0
	if (k < 1 || k > n)
		return 0
	if (minus)
		delete chosen[k]
	else
		chosen[k] = 1
	return 1
}

function octal(word,    i, v) {
	for (i = 1; i <= length(word); i++)
		v = v * 8 + substr(word, i, 1)
	return v
}

function matches(pattern, s,    star, rest) {
	if (glob == "full")
		return glob_match(pattern, s)
	star = index(pattern, "*")
	if (!star)
		return s == pattern
	if (star > 1)
		return substr(s, 1, star - 1) == substr(pattern, 1, star - 1)
	rest = substr(pattern, 2)
	star = index(rest, "*")
	if (star)
		return index(s, substr(rest, 1, star - 1)) > 0
	return length(s) >= length(rest) && substr(s, length(s) - length(rest) + 1) == rest
}

function glob_match(p, s,    c, i, close_at, set) {
	# The kernel's lib/glob.c, by recursion.
	if (p == "")
		return s == ""
	c = substr(p, 1, 1)
	if (c == "*") {
		for (i = 0; i <= length(s); i++)
			if (glob_match(substr(p, 2), substr(s, i + 1)))
				return 1
		return 0
	}
	if (s == "")
		return 0
	if (c == "[" && (close_at = index(substr(p, 3), "]"))) {
		set = substr(p, 2, close_at)
		if (substr(set, 1, 1) == "!")
			set = "^" substr(set, 2)
		return s ~ ("^[" set "]") && glob_match(substr(p, close_at + 3), substr(s, 2))
	}
	return (c == "?" || c == substr(s, 1, 1)) && glob_match(substr(p, 2), substr(s, 2))
}

BEGIN {
	# "suffix no": what belongs to a module, from kallsyms ("NAME MODULE" lines)
	while (owners != "" && (getline pair < owners) > 0) {
		split(pair, both, " ")
		hidden[both[1]] = both[2]
	}
}

END {
	for (k = 1; k <= n; k++)
		if (k in chosen) {
			print text[k]
			any = 1
		}
	printf "%s", later
	if (!any && later == "")
		print "#### all functions enabled ####"
	exit bad
}
