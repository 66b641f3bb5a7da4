# shellcheck shell=sh
# slowness.sh - for runner.sh and lib.sh: how much longer than usual things take on this machine just now
# SPDX-License-Identifier: GPL-2.0-only

# Seconds that the loop below takes where a guest has a processor to itself.
usual_loop=0.2

# slowness - how many times slower than the machine that the limits are for this one is just now, 1 to 9
slowness() {
	local start end rest i
	i=0
	read -r start rest </proc/uptime
	while [ "$i" -lt 10000 ]; do i=$((i + 1)); done
	read -r end rest </proc/uptime
	awk -v start="$start" -v end="$end" -v usual="$usual_loop" \
		'BEGIN { n = int((end - start) / usual + 0.5); print (n < 1 ? 1 : n > 9 ? 9 : n) }'
}
