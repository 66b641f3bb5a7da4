# globals.awk - reads what names.awk prints: each variable that is read and not set first, a line; awk -v allowed="NAMES"
# SPDX-License-Identifier: GPL-2.0-only
#
# A global has to be set outside of every function, in the file that reads it, in what that loads, or for each command
# that comes to that file in what the command has loaded by then: else it is whatever the environment says. The names in
# `allowed` are meant to come from there.

function head_loads(file, seen,    n, i, parts) {
	if (file in seen) return
	seen[file] = 1
	n = split(load[file], parts, " ")
	for (i = 1; i <= n; i++) head_loads("lib/" parts[i] ".sh", seen)
}

function reaches(file, seen,    n, i, parts) {
	if (file in seen) return
	seen[file] = 1
	n = split(load[file] " " reach[file], parts, " ")
	for (i = 1; i <= n; i++) reaches("lib/" parts[i] ".sh", seen)
}

function set_before(name, file,    bin, seen, some) {
	split("", seen)
	head_loads(file, seen)
	head_loads("lib/fieldtrace.sh", seen)
	for (some in seen) if ((name, some) in head) return 1
	if (file ~ /^bin/) return 0
	for (bin in bins) {
		split("", seen)
		reaches(bin, seen)
		reaches("lib/fieldtrace.sh", seen)
		if (!(file in seen)) continue
		split("", seen)
		head_loads(bin, seen)
		some = ""
		for (some in seen) if ((name, some) in head) break
		if (!((name, some) in head)) return 0
	}
	return 1
}

BEGIN { n = split(allowed, words, " "); for (i = 1; i <= n; i++) ok[words[i]] = 1 }
$3 ~ /^bin\// { bins[$3] = 1 }
$1 == "head" {
	if (!(($2, $3) in head)) heads[$2] = heads[$2] " " $3
	head[$2, $3] = 1
}
$1 == "load" { load[$3] = load[$3] " " $2 }
$1 == "reach" { reach[$3] = reach[$3] " " $2; if ($3 ~ /^lib/) if ($3 ~ /^lib/) late["lib/" $2 ".sh"] = 1 }
$1 == "early" { print $3 ":" $4 ": local " $2 " is read before it is set" }
$1 == "use" && !(($2, $3) in where) { where[$2, $3] = $4 }
$1 == "set" { setters[$2] = setters[$2] " " $3 }
END {
	for (key in where) {
		split(key, part, SUBSEP)
		if (part[1] in ok || part[1] ~ /^_?$/) continue
		if (!set_before(part[1], part[2])) print part[2] ":" where[key] ": " part[1] " is read, and set at no file's head"
	}
	for (name in heads) {
		n = split(heads[name], part, " ")
		libs = 0
		for (i = 1; i <= n; i++) {
			if (part[i] ~ /^lib/) libs++
			if (!(part[i] in late)) continue
			m = split(setters[name], users, " ")
			for (j = 1; j <= m; j++) {
				split("", seen)
				head_loads(users[j], seen)
				if (!(part[i] in seen)) print part[i] ": sets " name ", which " users[j] " may have set by then"
			}
		}
		if (libs > 1 && name != "FT_PROGRAMS") print "set at two heads: " name heads[name]
	}
}
