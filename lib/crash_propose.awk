# crash_propose.awk - /proc/iomem -> a place for a region of -v size= bytes: an address in hex, nothing when there is none
# SPDX-License-Identifier: GPL-2.0-only
# The largest stretch of System RAM below 4 GiB, well inside it: boot loaders put kernels at its beginning and initrds
# at its end. Aligned to 2 MiB, which keeps large pages whole.
# -v want=limit: instead "MIB ADDRESS", MiB of RAM less the region and where it begins then; RAM has to be in one piece.
# -v want=free -v at=BYTES: instead "free" when none of that region is System RAM.

function overlaps(from, to,    i) {
	for (i = 1; i <= used; i++)
		if (from <= end[i] && start[i] <= to)
			return 1
	return 0
}

{
	split($1, range, "-")
	from = hex_value(range[1])
	to = hex_value(range[2])
	if (to > 0)
		known = 1
}

/^[^ ].* : System RAM/ {
	inside = 1
	if (!ranges++)
		bottom = from
	else if (from != top + 1)
		holes = 1
	top = to
	if (at <= to && from <= at + size - 1)
		taken = 1
	if (from < 4294967296 && to - from > best) {
		best = to - from
		low = from
		high = to < 4294967295 ? to : 4294967295
	}
	next
}

/^[^ ]/ {
	inside = 0
	next
}

inside {
	start[++used] = from
	end[used] = to
}

END {
	if (!known || !best)
		exit 1
	if (want == "free") {
		if (!taken)
			print "free"
		exit
	}
	if (want == "limit") {
		mib = int((top + 1 - bottom - size) / 1048576)
		if (holes || mib < 16)
			exit 1
		printf "%.0f 0x%s\n", mib, hex_wide(bottom + mib * 1048576, 8)
		exit
	}
	n = split("10 8 12 6 14 4", part, " ")
	for (i = 1; i <= n; i++) {
		at = low + (high - low) * part[i] / 16
		at -= at % 2097152
		if (at > low && at + size - 1 <= high && !overlaps(at, at + size - 1)) {
			print "0x" hex_wide(at, 8)
			exit
		}
	}
	exit 1
}
