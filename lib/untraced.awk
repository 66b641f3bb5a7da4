# untraced.awk - which functions a filter's listing lacks
# SPDX-License-Identifier: GPL-2.0-only
# Input: "NAME [MODULE]" a function, "--", and the filter's file. Output: a blank before each name that is not in that.

!listed {
	if ($0 == "--")
		listed = 1
	else if (!($1 in missing)) {
		missing[$1] = 1
		name[++n] = $1
	}
	next
}

{
	delete missing[$1]
}

END {
	for (k = 1; k <= n; k++)
		if (name[k] in missing)
			printf " %s", name[k]
}
