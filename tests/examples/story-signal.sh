# shellcheck shell=sh
# story-signal.sh - a process is killed, and nobody did it
# SPDX-License-Identifier: GPL-2.0-only

title 'Who sends this signal?'
# A service that is ended now and then, by something that runs from a script.
service() {
	while :; do
		/usr/bin/env sh -c 'exec sleep 1000' &
		echo "$!" >victim
		wait "$!" 2>/dev/null || true
	done
}
service &
at_end "kill $!"
cat >housekeeping <<-'END'
	while :; do
		sleep 0.7
		kill -TERM "$(cat victim)"
	done
END
ash housekeeping &
at_end "kill $!"
say 'A service ends with "Terminated" every now and then. Its log says nothing, since it was never asked. The kernel knows who sends: signal:signal_generate fires in the sender. What can be asked for?'
lines=14 show tpoint -v signal:signal_generate
say 'Signal 15, whoever gets it. The process at the beginning of the line is the one that sends; comm and pid behind are the victim.'
lines=4 show tpoint -d 3 signal:signal_generate 'sig == 15'
say 'A shell. Which of them? Its PID is in the line, and /proc tells what it runs:'
sender=$(awk '/signal_generate/ && match($0, /-[0-9]+ /) { print substr($0, RSTART + 1, RLENGTH - 2); exit }' print)
printf '%s\n' "# tr '\\0' ' ' </proc/$sender/cmdline"
tr '\0' ' ' <"/proc/$sender/cmdline"
printf '\n\n'
say 'And was it a kill, or the kernel itself (a hangup, an out-of-memory kill)? The stack says by which way:'
lines=12 show tpoint -s -d 2 signal:signal_generate 'sig == 15'
say 'Through the system call kill, so somebody meant it: the script "housekeeping".'
