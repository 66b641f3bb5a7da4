# filter_example.awk - an event's format file -> a filter that uses its first fields
# SPDX-License-Identifier: GPL-2.0-only
# -v event=SYSTEM:EVENT. A string field gets a glob, a number a comparison.

/field:/ && !/ common_/ {
	text = $0
	sub(/^[ \t]*field:/, "", text)
	sub(/;.*$/, "", text)
	string = (text ~ /char/ && text ~ /\[/)
	sub(/^__(data|rel)_loc [a-z ]*\[\]/, "", text) # "__data_loc char[] name"
	if (text ~ /\[/ && !string)
		next
	sub(/\[.*$/, "", text)
	n = split(text, word, " ")
	field = word[n]
	sub(/^[*]*/, "", field)
	if (++used > 2)
		next
	expr = expr (expr == "" ? "" : " && ") field (string ? " ~ \"*name*\"" : " > 0")
}

END {
	if (expr != "")
		printf "\nfilter example: tpoint %s '%s'\n", event, expr
}
