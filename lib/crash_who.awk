# crash_who.awk - lines of tracemem decode --who -> the table "Who ran last"
# SPDX-License-Identifier: GPL-2.0-only
# Input: "who-function WINDOW COUNT NAME" and "who-module ...", the most frequent first; WINDOW is 1ms or 100records.

$1 == "who-function" || $1 == "who-module" {
	if (!($2 in column)) {
		column[$2] = ++columns
		title = $2
		sub(/ms$/, " ms", title)
		sub(/records$/, " records", title)
		width_for(columns, "last " title)
		head[columns] = "last " title
	}
	c = column[$2]
	cell = look($4) " " $3
	rows[$1, c]++
	text[$1, c, rows[$1, c]] = cell
	if (rows[$1, c] > most[$1])
		most[$1] = rows[$1, c]
	width_for(c, cell)
}

function width_for(c, cell) {
	if (length(cell) > width[c])
		width[c] = length(cell)
}

function table(kind, label,    i, c, out) {
	for (i = 1; i <= most[kind]; i++) {
		out = sprintf("%-12s", i == 1 ? label : "")
		for (c = 1; c <= columns; c++)
			out = out sprintf("  %-" width[c] "s", text[kind, c, i])
		sub(/ +$/, "", out)
		print out
	}
}

END {
	if (!columns)
		exit
	out = sprintf("%-12s", "Who ran last")
	for (c = 1; c <= columns; c++)
		out = out sprintf("  %-" width[c] "s", head[c])
	sub(/ +$/, "", out)
	print "\n" out
	table("who-function", "functions")
	table("who-module", "modules")
}
