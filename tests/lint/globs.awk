# globs.awk - shell files -> lines that split an unquoted word while file names may be expanded
# SPDX-License-Identifier: GPL-2.0-only
# In a function, "set -f" must stand before such a line and no "set +f" between, or "no glob: WHY" in its comment or the comment
# above. $FT_... are our own constants. Two kinds: "for NAME in $LIST", and what shellcheck was told to accept (SC2086).

FNR == 1 || /^}/ {
	safe = marked = splits = 0
}

/^[[:space:]]*set -f/ {
	safe = 1
}

/^[[:space:]]*set [+]f/ {
	safe = 0
}

/no glob: / {
	marked = 1
}

/^[[:space:]]*#/ {
	if (/SC2086/)
		splits = 1
	next
}

{
	line = $0
	if (match(line, /(^|[;&|({[:space:]])for [a-z_]+ in [^;]*;/)) {
		line = substr(line, RSTART, RLENGTH)
		gsub(/"[^"]*"/, "", line)
		gsub(/[$][{]FT_|[$]FT_|[$][{][A-Z_]+:[+]/, "", line)
		if (line ~ /[$]/)
			splits = 1
	}
	if (splits && !safe && !marked)
		print FILENAME ":" FNR ":" $0
	splits = marked = 0
}
