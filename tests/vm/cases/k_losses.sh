# shellcheck shell=sh
# k_losses.sh - a buffer too small for the load: what each stream prints and what it says was lost make up the whole
# SPDX-License-Identifier: GPL-2.0-only
# requires: tracer:function_graph, kprobe_events, instances, module:loop

. /tests/vm/guest/every.sh

# whole COMMAND EVENTS - are the events printed and those reported lost that many? A graph has two events a call: a line
# of both, or two lines.
whole() {
	local printed
	printed=$(seen "$1")
	case $1 in
	funcgraph) printed=$(($(grep -c 'read_zero();' out) * 2 + $(grep -c -e 'read_zero() {' -e '|  }' out))) ;;
	esac
	is "$1: status" "$rc" 0
	ok "$1: some were lost" test "$(lost)" -gt 100
	num_eq "$1: printed $printed and lost $(lost)" $((printed + $(lost))) "$2"
	err_has "^$1: lost [0-9]+ events \(CPU [01]: [0-9]+"
}

# events COMMAND N - how many events N calls are
events() {
	case $1 in
	funcgraph) echo $(($2 * 2)) ;;
	*) echo "$2" ;;
	esac
}

case_buffered() { # K63: -d with a buffer too small: the last events are printed, the others counted
	# limit: 600
	# once
	ready
	for tool in $STREAMS modtrace; do launch "$tool" -d 600 -b 8; done
	# shellcheck disable=SC2086 # words
	launched $STREAMS modtrace
	work 2000
	for tool in $STREAMS modtrace; do
		land "$tool"
		whole "$tool" "$(events "$tool" 2000)"
	done
}

case_slow_reader() { # K63: live, with a reader of stdout that sleeps meanwhile
	# limit: 600
	# once
	ready
	for tool in $STREAMS modtrace; do
		mkdir -p "$tool"
		mkfifo "$tool/pipe"
		# Held open for reading, so that nothing blocks at the start.
		sleep 600 <>"$tool/pipe" >/dev/null &
		echo $! >"$tool/holder"
		every ft_bg "$tool" -b 8 >"$tool/pipe" 2>"$tool/err"
		echo "$bg_pid" >"$tool/pid"
	done
	# shellcheck disable=SC2086 # words
	launched $STREAMS modtrace
	work 4000
	for tool in $STREAMS modtrace; do
		cat <"$tool/pipe" >"$tool/out" &
		reader=$!
		kill "$(cat "$tool/holder")"
		kill -INT "$(cat "$tool/pid")"
		wait "$reader"
		land "$tool" ''
		whole "$tool" "$(events "$tool" 4000)"
	done
}
