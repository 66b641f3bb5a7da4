# plan.awk - which case runs in which guest: "KEY PASS FILE:CASE" lines, or (-v table=1) a table with a line a case
# SPDX-License-Identifier: GPL-2.0-only
#
# First file: the guests, "KEY PASS KIND"; KIND is whole (takes every case), first (the oldest kernel: shares those marked
# "once"), old (so do the old ones), part (a kernel in between: shares all) or share (an extra shell: shares those that are
# not marked). Second file: what cases.awk prints, with OFS a tab.
# -v mode=plan: the rule that README.md, "Which case runs where", has in words; each: every case in every guest, those
# marked "once" in the default pass alone; all: the full cross product.
BEGIN { FS = "\t" }
NR == FNR {
	split($0, word, " ")
	key[++guests] = word[1]; pass[guests] = word[2]; kind[guests] = word[3]
	turn[guests] = count[word[3]]++
	# Who is dealt the slow cases: the old kernels among themselves, in which they are fast, and the others.
	deck[guests] = word[3] == "old"
	slow_turn[guests] = slow[deck[guests]] + 0
	if (word[3] ~ /^(old|first|part)$/) slow[deck[guests]]++
	next
}
{
	file = $1
	sub(/^.*\//, "", file); sub(/\.sh$/, "", file)
	if (file != last) { last = file; topics++; parts = shares = 0 }
	name[++cases] = file ":" $2
	topic[cases] = topics
	passes[cases] = $4
	# Its number among the cases of its topic that are dealt out.
	ends[cases] = $6 ~ /(^|,) ?ends(,|$)/
	part[cases] = ends[cases] ? -1 : parts++
	if (passes[cases] == "once") dear[cases] = dears++
	share[cases] = $4 == "-" ? shares++ : -1
	dealt[topics] = shares
}
# part_has G C - the older kernels take the slow cases in turn, those in between the others; topics begin at another each
function part_has(g, c) {
	if (passes[c] == "once" && !ends[c]) return dear[c] % slow[deck[g]] == slow_turn[g]
	if (kind[g] ~ /^(first|old)$/) return 1
	return !ends[c] && (part[c] + topic[c]) % count["part"] == turn[g]
}
# share_has G C - so do the shells; where a topic has fewer cases than there are shells, the cases go round once more
function share_has(g, c,   n) {
	if (share[c] < 0) return passes[c] == "each"
	n = dealt[topic[c]]
	if (n < count["share"]) return turn[g] % n == share[c]
	return (share[c] + topic[c]) % count["share"] == turn[g]
}
function has(g, c) {
	if (kind[g] == "whole" || mode == "all") return 1
	if (mode == "each") return kind[g] != "share" || passes[c] != "once"
	return kind[g] == "share" ? share_has(g, c) : part_has(g, c)
}
END {
	if (table) {
		line = "# case"
		for (g = 1; g <= guests; g++) line = line "\t" (kind[g] == "share" ? pass[g] : key[g])
		print line
	}
	for (c = 1; c <= cases; c++) {
		line = name[c]
		for (g = 1; g <= guests; g++) {
			if (table) line = line "\t" (has(g, c) ? "x" : "-")
			else if (has(g, c)) print key[g], pass[g], name[c]
		}
		if (table) print line
	}
}
