# verdict.awk - "ROW" lines of a measure -> rows of bench.tsv
# SPDX-License-Identifier: GPL-2.0-only
# In: ROW, what, against, ratio, <= or >=, reach. Out: measure, kernel, what, against, ratio, reach, met, command.

$1 == "ROW" {
	met = "-"
	if ($4 == "-")
		met = "skipped"
	else if ($6 != "-")
		met = ($5 == "<=" ? $4 + 0 <= $6 + 0 : $4 + 0 >= $6 + 0) ? "met" : "MISSED"
	print measure, kernel, $2, $3, $4, $6 == "-" ? "-" : $5 " " $6, met, "tests/bench/run.sh " measure
}
