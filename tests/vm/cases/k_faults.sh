# shellcheck shell=sh
# k_faults.sh - what the kernel or somebody else takes away in mid-run: tracefs, the instance, the module, a CPU, memory, rights
# SPDX-License-Identifier: GPL-2.0-only
# concerns: funccount functrace funcgraph tpoint kprobe modtrace reset-ftrace fieldtrace
# requires: tracer:function_graph, kprobe_events, instances, module:loop, module:dummy, ends

. /tests/vm/guest/every.sh

# in_namespace COMMANDS - from now on tools run in a mount namespace of their own, where COMMANDS were run first
in_namespace() {
	cat >in_namespace <<-END
		#!/bb/ash
		exec /bb/unshare -m /bb/ash -c '$1
		exec "\$0" "\$@"' $CASE_SHELL "\$@"
	END
	chmod 755 in_namespace
	CASE_SHELL=$T/in_namespace
}

case_unmounted() { # tracefs unmounted in mid-run: the run ends, says so, and all is undone
	# limit: 180
	ready
	keep_state
	# In a namespace of its own, so that the rest of the guest keeps its mounts.
	in_namespace ':'
	# shellcheck disable=SC2086 # words
	batch $TRACING
	for tool in $TRACING; do
		/bb/nsenter -t "$(cat "$tool/pid")" -m /bb/ash -c 'umount -l /sys/kernel/tracing; umount -l /sys/kernel/debug'
		land "$tool"
		is "$tool: status" "$rc" 1
		err_has "^$tool: .* is gone"
	done
	unchanged 'all commands'
}

case_removed() { # the instance removed by somebody else in mid-run, which the kernel lets them while no file is open
	# limit: 180
	ready
	keep_state
	for tool in functrace tpoint kprobe modtrace; do launch "$tool" -d 600; done
	launch funccount -e kprobe
	launched functrace tpoint kprobe modtrace funccount
	for tool in functrace tpoint kprobe modtrace funccount; do
		ok "$tool: its instance goes" rmdir "$TRACEFS/instances/ft.$tool".*
		land "$tool"
		is "$tool: status" "$rc" 1
		err_has "^$tool: .*/instances/ft.$tool.* is gone"
	done
	unchanged 'all commands'
}

case_module_gone() { # the traced module unloaded in mid-run
	# limit: 180
	# once
	# requires: module:jbd2
	need_module dummy
	need_module jbd2
	mkdir "$TRACEFS/instances/theirs"
	at_end "rmdir $TRACEFS/instances/theirs"
	launch_module functrace :mod:dummy
	launch_module modtrace dummy
	launch_module funcgraph -m 1 'dummy:dummy_*'
	launch_module kprobe p:dummy:dummy_dev_init
	launch_module tpoint 'jbd2:*'
	launch_module funccount -e kprobe :mod:dummy
	# One that was started by a filter of the kernel's own.
	launched functrace modtrace funcgraph kprobe tpoint funccount
	ok 'the module goes' retry rmmod dummy
	ok 'the one with events goes' retry rmmod jbd2
	for tool in functrace modtrace funcgraph kprobe tpoint funccount; do
		land "$tool"
		is "$tool: status" "$rc" 0
	done
}

# launch_module COMMAND ARG... - launch one with arguments of its own
launch_module() {
	mkdir -p "$1"
	ft_bg "$@" >"$1/out" 2>"$1/err"
	printf '%s\n' "$bg_pid" >"$1/pid"
}

case_cpu_offline() { # a CPU taken offline and back in mid-run costs no event
	# limit: 180
	# once
	# requires: sh:test -e /sys/devices/system/cpu/cpu1/online
	ready
	at_end 'echo 1 >/sys/devices/system/cpu/cpu1/online'
	keep_state
	# shellcheck disable=SC2086 # words
	batch $TRACING
	work 23
	echo 0 >/sys/devices/system/cpu/cpu1/online
	is 'the CPU is offline' "$(cat /sys/devices/system/cpu/cpu1/online)" 0
	work 23
	launch fieldtrace
	launch reset-ftrace
	land fieldtrace ''
	is 'fieldtrace: status' "$rc" 0
	land reset-ftrace ''
	is 'reset-ftrace: status' "$rc" 0
	echo 1 >/sys/devices/system/cpu/cpu1/online
	work 23
	for tool in $TRACING; do
		land "$tool"
		is "$tool: status" "$rc" 0
		num_eq "$tool: events" "$(seen "$tool")" 69
	done
	unchanged 'all commands'
}

