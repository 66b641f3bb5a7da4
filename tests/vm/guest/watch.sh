# shellcheck shell=sh
# watch.sh - for runner.sh: run something within a limit; the processes and kernel messages that a case leaves
# SPDX-License-Identifier: GPL-2.0-only
#
# Needs $work, a folder for its notes; $log, where to show what is wrong; a FIFO open as file 7.
# shellcheck disable=SC3045 # read -t: this is for BusyBox ash only

bad_log='WARNING:|BUG:|Oops|Call Trace|rcu.*stall'

# processes - "PID parent state (name)" of all but the kernel's threads, zombies, and the cat that reads this list
processes() {
	# cat, because awk stops at the first file that is gone when its turn comes.
	cat /proc/[0-9]*/stat >"$work/stat" 2>/dev/null
	awk -v runner="$$" '{
		name = $0; sub(/^[0-9]+ \(/, "", name); sub(/\)[^)]*$/, "", name)
		rest = $0; sub(/^.*\) /, "", rest); split(rest, f, " ")
		if ($1 == 2 || f[2] == 2 || f[1] == "Z" || f[1] == "X" || (f[2] == runner && name == "cat")) next
		print $1, f[2], f[1], "(" name ")"
	}' "$work/stat"
}

# new_processes - those that were not there before the case, into $work/new; false when there is none. Not for a pipe
# or $(...): the shells of these would be found.
new_processes() {
	processes >"$work/now"
	awk 'NR == FNR { old[$1] = 1; next } !($1 in old)' "$work/processes" "$work/now" >"$work/new"
	[ -s "$work/new" ]
}

# signal_new SIGNAL - to all new processes, but not to the shell that waits for the case and has to tell us its status
signal_new() {
	local pid rest
	new_processes
	while read -r pid rest; do
		[ "$pid" = "$waiter" ] || kill "-$1" "$pid" 2>/dev/null
	done <"$work/new"
}

# end_processes - true when the case left no process behind; one that is ending gets two seconds, then all are shown in
# the log and killed
end_processes() {
	local try
	for try in 0 1 2 3 4 5 6 7 8 9; do
		new_processes || return 0
		sleep 0.2
	done
	{
		echo "left behind after $try tries (PID, parent, state, name):"
		cat "$work/new"
	} >>"$log"
	signal_new TERM
	sleep 1
	signal_new KILL
	return 1
}

# limited SECONDS COMMAND... - run it with its output in the log; false, and all it started killed, if it takes longer.
# What is not done by then gets as long once more, times as often as this machine is slower: a busy host, or one with a single
# processor, is no fault. Its status is in $status.
limited() {
	local seconds slower given
	seconds=$1
	shift
	(
		"$@" >>"$log" 2>&1 </dev/null 7>&-
		echo $? >&7
	) &
	waiter=$!
	status=
	# The read ends as soon as the command has: no polling.
	read -r -t "$seconds" status <&7 && return
	slower=$(slowness)
	given=$((seconds * (1 + slower)))
	# The host waits as long.
	echo "# not done after $seconds seconds, and this machine is $slower times slower than usual: at most $((seconds * slower)) s"
	read -r -t $((seconds * slower)) status <&7 && return
	new_processes
	{
		echo "not done after $given seconds in all; processes (PID, parent, state, name):"
		cat "$work/new"
	} >>"$log"
	signal_new TERM
	read -r -t 5 status <&7 || signal_new KILL
	[ "$status" ] || read -r -t 5 status <&7
	return 1
}

# kernel_complaints N - what the kernel's log says since the mark of case N that no kernel should ever say
kernel_complaints() {
	dmesg | awk -v mark="ft-case $1 begins" -v bad="$bad_log" '
	{ line[++n] = $0 }
	index($0, mark) { n = 0; seen = 1 }
	END {
		for (i = 1; i <= n; i++) {
			# some context after each
			if (line[i] ~ bad) left = 12
			if (left-- > 0) print line[i]
		}
	}'
}
