# resolve.awk - patterns and the kernel's function list -> index numbers and names
# SPDX-License-Identifier: GPL-2.0-only
#
# Input 1 (stdin): lines "SIGN KIND MODULE TEXT" of ft_pattern_lines, then a line "--".
# Input 2: available_filter_functions; the line number is the index the kernel takes. With -v numbered=1 it follows on stdin,
# out of "grep -n": the lines that matter, "NUMBER:LINE". With -v symbols=1 it is /proc/kallsyms, of which the text symbols count.
# -v syms=FILE: /proc/kallsyms, read only when a pattern names a module and the list names none. -v force=1: read it
# whatever the list says.
# Output: "n COUNT", "k" (modules are from kallsyms), "? PATTERN" (matched nothing), "~ PATTERN VARIANT..." (only
# compiler variants matched), "= PATTERN VARIANT" (one variant, taken), "! STATUS" (the listing could not be written), "--",
# then what -v want= asks for:
#   index    lines "i 1 2 3", each short enough to be an argument of a command
#   filter   the same, and lines "f NAME NAME"
#   globs    lines "f WORD WORD", a word being a name or a glob PREFIX_* that no function but those that are meant begins with:
#            a word costs the kernel a walk over all its functions, and a module of thousands has few prefixes
#   names    lines "NAME [MODULE]"
#   listing  the same, but to the file $FT_LISTING, else to file descriptor 3, and only if every pattern matched

BEGIN {
	stage = "patterns"
}

stage == "patterns" {
	if ($0 == "--") {
		stage = "list"
		holding = need && syms != "" && !numbered
		next
	}
	add_pattern($1, $2, $3, $0)
	next
}

{
	line = FNR
	if (numbered) {
		line = $0 + 0
		sub(/^[^:]*:/, "")
	}
	if (symbols) {
		if ($2 !~ /^[tTwW]$/ || $3 ~ /^[$.]/ || $4 == "[bpf]" || $4 ~ /^.__builtin__/)
			next
		$0 = $3 " " $4
	}
}

# The list names modules behind their functions, and these come last: what stands before the first of them is held back
# until it is known whether the list names any.
holding && ($2 == "" || force) {
	held[FNR] = $1
	next
}

{
	mod = $2
	if (mod != "") {
		gsub(/[][]/, "", mod)
		if (holding)
			release()
	}
	if (mod != "" || builtin)
		consider(line, $1, mod)
	else if (want == "globs")
		other[++nother] = $1
}

