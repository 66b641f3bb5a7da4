# resolve.awk - patterns and the kernel's function list -> index numbers and names
# SPDX-License-Identifier: GPL-2.0-only
#
# Input 1 (stdin): lines "SIGN KIND MODULE TEXT" of ft_pattern_lines, then a line "--".
# Input 2, only with -v syms=1: /proc/kallsyms, for kernels whose list names no modules.
# Input 3: available_filter_functions; the line number is the index the kernel takes.
# Output: "n COUNT", "? PATTERN" (matched nothing), "~ PATTERN VARIANT..." (only compiler variants
# matched), "= PATTERN VARIANT" (one variant, taken), "c NAME..." (close names), then what
# -v want= asks for: "index" one line "i 1 2 3", "names" lines "f NAME [MODULE]".

BEGIN {
	stage = "patterns"
}

stage == "patterns" {
	if ($0 == "--") {
		stage = syms ? "syms" : "list"
		next
	}
	sign = $1
	kind = $2
	mod = $3
	text = $0
	sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", text)
	if (sign == "-") {
		minus++
		minus_re[minus] = kind == "regex" ? text : glob_to_re(text)
		minus_mod[minus] = mod
		next
	}
	np++
	label[np] = mod == "-" ? text : text ":mod:" mod
	mods[np] = mod
	if (kind == "regex")
		re[np] = text
	else if (text ~ /[*?[]/)
		re[np] = glob_to_re(text)
	else {
		plain[text] = plain[text] " " np
		name[np] = text
		near2[substr(text, 1, 2)] = 1
		next
	}
	nre++
	re_of[nre] = np
	next
}

stage == "syms" && FNR == 1 && seen_syms++ {
	stage = "list"
}

# kallsyms: "address type name [module]"; only text, and only brackets that are modules.
stage == "syms" {
	if ($4 != "" && $3 !~ /^[$.]/ && $2 ~ /^[tTwW]$/ && $4 !~ /^.(__builtin__|bpf).*/) {
		gsub(/[][]/, "", $4)
		sym_mod[$3] = $4
	}
	next
}

function excluded(fn, mod,    k) {
	for (k = 1; k <= minus; k++)
		if ((minus_mod[k] == "-" || minus_mod[k] == mod) && fn ~ minus_re[k])
			return 1
	return 0
}

function take(p, fn, mod) {
	if (mods[p] != "-" && mods[p] != mod)
		return 0
	hits[p]++
	return !excluded(fn, mod)
}

{
	fn = $1
	if (fn ~ /^__ftrace_invalid_address___/)
		next
	mod = ""
	if ($2 != "") {
		mod = $2
		gsub(/[][]/, "", mod)
	} else if (syms && fn in sym_mod)
		mod = sym_mod[fn]
	chosen = 0
	if (fn in plain) {
		n = split(plain[fn], who, " ")
		for (k = 1; k <= n; k++)
			if (take(who[k] + 0, fn, mod))
				chosen = 1
	}
	for (k = 1; k <= nre; k++)
		if (fn ~ re[re_of[k]] && take(re_of[k], fn, mod))
			chosen = 1
	if (!chosen && index(fn, ".") && ((base = base_name(fn)) in plain)) {
		nvar[base]++
		variants[base] = variants[base] " " fn
		var_line[base] = FNR
		var_name[base] = fn
		var_mod[base] = mod
	}
	if (chosen)
		pick(FNR, fn, mod)
	if (near && substr(fn, 1, 2) in near2)
		all[++nall] = fn
}

function pick(line, fn, mod) {
	count++
	if (want == "index")
		list = list " " line
	else
		list = list "f " fn (mod == "" ? "" : " [" mod "]") "\n"
}

function close_names(text,    k, d, best, out, n, pass) {
	# The nearest names, then those that begin like the nearest: vfs_raed -> vfs_read, vfs_readv.
	best = ""
	for (pass = 1; pass <= 2 && best == ""; pass++)
		for (k = 1; k <= nall; k++) {
			d = length(all[k]) - length(text)
			if (d > 2 || d < -2 || substr(all[k], 1, 2) != substr(text, 1, 2))
				continue
			if (distance(text, all[k]) == pass && n < 3) {
				n++
				out = out " " all[k]
				if (best == "")
					best = all[k]
			}
		}
	for (k = 1; best != "" && k <= nall && n < 3; k++)
		if (index(all[k], best) == 1 && index(out " ", " " all[k] " ") == 0) {
			n++
			out = out " " all[k]
		}
	return out
}

END {
	for (p = 1; p <= np; p++) {
		if (hits[p])
			continue
		if (p in name && nvar[name[p]] == 1) {
			print "= " name[p] variants[name[p]]
			pick(var_line[name[p]], var_name[name[p]], var_mod[name[p]])
			continue
		}
		if (p in name && nvar[name[p]] > 1)
			print "~ " name[p] variants[name[p]]
		else {
			print "? " label[p]
			if (near && p in name && (out = close_names(name[p])) != "")
				print "c" out
		}
	}
	print "n " count + 0
	if (want == "index")
		print "i" list
	else if (want == "names")
		printf "%s", list
}
