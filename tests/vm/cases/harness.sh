# shellcheck shell=sh
# harness.sh - the harness itself: what the other cases take for granted
# SPDX-License-Identifier: GPL-2.0-only

case_assertions() { # every assertion that should hold does
	# once
	is 'text' "$(printf 'a  b\n')" 'a  b'
	isnt 'text' a b
	matches 'ERE on a later line' 'one
two 22' '^two [0-9]+$'
	nomatch 'ERE' 'one' '^ne'
	ok 'command' test -d "$T"
	num_eq 'number' 1.50 1.5
	num_eq 'beyond 32 bits' 4294967297 4294967297
	num_between 'number' 7 7 7.5
}

case_undo_order() { # at_end runs the last one registered first
	# once
	at_end "rmdir /tmp/outer"
	mkdir /tmp/outer
	at_end "rmdir /tmp/outer/inner"
	mkdir /tmp/outer/inner
	ok 'both are there' test -d /tmp/outer/inner
}

case_xfs() { # xfs is mounted on a loop device and gets work
	# once
	xfs_mount
	w_xfs &
	at_end "kill $!"
	ok 'files appear' wait_for 20 test -e "$XFS/w5"
	ok 'its functions are traceable' grep -q '\[xfs\]$' "$TRACEFS/available_filter_functions"
}

# make_tool NAME TEXT - a tool for ft, run and ft_bg to find: a script of one text
make_tool() {
	FTDIR=$T/toolkit
	mkdir -p "$FTDIR/bin"
	printf '%s\n' "$2" >"$FTDIR/bin/$1"
}

# shellcheck disable=SC2016 # the tools expand these, not we
case_run() { # run keeps stdout, stderr and the exit status apart
	make_tool says 'echo "$1"; echo "$2" >&2; exit 3'
	run says 'a  b' c
	rc_is 3
	out_has '^a  b$'
	err_has '^c$'
	run says 'd' 'e'
	is 'stdout of the last one alone' "$(cat out)" d
}

# shellcheck disable=SC2016
case_pass() { # a tool runs under the shell, awk and PATH of this pass
	make_tool tells 'echo "$PATH,${FIELDTRACE_AWK-unset}"; ls -l "/proc/$$/exe"'
	run tells
	is 'PATH and awk' "$(head -n 1 out)" "$CASE_PATH,${CASE_AWK:-unset}"
	case $CASE_SHELL in
	/bb/*) out_has '/bb/busybox$' ;;
	*) out_has "/${CASE_SHELL##*/}\$" ;;
	esac
	ok 'nothing but applets on the PATH' sh -c 'PATH=$0; ! command -v trace-cmd' "$CASE_PATH"
}

# shellcheck disable=SC2016
case_ft_bg() { # $bg_pid is the tool's own shell, and INT and QUIT reach it
	local signal
	make_tool waits 'trap "echo got $1; exit 5" "$1"; echo "up $$"; while :; do sleep 0.1; done'
	for signal in INT QUIT TERM; do
		ft_bg waits "$signal" >out
		ok 'starts' wait_for 20 grep -q "^up $bg_pid\$" out
		kill "-$signal" "$bg_pid"
		rc=0
		wait "$bg_pid" || rc=$?
		rc_is 5
		out_has "^got $signal\$"
	done
	ft_bg waits INT >out
	ok 'starts' wait_for 20 grep -q up out
	kill -INT "-$bg_pid"
	rc=0
	wait "$bg_pid" || rc=$?
	rc_is 5
}

# hits FUNCTION COMMAND... - how often the kernel calls FUNCTION while COMMAND runs, by the hit count of a probe, in $hits
hits() {
	local function
	function=$1
	shift
	echo "p:harness/hits $function" >"$TRACEFS/kprobe_events" || fail "no probe on $function"
	at_end "echo -:harness/hits >>$TRACEFS/kprobe_events"
	at_end "echo 0 >$TRACEFS/events/harness/hits/enable"
	echo 1 >"$TRACEFS/events/harness/hits/enable"
	"$@"
	echo 0 >"$TRACEFS/events/harness/hits/enable"
	hits=$(awk '{ print $2 }' "$TRACEFS/kprobe_profile")
}

case_w_reads() { # w_reads N reads N times
	# once
	# requires: kprobe_events
	hits read_zero w_reads 230
	num_eq 'reads of /dev/zero' "$hits" 230
}

case_w_writes() { # w_reads N writes N times
	# once
	# requires: kprobe_events
	hits write_null w_reads 230
	num_eq 'writes to /dev/null' "$hits" 230
}

case_w_forks() { # w_forks N forks N times
	# once
	# requires: kprobe_events
	hits kernel_clone w_forks 23
	num_eq 'forks' "$hits" 23
}

case_w_loop() { # w_loop N makes N requests to the loop device
	# once
	# requires: kprobe_events
	loop_ready
	hits loop_queue_rq w_loop 230
	num_eq 'requests' "$hits" 230
}
