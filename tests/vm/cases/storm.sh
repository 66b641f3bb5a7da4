# shellcheck shell=sh
# storm.sh - many commands at once: twenty that end well, and a storm of runs that are killed
# SPDX-License-Identifier: GPL-2.0-only
# concerns: funccount functrace funcgraph tpoint kprobe modtrace reset-ftrace fieldtrace
# requires: tracer:function_graph, kprobe_events, instances, module:loop, ends, sh:test -n "$VM_ALL"
#
# run.sh -a 'STORM_RUNS=200 STORM_SEED=7' sets how many runs the storm has (24), and its sequence (by the clock); the seed
# is printed, so that a storm can be had again. run.sh -v shows the figures.

. /tests/vm/guest/every.sh

case_at_once() { # K12: twenty commands at once, of all kinds: all are right, or busy, with the owner's name
	# limit: 240
	# once
	ready
	foreign_probes
	foreign_instance
	keep_state
	all=
	for n in 1 2 3; do
		for tool in $TRACING; do
			as=$tool.$n
			all="$all $as"
			launch "$tool"
		done
	done
	for tool in reset-ftrace fieldtrace; do
		as=$tool.1
		launch "$tool"
	done
	as=
	# shellcheck disable=SC2086 # words
	launched $all reset-ftrace.1 fieldtrace.1
	theirs 2
	work 23
	right=0 busy=0
	for dir in $all; do
		land "$dir"
		if [ "$rc" = 5 ]; then
			is "$dir: only what needs the top level is refused" "${dir%.*}" funcgraph
			err_has '^funcgraph: .*(in use by funcgraph \(PID [0-9]+\)|function_graph is active in ft\.funcgraph)'
			busy=$((busy + 1))
			continue
		fi
		is "$dir: status" "$rc" 0
		num_eq "$dir: events" "$(seen "${dir%.*}")" 23
		right=$((right + 1))
	done
	for dir in reset-ftrace.1 fieldtrace.1; do
		land "$dir" ''
		is "$dir: status" "$rc" 0
		right=$((right + 1))
	done
	echo "twenty at once: $right right, $busy busy"
	num_between 'of three graphs one is right' "$busy" 0 2
	unchanged 'all commands'
}

case_storm() { # runs of random commands, each killed at a random moment, four at a time; one reset-ftrace, and all is as before
	# limit: 3600
	# once
	seed=${STORM_SEED:-$(awk 'BEGIN { srand(); print srand() % 100000 }')}
	runs=${STORM_RUNS:-24}
	echo "seed $seed, $runs runs"
	ready
	foreign_probes
	foreign_instance
	# All that they do during the storm is to be found there at its end.
	echo 2048 >"$TRACEFS/instances/theirs/buffer_size_kb"
	foreign_trace_cmd
	# A foreign tracer at the top level in the first half only: beside it a kernel that graphs there refuses.
	foreign_top
	theirs 1
	keep_state
	make_plan "$seed" "$runs" >plan
	storm 1 $((runs / 2))
	theirs_whole
	calm
	storm $((runs / 2 + 1)) "$runs"
	is 'what did not end within two minutes' "$(cat stuck 2>/dev/null)" ''
	ok 'each run was seen to end' test "$(cat ended.* | wc -l)" -eq "$runs"
	run reset-ftrace -q
	rc_is 0
	unchanged 'the storm'
	trace_cmd_whole
	echo "theirs: $theirs_made calls, all recorded by trace-cmd"
	ok 'no process lives' wait_for 20 no_process
	ok 'no lock stays' test ! -e /run/fieldtrace
	cat ended.* | awk '{ n[$1 " by " $2 " ended with " $3]++ } END { for (i in n) print n[i], i }' | sort -k 2
}

# calm - their tracer at the top level goes, so that the top level is free
calm() {
	# The reader first: while it has trace_pipe open, the tracer cannot be changed.
	kill "$theirs_reader"
	wait "$theirs_reader" 2>/dev/null
	echo nop >"$TRACEFS/current_tracer"
	echo >"$TRACEFS/set_ftrace_filter"
	echo >"$TRACEFS/set_ftrace_notrace"
	echo 0 >"$TRACEFS/events/sched/sched_process_hang/enable"
	echo >"$TRACEFS/set_event_pid"
	run reset-ftrace -q
	rc_is 0
	ok 'no process lives' wait_for 20 no_process
	keep_state
}

# make_plan SEED RUNS - a line a run: the command, tenths of a second until it is killed, the signal, and to whom
make_plan() {
	awk -v seed="$1" -v runs="$2" -v tools="$EVERY funcgraph functrace" 'BEGIN {
		srand(seed)
		nt = split(tools, tool, " ")
		ns = split("KILL KILL KILL TERM TERM INT HUP QUIT PIPE", signal, " ")
		for (i = 1; i <= runs; i++) {
			# Half of them in the first second, when most is set up, the others any time up to three.
			tenths = int(rand() * (rand() < 0.5 ? 10 : 30))
			print tool[int(rand() * nt) + 1], tenths, signal[int(rand() * ns) + 1], rand() < 0.3 ? "group" : "shell"
		}
	}'
}

# busy - the work that is traced, and that of theirs, until the file "rest" is there; how much of theirs in theirs.made
busy() {
	while [ ! -e rest ]; do
		work 64
		theirs 1
		sleep 0.5
	done
	echo "$theirs_made" >theirs.made
}

# storm FIRST LAST - those lines of the plan, four at a time, beside the work; a line a run into ended.N
storm() {
	local lane lanes worker
	lanes=
	rm -f rest
	busy &
	worker=$!
	at_end "kill $worker"
	for lane in 0 1 2 3; do
		awk -v first="$1" -v last="$2" -v lane="$lane" 'NR >= first && NR <= last && NR % 4 == lane' plan >"lane.$lane"
		strike "$lane" &
		lanes="$lanes $!"
	done
	for lane in $lanes; do wait "$lane"; done
	true >rest
	wait "$worker"
	theirs_made=$(cat theirs.made)
}

# strike LANE - its runs, one after the other
strike() {
	local tool tenths signal whom dir target
	dir=lane.$1.d
	mkdir -p "$dir"
	while read -r tool tenths signal whom <&3; do
		every ft_bg "$tool" >"$dir/out" 2>"$dir/err" 3<&-
		# Before that INT and QUIT are ignored, as in all that a shell without job control starts (see ft_bg).
		wait_for 60 is_tool "$bg_pid"
		sleep "$((tenths / 10)).$((tenths % 10))"
		target=$bg_pid
		[ "$whom" = shell ] || target=-$bg_pid
		# It may not have its group yet.
		kill "-$signal" "$target" 2>/dev/null || kill "-$signal" "$bg_pid" 2>/dev/null
		if ! wait_for 120 over "$bg_pid"; then
			{
				echo "$tool after $signal to the $whom at $tenths/10 s: still there after two minutes"
				cat "$dir/err" "/proc/$bg_pid/stack" "/proc/$bg_pid/status"
				ps -o pid,ppid,stat,args
			} >>stuck 2>&1
			kill -KILL "-$bg_pid"
		fi
		rc=0
		wait "$bg_pid" 2>/dev/null || rc=$?
		echo "$tool $signal $rc" >>"ended.$1"
	done 3<"lane.$1"
}

# is_tool PID - is it the command's shell by now, or over?
is_tool() {
	over "$1" || [ "$(tr '\0' '\n' <"/proc/$1/cmdline" | head -n 1)" = "$CASE_SHELL" ]
} 2>/dev/null

no_process() {
	! grep -qs 'FIELDTRACE_RUN=' /proc/[0-9]*/environ
}
