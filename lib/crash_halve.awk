# crash_halve.awk - lines of tracemem decode --format text -> the half of -v set= (a file) whose last calls came last
# SPDX-License-Identifier: GPL-2.0-only
# The set has "NAME [MODULE]" a line, the trace NAME[MODULE]. A CPU that hung stopped recording long before the others, so
# each call is as late as it is before the end of its own CPU: of each CPU those of its last millisecond stay, and those
# of a CPU that was silent for a second when the trace ended come first.

$5 == "function" || $5 == "graph_entry" {
	# A module that came back elsewhere is the same module.
	sub(/\(old\)\]$/, "]", $6)
	last[$2, $6] = $1
	if (!(($2, $6) in met)) {
		met[$2, $6]
		where[++calls] = $2
		what[calls] = $6
	}
}

{
	if ($1 + 0 > stop[$2] + 0)
		stop[$2] = $1
	if ($1 + 0 > end + 0)
		end = $1
}

END {
	for (i = 1; i <= calls; i++) {
		cpu = where[i]
		back = stop[cpu] - last[cpu, what[i]]
		rank = back > 0.001 ? back : end - stop[cpu] >= 1 ? back - 1 : back
		if (!(what[i] in least) || rank < least[what[i]])
			least[what[i]] = rank
	}
	while ((getline line < set) > 0) {
		name = line
		gsub(/[ \t]/, "", name)
		all++
		if (name in least) {
			n++
			key[n] = least[name]
			text[n] = line
		}
	}
	for (i = 2; i <= n; i++) {
		k = key[i]
		t = text[i]
		for (j = i - 1; j >= 1 && key[j] > k; j--) {
			key[j + 1] = key[j]
			text[j + 1] = text[j]
		}
		key[j + 1] = k
		text[j + 1] = t
	}
	half = int(all / 2)
	if (half < 1)
		half = 1
	for (i = 1; i <= n && (i <= half || key[i] <= 0.001); i++)
		print text[i]
}
