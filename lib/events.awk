# events.awk - event patterns and available_events -> the events that match
# SPDX-License-Identifier: GPL-2.0-only
# Input: one pattern a line, "--", then available_events (SYSTEM:EVENT a line).
# Output: matching events, sorted by the order of the patterns; then "? PATTERN" for each without one.
# Without patterns: every event. After a "? PATTERN" line "c EVENT..." may name events of nearly that name.

!listing && $0 == "--" {
	listing = 1
	next
}

!listing {
	np++
	pattern[np] = $0
	literal[np] = $0 !~ /[*?[]/
	re[np] = glob_to_re($0)
	next
}

np == 0 {
	print
	next
}

{
	event[++ne] = $0
	for (i = 1; i <= np; i++)
		if (literal[i] ? $0 == pattern[i] : $0 ~ re[i]) {
			hits[i]++
			if (!($0 in seen)) {
				seen[$0] = 1
				out[i] = out[i] $0 "\n"
			}
		}
}

function nearly(event, text,    d) {
	# Same name in another system, or a slip of the pen.
	if (substr(event, index(event, ":")) == substr(text, index(text, ":")))
		return 1
	d = length(event) - length(text)
	return d >= -2 && d <= 2 && distance(event, text) <= 2
}

function near(text,    k, found) {
	# Only once a pattern has failed: it takes seconds on a slow machine.
	for (k = 1; k <= ne; k++)
		if (nearly(event[k], text))
			found = found " " event[k]
	return found
}

END {
	for (i = 1; i <= np; i++)
		printf "%s", out[i]
	for (i = 1; i <= np; i++)
		if (!hits[i]) {
			print "? " pattern[i]
			if (literal[i] && (close_ones = near(pattern[i])) != "")
				print "c" close_ones
			# One is reported.
			exit
		}
}
