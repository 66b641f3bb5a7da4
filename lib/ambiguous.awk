# ambiguous.awk - which of these functions have a name that stands for more than one
# SPDX-License-Identifier: GPL-2.0-only
# Input: set_ftrace_filter, "NAME [MODULE]" a line; a line "--"; lines of /proc/kallsyms. Output: the names, each with a
# blank before it. A probe by such a name is refused (6.7 up), or sits on the first of them only. One in a module is asked
# for with the module, so it is enough that it is the only one there.
# -v handler=NAME: a "+" in front when there is such a symbol.

BEGIN {
	if (handler != "")
		wanted[handler] = 1
}

!listed {
	if ($0 == "--")
		listed = 1
	else if ($1 !~ /^#/) {
		wanted[$1] = 1
		if (++times[$1 " " $2] == 2)
			twice[$1] = 1
		in_module[$1] = $2
	}
	next
}

($3 in wanted) && $2 ~ /^[tTwW]$/ {
	if ($3 == handler)
		found = 1
	else if ((in_module[$3] == "" || in_module[$3] == $4) && $4 != "[bpf]" && $4 !~ /^.__builtin__/ && ++copies[$3] == 2)
		twice[$3] = 1
}

END {
	if (found)
		printf "+"
	for (name in twice)
		printf " %s", name
}