case_started_offline() { # started with a CPU offline, which comes in mid-run
	# limit: 180
	# once
	# requires: sh:test -e /sys/devices/system/cpu/cpu1/online
	ready
	at_end 'echo 1 >/sys/devices/system/cpu/cpu1/online'
	echo 0 >/sys/devices/system/cpu/cpu1/online
	# shellcheck disable=SC2086 # words
	batch $TRACING
	work 23
	echo 1 >/sys/devices/system/cpu/cpu1/online
	both_cpus
	for tool in $TRACING; do
		land "$tool"
		is "$tool: status" "$rc" 0
		num_eq "$tool: events" "$(seen "$tool")" 69
	done
}

# both_cpus - the work once on each CPU
both_cpus() {
	for cpu in 0 1; do
		taskset -p "$((1 << cpu))" $$ >/dev/null
		work 23
	done
	taskset -p 3 $$ >/dev/null
}

case_no_memory() { # -b more than there is: status 1, the reason, and nothing is left
	ready
	keep_state
	for tool in $STREAMS modtrace; do
		every run "$tool" -b 900000000
		rc_is 1
		is "$tool" "$(cat err)" "$tool: no memory for a buffer of 900000000 KB a CPU; use a smaller -b"
	done
	unchanged 'all commands'
}

case_read_only() { # nothing is writable: no /run, /dev/shm or /tmp, a read-only root
	# limit: 180
	# once
	ready
	mkdir "$TRACEFS/instances/theirs"
	at_end "rmdir $TRACEFS/instances/theirs"
	keep_state
	# shellcheck disable=SC2016 # for the inner shell
	in_namespace 'for dir in /run /dev/shm /tmp; do mount -t tmpfs -o ro none $dir || exit 99; done
		mount -o remount,ro,bind / || exit 99'
	# shellcheck disable=SC2086 # words
	batch $EVERY
	work 23
	for tool in $EVERY; do
		land "$tool"
		is "$tool: status" "$rc" 0
		case $tool in
		reset-ftrace | fieldtrace) continue ;;
		funcgraph) is "$tool: stderr" "$(grep -v -e '^Tracing' -e ': no event in 5 sec' err)" \
			'funcgraph: no writable place for a lock and a journal (set FIELDTRACE_STATE): going on without' ;;
		*) is "$tool: stderr" "$(grep -v -e '^Tracing' -e ': no event in 5 sec' err)" '' ;;
		esac
		num_eq "$tool: events" "$(seen "$tool")" 23
	done
	unchanged 'all commands'
}

case_no_rights() { # K4: an ordinary user: refused with status 3 and what would help, nothing touched
	ready
	ordinary_user
	keep_state
	for tool in $EVERY; do
		every run "$tool"
		rc_is 3
		err_has "^$tool: .*permission denied.*group access"
	done
	unchanged 'without access'
}

# ordinary_user - from now on tools run as one
ordinary_user() {
	cp /etc/passwd passwd
	at_end "cp $T/passwd /etc/passwd"
	echo 'user:x:1000:1000:user:/:/bb/ash' >>/etc/passwd
	chmod 755 "$T"
	cat >as_user <<-END
		#!/bb/ash
		exec /bb/su -s /bb/ash -c 'PATH=$CASE_PATH exec $CASE_SHELL "\$0" "\$@"' -- user "\$@"
	END
	chmod 755 as_user
	CASE_SHELL=$T/as_user
}

case_group() { # K4: an ordinary user to whose group somebody gave tracefs: as root, at the guarded top level
	# limit: 180
	# once
	ready
	at_end "mount -o remount,gid=0,mode=700 $TRACEFS; chgrp -R 0 $TRACEFS; chmod -R g-w $TRACEFS"
	mount -o remount,gid=1000,mode=770 "$TRACEFS" || fail 'no such mount option'
	chgrp -R 1000 "$TRACEFS"
	chmod -R g+w "$TRACEFS"
	ordinary_user
	keep_state
	for tool in functrace tpoint funcgraph modtrace; do
		every run "$tool" -d 0.1
		rc_is 0
	done
	every run fieldtrace
	rc_is 0
	every run reset-ftrace
	rc_is 0
	unchanged 'all commands'
}
