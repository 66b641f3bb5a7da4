# crash_halve.awk - lines of tracemem decode --format text -> the half of -v set= (a file) whose last calls came last
# SPDX-License-Identifier: GPL-2.0-only
# The set has "NAME [MODULE]" a line, the trace NAME[MODULE]. At least those of the last millisecond stay.

$5 == "function" || $5 == "graph_entry" {
	last[$6] = $1
	if ($1 + 0 > end + 0)
		end = $1
}

END {
	while ((getline line < set) > 0) {
		name = line
		gsub(/[ \t]/, "", name)
		all++
		if (name in last) {
			n++
			key[n] = last[name]
			text[n] = line
		}
	}
	for (i = 2; i <= n; i++) {
		k = key[i]
		t = text[i]
		for (j = i - 1; j >= 1 && key[j] + 0 < k + 0; j--) {
			key[j + 1] = key[j]
			text[j + 1] = text[j]
		}
		key[j + 1] = k
		text[j + 1] = t
	}
	half = int(all / 2)
	if (half < 1)
		half = 1
	for (i = 1; i <= n && (i <= half || end - key[i] <= 0.001); i++)
		print text[i]
}
