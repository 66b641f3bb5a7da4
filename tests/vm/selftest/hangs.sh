# shellcheck shell=sh
# hangs.sh - for selftest.sh: a guest that says nothing any more
# SPDX-License-Identifier: GPL-2.0-only

case_before() { # passes
	is 'one' 1 1
}

case_hangs() { # the runner itself stops
	# limit: 5
	is 'one' 1 1
	kill -STOP "$PPID" "$(awk '{ print $4 }' "/proc/$PPID/stat")"
	sleep 1000
}
