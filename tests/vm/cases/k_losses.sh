# shellcheck shell=sh
# k_losses.sh - a buffer too small for the load: what each stream prints and what it says was lost make up the whole
# SPDX-License-Identifier: GPL-2.0-only
# concerns: functrace funcgraph tpoint kprobe
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
	num_between "$1: printed $printed and lost $(lost)" $((printed + $(lost))) $(($2 - ${slack:-0})) "$2"
	err_has "^$1: lost [0-9]+ events \((CPU [01]|not read in time): [0-9]+"
}

# events COMMAND N - how many events N calls are
events() {
	case $1 in
	funcgraph) echo $(($2 * 2)) ;;
	*) echo "$2" ;;
	esac
}

case_buffered() { # K63: -d with a buffer too small: the last events are printed, the others counted
	# limit: 180
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
	# limit: 180
	ready
	# shellcheck disable=SC2086 # words
	unread 8 $STREAMS modtrace
	work 4000
	for tool in $STREAMS modtrace; do
		reads_again cat "$tool"
		whole "$tool" "$(events "$tool" 4000)"
	done
}

case_cut() { # K63: Ctrl-C with more in the buffer than can be printed in the second that is left: the rest is counted
	# limit: 240
	# once
	ready
	# shellcheck disable=SC2086 # words
	unread 8192 $STREAMS
	reads 20000
	for tool in $STREAMS; do
		reads_again slowly "$tool"
		# A call whose line did not fit is the graph tracer's to print first next time; no longer is it in the buffer.
		[ "$tool" != funcgraph ] || slack=1
		whole "$tool" "$(events "$tool" 20000)"
		slack=0
		err_has 'not read in time: [0-9]+'
	done
}

case_unread() { # K63: Ctrl-C while nobody reads stdout: it ends all the same, and says what is not printed
	# limit: 180
	# once
	ready
	# shellcheck disable=SC2086 # words
	unread 64 $STREAMS
	# What the buffer holds is less than the pipe: only when that is full does something stay in the buffer.
	for burst in 1 2 3 4; do
		reads 4000
		sleep 0.5
	done
	for tool in $STREAMS; do
		: >"$tool/out"
		land "$tool"
		is "$tool: status" "$rc" 0
		err_has '^[a-z]*: nobody read stdout: '
		err_has '^[a-z]*: lost [0-9]+ events .*not read in time: [0-9]+'
		kill "$(cat "$tool/holder")"
	done
}

# unread KB COMMAND... - start each with such a buffer and a stdout that nobody reads yet
unread() {
	local kb
	kb=$1
	shift
	for tool; do
		mkdir -p "$tool"
		mkfifo "$tool/pipe"
		# Held open for reading, so that nothing blocks at the start.
		sleep 600 <>"$tool/pipe" >/dev/null &
		echo $! >"$tool/holder"
		every ft_bg "$tool" -b "$kb" >"$tool/pipe" 2>"$tool/err"
		echo "$bg_pid" >"$tool/pid"
	done
	launched "$@"
}

# reads_again READER COMMAND - have READER read what it prints, from now on, and end it; its files as the case's out and err
reads_again() {
	local reader
	: >"$2/out"
	"$1" <"$2/pipe" >"$2/out" &
	reader=$!
	# The holder is needed until then: a pipe without a reader ends who writes to it.
	ok "$2: stdout is read" wait_for 60 test -s "$2/out"
	kill "$(cat "$2/holder")"
	kill -INT "$(cat "$2/pid")"
	wait "$reader"
	land "$2" ''
}

# slowly - cat, at some 200 KB a second
slowly() {
	while
		dd bs=4096 count=1 status=none >part
		[ -s part ]
	do
		cat part
		sleep 0.02
	done
}
