# shellcheck shell=sh
# k_ends.sh - how every command ends: kill -9 and the next run, each signal, a second one during the report
# SPDX-License-Identifier: GPL-2.0-only
# concerns: funccount functrace funcgraph tpoint kprobe modtrace reset-ftrace fieldtrace
# requires: tracer:function_graph, kprobe_events, instances, module:loop, ends
#
# With K_LONG=1 (run.sh -a) the loops are over every pair.

. /tests/vm/guest/every.sh

case_next_run() { # K14: after kill -9 of all commands the next run, whatever it is, removes what they left, and no more
	# limit: 240
	# once
	ready
	foreign_probes
	foreign_instance
	keep_state
	for cleaner in $EVERY; do
		# shellcheck disable=SC2046 # words
		leave $(victims "$cleaner")
		every run "$cleaner" "$(short "$cleaner")"
		is "$cleaner: status" "$rc" 0
		unchanged "$cleaner"
		nobody "$cleaner"
	done
}

# victims CLEANER - who is killed before it runs: all, or by default all for the first and one for each of the others
victims() {
	if [ "${K_LONG:-}" ] || [ "$1" = funccount ]; then
		echo "$TRACING"
	elif [ "$1" = fieldtrace ]; then
		echo kprobe
	else
		echo tpoint
	fi
}

# short COMMAND - an option that makes it end by itself
short() {
	case $1 in
	reset-ftrace) echo -q ;;
	fieldtrace) echo -- ;;
	*) echo -d0.1 ;;
	esac
}

# leave COMMAND... - start them, and when all trace, kill their shells: what they started lives on, and all is left
leave() {
	local tool
	batch "$@"
	for tool; do kill -KILL "$(cat "$tool/pid")"; done
	for tool; do wait "$(cat "$tool/pid")" 2>/dev/null; done
	ok 'something was left' test "$(ls -d "$TRACEFS"/instances/ft.* 2>/dev/null)"
}

# nobody WHAT - is there no process of the toolkit?
nobody() {
	asserted
	wait_for 20 no_process || fail "$1: a process is left: $(grep -ls FIELDTRACE_RUN= /proc/[0-9]*/environ)"
}

no_process() {
	! grep -qs 'FIELDTRACE_RUN=' /proc/[0-9]*/environ
}

case_signals() { # K15: TERM, HUP, QUIT and INT to the tool's shell alone, with the pipe idle
	# limit: 240
	# each shell
	ready
	keep_state
	# By default each command gets one of them; that all get each is the long form.
	for round in 1 ${K_LONG:+2 3 4}; do
		# shellcheck disable=SC2086 # words
		batch $TRACING
		n=$round
		for tool in $TRACING; do
			signal=$(echo 'TERM:143 HUP:129 QUIT:131 INT:0' | cut -d ' ' -f $((n % 4 + 1)))
			n=$((n + 1))
			land "$tool" "${signal%:*}"
			is "$tool: status after $signal" "$rc" "${signal#*:}"
			case $tool in
			funccount) out_has '^FUNC  *COUNT$' ;;
			esac
			is "$tool: $signal: stderr" "$(grep -v -e '^Tracing' -e ': no event in 5 sec' err)" ''
		done
		unchanged "round $round"
		nobody "round $round"
	done
}

case_second_signal() { # K16: a second INT in the final report, which nobody reads, ends it at once
	# limit: 240
	# each shell
	ready
	keep_state
	mkfifo pipe
	exec 8<>pipe
	for tool in ${K_LONG:+funcgraph tpoint} kprobe modtrace; do
		mkdir -p "$tool"
		every ft_bg "$tool" -d 600 -b 4096 >pipe 2>"$tool/err" 8<&-
		printf '%s\n' "$bg_pid" >"$tool/pid"
		: >"$tool/out"
		launched "$tool"
		case $tool in
		modtrace) work 1500 ;;
		*) reads 1500 ;;
		esac
		kill -INT "$bg_pid"
		sleep 1
		ok "$tool: still printing" kill -0 "$bg_pid"
		land "$tool"
		is "$tool: status" "$rc" 0
		is "$tool: stderr" "$(grep -v -e '^Tracing' -e ': no event in 5 sec' err)" ''
		dd bs=65536 count=1 status=none <pipe >/dev/null
	done
	# The table of funccount is short; here it is the third that finds the pipe full.
	exec 8<&-
	unchanged 'all commands'
}