function add_pattern(sign, kind, mod, text,    p, n, k, part) {
	sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", text)
	if (mod != "-")
		need = 1
	else if (sign == "+")
		builtin = 1
	p = ++np
	minus[p] = (sign == "-")
	mods[p] = mod
	mod_re[p] = ""
	if (mod ~ /[*?,]/) {
		n = split(mod, part, ",")
		for (k = 1; k <= n; k++)
			mod_re[p] = mod_re[p] (k > 1 ? "|" : "") glob_to_re(part[k])
	}
	label[p] = kind == "regex" ? "/" text "/" : text
	if (mod != "-")
		label[p] = label[p] ":mod:" mod
	if (kind == "regex" || text ~ /[*?[]/ || minus[p]) {
		re[p] = kind == "regex" ? text : glob_to_re(text)
		# What a glob begins with is compared first: some awks compile such a regex anew each time.
		start[p] = text
		sub(/[*?[].*$/, "", start[p])
		if (kind == "regex")
			start[p] = ""
		any[p] = re[p] == "^.*$"
		nre++
		re_of[nre] = p
	} else {
		plain[text] = plain[text] " " p
		name[p] = text
	}
}

function in_module(p, mod) {
	if (mods[p] == "-" || mods[p] == mod)
		return 1
	return mod_re[p] != "" && mod != "" && mod ~ mod_re[p]
}

function fits(p, fn, mod) {
	if (!in_module(p, mod))
		return 0
	return any[p] || (index(fn, start[p]) == 1 || start[p] == "") && fn ~ re[p]
}

function consider(line, fn, mod,    k, n, who, chosen, base) {
	if (fn in plain) {
		n = split(plain[fn], who, " ")
		for (k = 1; k <= n; k++)
			if (in_module(who[k] + 0, mod)) {
				hits[who[k] + 0]++
				chosen = 1
			}
	} else if ((index(fn, ".") || index(fn, "$")) && ((base = base_name(fn)) in plain)) {
		n = split(plain[base], who, " ")
		for (k = 1; k <= n; k++)
			if (in_module(who[k] + 0, mod))
				add_variant(who[k] + 0, line, fn, mod)
	}
	for (k = 1; k <= nre; k++)
		if (!minus[re_of[k]] && fits(re_of[k], fn, mod)) {
			hits[re_of[k]]++
			chosen = 1
		}
	if (chosen)
		pick(line, fn, mod)
	if (want == "globs" && !(chosen && count && picked[count] == line))
		other[++nother] = fn
}

function add_variant(p, line, fn, mod) {
	# A function's .cold part is taken for it only where there is nothing else.
	if (fn ~ /[.]cold/)
		p = p " cold"
	nlines[p]++
	var_line[p, nlines[p]] = line
	var_mod[p, nlines[p]] = mod
	if (nvar[p] && index(variants[p] " ", " " fn " "))
		return
	nvar[p]++
	variants[p] = variants[p] " " fn
}

function pick(line, fn, mod,    k) {
	# A place in the list whose function the linker dropped.
	if (index(fn, "__ftrace_invalid_address___") == 1)
		return
	for (k = 1; k <= nre; k++)
		if (minus[re_of[k]] && fits(re_of[k], fn, mod))
			return
	count++
	picked[count] = line
	picked_name[count] = fn
	picked_mod[count] = mod
}

function release(    k) {
	holding = 0
	for (k = 1; k < FNR; k++)
		if (builtin)
			consider(k, held[k], "")
		else if (want == "globs")
			other[++nother] = held[k]
	split("", held)
}

function release_by_kallsyms(last,    k, fn, n, home, homes, seen) {
	# kallsyms: "ADDRESS TYPE NAME [MODULE]"; only text, and only brackets that are modules. It has the newest module
	# first and the list has it last, so where a name exists more than once, counting from the list's end meets
	# the modules in kallsyms' order; what is left over at the front is the kernel's own.
	while ((getline < syms) > 0) {
		if ($4 == "" || $2 !~ /^[tTwW]$/ || $3 ~ /^[$.]/ || $4 == "[bpf]" || $4 ~ /^.__builtin__/)
			continue
		gsub(/[][]/, "", $4)
		homes[$3] = homes[$3] " " $4
	}
	close(syms)
	for (k = 1; k <= last; k++)
		if (held[k] in homes)
			seen[held[k]]++
	for (k = 1; k <= last; k++) {
		fn = held[k]
		n = (fn in homes) ? split(homes[fn], home, " ") : 0
		if (n && seen[fn] <= n)
			consider(k, fn, home[seen[fn]])
		else if (builtin)
			consider(k, fn, "")
		else if (want == "globs")
			other[++nother] = fn
		if (n)
			seen[fn]--
	}
}

function explain(p,    k, of) {
	# A pattern that matched nothing; 1 if that ends the run.
	of = p
	if (!nvar[p] && nvar[p " cold"])
		p = p " cold"
	if (nvar[p] == 1) {
		print "= " name[of] variants[p]
		for (k = 1; k <= nlines[p]; k++)
			pick(var_line[p, k], substr(variants[p], 2), var_mod[p, k])
		return 0
	}
	if (nvar[p] > 1) {
		print "~ " name[of] variants[p]
		return 1
	}
	print "? " label[of]
	return 1
}

function grouped(letter, list, n, size,    k, line) {
	for (k = 1; k <= n; k++) {
		line = line " " list[k]
		if (k % size == 0 || k == n) {
			print letter line
			line = ""
		}
	}
}

function prefix_end(fn, from,    at) {
	# Where the next prefix of a name ends, behind FROM characters: at an underscore with letters on both sides. 0: no more.
	at = from ? from + 1 : match(fn, /[^_]/)
	from = at ? index(substr(fn, at), "_") : 0
	at += from - 1
	return from && at < length(fn) ? at : 0
}

function shorten(    k, at, fn, prefix) {
	# picked_name[] -> words[1..nwords]. A prefix is good when two functions or more have it, all of them picked. Prefixes are
	# looked at from the shortest on, and a name outside that shares none shares no longer one either.
	for (k = 1; k <= count; k++) {
		mine[picked_name[k]] = 1
		for (at = 0; (at = prefix_end(picked_name[k], at)); )
			sharing[substr(picked_name[k], 1, at)]++
	}
	for (k = 1; k <= nother; k++) {
		fn = other[k]
		if (!(fn in mine))
			for (at = 0; (at = prefix_end(fn, at)) && (prefix = substr(fn, 1, at)) in sharing; )
				foreign[prefix] = 1
	}
	for (k = 1; k <= count; k++) {
		fn = picked_name[k]
		for (at = 0; (at = prefix_end(fn, at)); )
			if (!((prefix = substr(fn, 1, at)) in foreign) && sharing[prefix] > 1) {
				fn = prefix "*"
				break
			}
		if (!(fn in written)) {
			written[fn] = 1
			words[++nwords] = fn
		}
	}
}

function listed(k) {
	return picked_name[k] (picked_mod[k] == "" ? "" : " [" picked_mod[k] "]")
}

END {
	if (holding)
		release_by_kallsyms(FNR)
	for (p = 1; p <= np; p++)
		if (!hits[p] && !minus[p] && explain(p))
			bad = 1
	print "n " count + 0
	if (holding)
		print "k"
	if (want == "listing" && count && !bad) {
		# What this command prints itself goes into the header.
		fflush()
		# What is left is read after a failure as well: gawk would complain of its broken pipe.
		command = "cat " (ENVIRON["FT_LISTING"] == "" ? ">&3" : ">\"$FT_LISTING\"") " || { echo \"! $?\"; cat >/dev/null; }"
		command = "{ " command "; } 2>/dev/null"
		for (k = 1; k <= count; k++)
			print listed(k) | command
		close(command)
	}
	print "--"
	if (want == "filter" || want == "index")
		grouped("i", picked, count, 2000)
	if (want == "filter")
		grouped("f", picked_name, count, 200)
	else if (want == "globs") {
		shorten()
		grouped("f", words, nwords, 200)
	} else if (want == "names")
		for (k = 1; k <= count; k++)
			print listed(k)
}
