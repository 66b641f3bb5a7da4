#!/bin/sh
# cases.sh [-q] - check cases.tsv, the table of cases by command, and print it (-q: the counts only)
# SPDX-License-Identifier: GPL-2.0-only
#
# Fails when a cell has neither a test nor a reason, when a test that it names does not exist, or when a command of bin/
# that traces is not in it. Marks: T shown on real kernels, u by unit tests alone, - cannot be reached (the reason is in
# the table).
set -u

tests=$(cd "$(dirname "$0")" && pwd) || exit
commands='funccount functrace funcgraph tpoint kprobe modtrace reset-ftrace fieldtrace'
rows=$(
	awk 'BEGIN { for (i = 1; i <= 71; i++) printf "K%d ", i }'
	echo output readonly path unmounted removed module cpu memory lockdown group storm twenty
	echo traps globfile untaken unloaded regex alias variant close perftools onewrite unlisted
)

# exists TEST - is there such a test?
exists() {
	local file
	case $1 in
	unit/*)
		file=$tests/${1%%:*}.sh
		[ -e "$file" ] && grep -q -e "${1#*:}" "$file"
		;;
	lockdown:*) [ -e "$tests/vm/lockdown.sh" ] && grep -q "${1#*:}" "$tests/vm/lockdown.sh" ;;
	*)
		file=$tests/vm/cases/${1%%:*}.sh
		[ -e "$file" ] && grep -q "^${1#*:}() {" "$file"
		;;
	esac
}

# tests_named - each test of the table once
tests_named() {
	awk -F '\t' '!/^#/ && NF > 2 && $3 != "-" { n = split($3, t, " "); for (i = 1; i <= n; i++) if (!seen[t[i]]++) print t[i] }' \
		"$tests/cases.tsv"
}

bad=0
for name in $(tests_named); do
	if ! exists "$name"; then
		echo "cases.tsv: no such test: $name"
		bad=1
	fi
done
awk -F '\t' -v rows="$rows" -v commands="$commands" -v quiet="${1:-}" '
BEGIN {
	nr = split(rows, row, /[ \n]+/)
	nc = split(commands, command, " ")
	for (i = 1; i <= nr; i++) known[row[i]] = 1
	for (c = 1; c <= nc; c++) known_command[command[c]] = 1
}
/^#/ || NF == 0 { next }
{
	if (!($1 in known)) complain("no such row: " $1)
	if ($3 == "-" && $4 == "") complain($1 " " $2 ": no test and no reason")
	who = $2
	sub(/^all$/, commands, who)
	gsub(/tracing/, "funccount functrace funcgraph tpoint kprobe modtrace", who)
	n = split(who, name, " ")
	for (c = 1; c <= n; c++) {
		if (!(name[c] in known_command)) complain($1 ": no such command: " name[c])
		if ($3 == "-") mark = "-"
		else mark = real($3) ? "T" : "u"
		# The best of its lines.
		old = cell[$1, name[c]]
		if (old == "" || old == "-" || old == "u" && mark == "T") cell[$1, name[c]] = mark
	}
}
function complain(text) { print "cases.tsv: " text; bad = 1 }
function real(list,    t, i, k) {
	k = split(list, t, " ")
	for (i = 1; i <= k; i++) if (t[i] !~ /^unit\//) return 1
	return 0
}
END {
	if (quiet != "-q") {
		printf "%-10s", "row"
		for (c = 1; c <= nc; c++) printf " %-12s", command[c]
		print ""
	}
	for (i = 1; i <= nr; i++) {
		if (row[i] == "") continue
		line = sprintf("%-10s", row[i])
		for (c = 1; c <= nc; c++) {
			mark = cell[row[i], command[c]]
			if (mark == "") complain(row[i] " " command[c] ": nothing")
			count[mark]++
			by[command[c], mark]++
			line = line sprintf(" %-12s", mark)
		}
		if (quiet != "-q") print line
	}
	line = sprintf("%-10s", "T / u / -")
	for (c = 1; c <= nc; c++)
		line = line sprintf(" %-12s", by[command[c], "T"] + 0 "/" by[command[c], "u"] + 0 "/" by[command[c], "-"] + 0)
	print line
	printf "%d cells: %d shown on real kernels, %d by unit tests, %d cannot be reached\n", count["T"] + count["u"] + count["-"], count["T"], count["u"], count["-"]
	exit bad
}' "$tests/cases.tsv" || bad=1
exit "$bad"
