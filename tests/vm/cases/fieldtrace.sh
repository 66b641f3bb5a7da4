# shellcheck shell=sh
# fieldtrace.sh - fieldtrace alone, and what its check says of this kernel
# SPDX-License-Identifier: GPL-2.0-only

case_list() { # alone: each command with a line, and no other file
	run fieldtrace
	rc_is 0
	is 'names' "$(awk '{ print $1 }' out)" "$(ls "$FTDIR/bin")"
	nomatch 'each says what it is for' "$(cat out)" '^[^ ]+ *$'
	nomatch 'width' "$(cat out)" '^.{81}'
	is 'stderr' "$(cat err)" ''
}

case_usage() { # what it does not know is refused
	for args in nosuch -z 'check more'; do
		# shellcheck disable=SC2086 # words
		run fieldtrace $args
		rc_is 2
		num_eq "$args: lines on stderr" "$(wc -l <err)" 1
	done
	run fieldtrace -h
	rc_is 0
	out_has '^usage: fieldtrace '
}

case_check() { # check agrees with what this kernel has, and leaves nothing
	local name
	run fieldtrace check
	rc_is 0
	is 'stderr' "$(cat err)" ''
	is 'kernel' "$(awk '$1 == "kernel" { print $2 }' out)" "$KVER"
	is 'tracefs' "$(awk '$1 == "tracefs" { print $2 }' out)" "$TRACEFS"
	for name in "$FTDIR"/bin/*; do
		name=${name##*/}
		[ "$name" = fieldtrace ] || out_has "^$name +(yes|no|see)"
	done
	has_or_lacks CONFIG_FUNCTION_PROFILER "$TRACEFS/function_profile_enabled"
	has_or_lacks 'no retval' "$TRACEFS/options/funcgraph-retval"
	has_or_lacks 'no args' "$TRACEFS/options/funcgraph-args"
	mkdir "$TRACEFS/instances/probe"
	at_end "rmdir $TRACEFS/instances/probe"
	for name in function function_graph; do
		if grep -q -w "$name" "$TRACEFS/instances/probe/available_tracers"; then
			out_has "^instances +yes:.* $name( |\$)"
		else
			nomatch "$name is not offered in instances" "$(grep '^instances' out)" " $name( |\$)"
		fi
	done
	out_has "^tpoint +yes: $(wc -l <"$TRACEFS/available_events") events"
}

# has_or_lacks TEXT FILE - check says TEXT exactly when the kernel does not have FILE
has_or_lacks() {
	if [ -e "$2" ]; then nomatch "${2##*/}" "$(cat out)" "$1"; else out_has "$1"; fi
}

case_check_beside() { # check beside somebody's tracer: the same answer, and that stays as it is
	# requires: tracer:function
	run fieldtrace check
	mv out before
	at_end "echo >$TRACEFS/set_ftrace_filter"
	at_end "echo nop >$TRACEFS/current_tracer"
	echo read_zero >"$TRACEFS/set_ftrace_filter"
	echo function >"$TRACEFS/current_tracer"
	run fieldtrace check
	rc_is 0
	is 'what it says' "$(cat out)" "$(cat before)"
	is 'the tracer' "$(cat "$TRACEFS/current_tracer" "$TRACEFS/set_ftrace_filter")" 'function
read_zero'
}

case_check_switched_off() { # check names the sysctl that switches all function tracing off
	# requires: tracer:function
	at_end 'echo 1 >/proc/sys/kernel/ftrace_enabled'
	echo 0 2>/dev/null >/proc/sys/kernel/ftrace_enabled || skip 'this kernel keeps ftrace on'
	run fieldtrace check
	rc_is 0
	out_has '^functrace +no: .*kernel\.ftrace_enabled'
	is 'left as it was' "$(cat /proc/sys/kernel/ftrace_enabled)" 0
}

case_check_evidence() { # modtrace's line says how the kernel names modules, once there is one
	need_module dummy
	run fieldtrace check
	out_has '^modtrace +yes: [1-9][0-9]* modules? loaded, named in available_filter_functions'
}
