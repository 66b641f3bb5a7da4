# filter_example.awk - an event's format file -> a filter that uses its first fields
# SPDX-License-Identifier: GPL-2.0-only
# -v event=SYSTEM:EVENT. A string field gets a glob, a number a comparison. Left out is what the kernel takes neither
# for: arrays, structures, pointers (some of them are strings, which it does not tell), and the number of a system call.

/field:/ && !/ common_/ && !/ __syscall_nr;/ {
	text = $0
	sub(/^[ \t]*field:/, "", text)
	sub(/;.*$/, "", text)
	string = (text ~ /char/ && text ~ /\[/)
	if (!string && text ~ /\[|[*]|struct |union |__data_loc|__rel_loc/)
		next
	sub(/\[.*\]$/, "", text)
	sub(/\[\]/, "", text)
	n = split(text, word, " ")
	if (++used > 2)
		next
	expr = expr (expr == "" ? "" : " && ") word[n] (string ? " ~ \"*name*\"" : " > 0")
}

END {
	if (expr != "")
		printf "\nfilter example: tpoint %s '%s'\n", event, expr
}
