# shellcheck shell=sh
# bad.sh - for selftest.sh: cases that must fail, each for its own reason, and some that must pass among them
# SPDX-License-Identifier: GPL-2.0-only

case_pass_first() { # PASS
	is 'one' 1 1
}

case_assertion() { # FAIL two is not three
	is 'two is not three' 2 3
	: >"$T/never"
}

case_assertion_in_a_pipe() { # FAIL in a pipe
	echo a | while read -r x; do is 'in a pipe' "$x" b; done
	is 'goes on' 1 1
}

case_each_assertion() { # PASS every assertion that should not hold fails
	local line
	while IFS= read -r line; do
		(eval "$line") >/dev/null && fail "held: $line"
	done <<-'EOT'
		is x a b
		isnt x a a
		matches x abc '^b'
		nomatch x abc '^a'
		ok x false
		num_eq x 1 2
		num_eq x '' 0
		num_eq x 4294967297 4294967296
		num_between x 6.9 7 8
		num_between x word 7 8
		rc=1; rc_is 0
		: >out; out_has a
		: >err; err_has a
	EOT
	rm -f "$R/fail"
	ok 'reached' true
}

case_nothing_asserted() { # FAIL no assertion was made
	:
}

case_status() { # FAIL ended with status 1
	is 'one' 1 1
	false
}

case_syntax() { # FAIL ended with status 2
	is 'one' 1 1
	eval 'if'
}

case_unset_variable() { # FAIL ended with status 2
	is 'one' 1 1
	: "$no_such_variable"
}

case_filter_left() { # FAIL left something changed
	echo vfs_read >"$TRACEFS/set_ftrace_filter"
	is 'one' 1 1
}

case_event_filter_left() { # FAIL left something changed
	echo 'prev_pid == 1' >"$TRACEFS/events/sched/sched_switch/filter"
	is 'one' 1 1
}

case_trigger_left() { # FAIL left something changed
	echo traceoff >"$TRACEFS/events/sched/sched_process_fork/trigger"
	is 'one' 1 1
}

case_event_left_on() { # FAIL left something changed
	echo 1 >"$TRACEFS/events/sched/sched_process_fork/enable"
	is 'one' 1 1
}

case_option_left() { # FAIL left something changed
	echo 1 >"$TRACEFS/options/sym-offset"
	at_end "echo 1 >$TRACEFS/options/sym-addr"
	is 'one' 1 1
}

case_instance_left() { # FAIL left something changed
	mkdir "$TRACEFS/instances/left"
	is 'one' 1 1
}

case_tracer_left() { # FAIL left something changed
	echo vfs_read >"$TRACEFS/set_ftrace_filter"
	echo function >"$TRACEFS/current_tracer"
	is 'one' 1 1
}

case_instance_seen() { # PASS a setting of an instance is part of the state
	. /tests/vm/guest/state.sh
	mkdir "$TRACEFS/instances/seen"
	at_end "rmdir $TRACEFS/instances/seen"
	state_snapshot >one
	echo 1 >"$TRACEFS/instances/seen/events/sched/sched_switch/enable"
	state_snapshot >two
	echo 'prev_pid == 1' >"$TRACEFS/instances/seen/events/sched/sched_switch/filter"
	state_snapshot >three
	matches 'an event that is on' "$(diff one two)" 'instances/seen/set_event:sched:sched_switch'
	matches 'a filter' "$(diff two three)" 'instances/seen/.*prev_pid == 1'
}

case_probe_left() { # FAIL left something changed
	echo 'p:left vfs_read' >"$TRACEFS/kprobe_events"
	is 'one' 1 1
}

case_file_left() { # FAIL left something changed
	: >/dev/shm/left
	at_end 'rm /tmp/not/there'
	is 'one' 1 1
}

case_mount_left() { # FAIL left something changed
	mount -t tmpfs tmpfs /mnt/xfs
	is 'one' 1 1
}

case_module_left() { # FAIL left something changed
	insmod /modules/dummy.ko
	is 'one' 1 1
}

case_process_left() { # FAIL left a process behind
	sleep 1000 &
	is 'one' 1 1
}

case_kernel_warning() { # FAIL the kernel complained
	echo 'WARNING: test' >/dev/kmsg
	is 'one' 1 1
}

case_hangs() { # FAIL not done after 3 seconds
	# limit: 3
	is 'one' 1 1
	trap '' TERM
	sleep 1000 &
	while :; do wait; done
}

case_hangs_in_a_pipe() { # FAIL not done after 3 seconds
	# limit: 3
	tail -f /dev/null | cat
}

case_undone() { # PASS what is changed and undone is no failure
	mkdir "$TRACEFS/instances/undone"
	at_end "rmdir $TRACEFS/instances/undone"
	echo 1 >"$TRACEFS/instances/undone/events/sched/sched_switch/enable"
	sleep 1000 &
	at_end "kill $!"
	is 'one' 1 1
}

case_fails_but_undone() { # FAIL meant to
	at_end "rmdir $TRACEFS/instances/undone"
	mkdir "$TRACEFS/instances/undone"
	fail 'meant to'
}

case_skipped() { # SKIP not today
	skip 'not today'
}

case_lacks() { # SKIP no no_such_file in tracefs
	# requires: set_event, no_such_file
	fail 'was run'
}

case_pass_last() { # PASS what failed before does not reach this one
	is 'one' 1 1
	is 'nothing of the others is left' "$(ls "$TRACEFS/instances")$(cat "$TRACEFS/kprobe_events")" ''
}
