# shellcheck shell=sh
# lib.sh - what the sessions are written with: words, and commands with what they print
# SPDX-License-Identifier: GPL-2.0-only

# shellcheck source=../vm/guest/quoted.sh
. /tests/vm/guest/quoted.sh

# title TEXT - the first line
title() {
	printf '%s\n\n' "$1"
}

# say TEXT - a paragraph
say() {
	printf '%s\n' "$1" | fold -s -w 78 | sed 's/ *$//'
	echo
}

# printed - the session's file "print": at most $lines lines (20), then a mark that there is more
printed() {
	head -n "${lines:-20}" print | expand
	if [ "$(wc -l <print)" -gt "${lines:-20}" ]; then echo '[...]'; fi
	echo
}

# show COMMAND... - run it to its end; a status other than 0 (or $status) ends the session
show() {
	local rc
	rc=0
	echo "# $(quoted "$@")"
	"$@" >print 2>&1 || rc=$?
	printed
	[ "$rc" = "${status:-0}" ] || fail "status $rc: $*"
}

# live SECONDS COMMAND... - run it for so long after it traces, then Ctrl-C
live() {
	local secs pid rc
	secs=$1
	shift
	rc=0
	echo "# $(quoted "$@")"
	# In the background INT is ignored, and stays so.
	setsid /usr/bin/env --default-signal=INT,QUIT "$@" >print 2>&1 &
	pid=$!
	wait_for 60 grep -q '^Tracing' print || fail "does not trace: $*"
	sleep "$secs"
	kill -INT "$pid"
	wait "$pid" || rc=$?
	echo '^C' >>print
	lines=$((${lines:-20} + 1)) printed
	[ "$rc" = 0 ] || fail "status $rc: $*"
}

# busy_xfs - an XFS on a loop device, on which files come and go by a shell whose PID is in $loader
busy_xfs() {
	xfs_mount
	(
		while :; do
			for i in 0 1 2 3 4 5 6 7; do
				echo "some text for file $i" >"$XFS/file$i"
				cat "$XFS/file$i" >/dev/null
			done
			sync
			rm -f "$XFS"/file?
			sleep 0.2
		done
	) &
	loader=$!
	at_end "kill $loader"
}
