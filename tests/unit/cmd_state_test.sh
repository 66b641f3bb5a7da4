# shellcheck shell=sh
# cmd_state_test.sh - locks, journals, the dead and their leftovers, other people's things, lockdown
# SPDX-License-Identifier: GPL-2.0-only
# runs: some

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

tracing() { # the run has said that it traces
	grep -q '^Tracing' "$T/err"
}

### K12: two runs that need the top level; the second names the first

fake 6.1
fake_feed /dev/null
start funcgraph vfs_read
tap_ok 'K12: the first one traces' wait_for test -d "$FAKE/state/fieldtrace/top.lock"
wait_for tracing
before=$(fake_state)
rc=0
out=$(cmd funcgraph -d 0.05 vfs_write 2>&1) || rc=$?
tap_like 'K12: the second: 5, with the first'\''s name and PID' "$rc $out" "^5 .*in use by funcgraph [(]PID ${bg}[)]"
state_is 'K12: and touches nothing of the first'
finish TERM
tap_is 'the first one ends well' "$rc" 143
tap_is 'its lock and journal are gone' "$(ls -A "$FAKE/state")" ''
stop_feeder

### K10: a lock whose owner is dead

fake 6.1
before=$(fake_state)
mkdir -p "$FAKE/state/fieldtrace/top.lock"
chmod 700 "$FAKE/state/fieldtrace" "$FAKE/state/fieldtrace/top.lock"
echo '4242 99 funcgraph' >"$FAKE/state/fieldtrace/top.lock/owner"
printf 'file tracing_on 1\nfile current_tracer nop\nfile set_graph_function #### all functions enabled ####\n' >"$FAKE/state/fieldtrace/journal.4242.99"
echo function_graph >"$TRACEFS/current_tracer"
echo vfs_write >"$TRACEFS/set_graph_function"
run funcgraph -d 0.05 vfs_read
tap_is 'K10: taken over' "$rc" 0
tap_like 'K10: and said' "$err" 'gone [(]PID 4242[)]|funcgraph [(]PID 4242[)], which is gone'
state_is 'K10: what the dead one left is undone'
mkdir -p "$FAKE/state/fieldtrace/top.lock"
chmod 700 "$FAKE/state/fieldtrace" "$FAKE/state/fieldtrace/top.lock"
run funcgraph -d 0.05 vfs_read
tap_is 'K10: a lock without an owner' "$rc" 0
state_is 'K10: it is gone too'
# The PID is somebody else by now
mkdir -p "$FAKE/state/fieldtrace/top.lock"
chmod 700 "$FAKE/state/fieldtrace" "$FAKE/state/fieldtrace/top.lock"
echo '4242 99 funcgraph' >"$FAKE/state/fieldtrace/top.lock/owner"
fake_pid 4242 other 100
run funcgraph -d 0.05 vfs_read
tap_is 'K10: the PID lives again as another' "$rc" 0
fake_pid 4242 funcgraph 99
mkdir -p "$FAKE/state/fieldtrace/top.lock"
chmod 700 "$FAKE/state/fieldtrace" "$FAKE/state/fieldtrace/top.lock"
echo '4242 99 funcgraph' >"$FAKE/state/fieldtrace/top.lock/owner"
before=$(fake_state)
run funcgraph -d 0.05 vfs_read
tap_like 'K10: a live owner is respected' "$rc $err" '^5 .*funcgraph [(]PID 4242[)]'
state_is 'K10: and keeps its lock'

### K11: links

for place in fieldtrace fieldtrace/top.lock; do
	fake 6.1
	mkdir "$T/victim"
	echo precious >"$T/victim/owner"
	case $place in
	*/*)
		mkdir -m 700 "$FAKE/state/fieldtrace"
		;;
	esac
	ln -s "$T/victim" "$FAKE/state/$place"
	before=$(fake_state)
	run funcgraph -d 0.05 vfs_read
	tap_is "K11: $place is a link: 5" "$rc" 5
	tap_is "K11: $place: the victim is untouched" "$(ls "$T/victim") $(cat "$T/victim/owner")" 'owner precious'
	rm -r "$T/victim"
done
fake 6.1
mkdir -m 777 "$FAKE/state/fieldtrace"
chmod 777 "$FAKE/state/fieldtrace"
run funcgraph -d 0.05 vfs_read
tap_is 'a state folder that others can write is not used' "$(ls -A "$FAKE/state/fieldtrace")" ''

### no place for state

fake 6.1
before=$(fake_state)
FIELDTRACE_STATE=/proc
run functrace -d 0.05 vfs_read
tap_is 'an instance needs no state folder' "$rc" 0
FIELDTRACE_STATE=$FAKE/state

### K14: what a killed run leaves; foreign things stay (K20, K22)

fake 6.1
echo 'p:theirs/x vfs_read' >"$TRACEFS/kprobe_events"
mkdir -p "$TRACEFS/events/theirs/x" "$TRACEFS/instances/theirs" "$TRACEFS/instances/ft.x.y.z" "$TRACEFS/instances/ft.a.1"
echo 1 >"$TRACEFS/events/theirs/x/enable"
echo 1 >"$TRACEFS/events/theirs/enable"
echo theirs:x >"$TRACEFS/set_event"
before=$(fake_state)
start functrace vfs_read
tap_ok 'K14: a run' wait_for tracing
kill -9 "$bg"
wait "$bg" 2>/dev/null
tap_like 'K14: its instance stays' "$(ls "$TRACEFS/instances")" "^ft[.]functrace[.]${bg}[.]"
# Its /proc entry is gone with it
run tpoint -d 0.05 sched:sched_switch
tap_is 'K14: the next run of any tool' "$rc" 0
tap_like 'K14: says so' "$err" "cleaning up after a run that is gone [(]PID ${bg}[)]"
state_is 'K14: removes it; foreign instances and probes stay'
start kprobe p:vfs_write
wait_for tracing
kill -9 "$bg"
wait "$bg" 2>/dev/null
tap_like 'K14: a probe stays' "$(cat "$TRACEFS/kprobe_events")" "^p:ft_${bg}_"
run reset-ftrace
tap_is 'K14: reset-ftrace' "$rc" 0
state_is 'K14: the probe is gone, foreign ones stay'

### K22: reset-ftrace

run reset-ftrace -n
tap_like 'K22: -n lists a foreign probe' "$out" "^probe +p:theirs/x vfs_read +[(]somebody else's[)]"
tap_like 'K22: -n lists a foreign instance' "$out" "^instance +theirs +[(]somebody else's[)]"
state_is 'K22: -n changes nothing'
run reset-ftrace
state_is 'K22: neither does the default'
run reset-ftrace -a
tap_is 'K22: -a: 0' "$rc" 0
tap_is 'K22: -a: no instance, no probe' "$(ls "$TRACEFS/instances")$(cat "$TRACEFS/kprobe_events")" ''

### K20: foreign probes after success and failure

fake 6.1
echo 'p:theirs/x vfs_read' >"$TRACEFS/kprobe_events"
before=$(fake_state)
for command in 'kprobe -d 0.05 p:vfs_read' 'funccount -d 0.05 vfs_read' 'kprobe p:nosuch' 'functrace -d 0.05 nosuch' \
	'modtrace -d 0.05 loop' 'funcgraph -d 0.05 vfs_read' 'tpoint -d 0.05 sched:sched_switch' 'fieldtrace check' reset-ftrace; do
	# shellcheck disable=SC2086 # words
	run $command
	state_is "K20: $command"
done

### K8: somebody else's tracer: an instance works beside it, the top level is refused

fake 6.1
echo function >"$TRACEFS/current_tracer"
echo vfs_write >"$TRACEFS/set_ftrace_filter"
before=$(fake_state)
for command in 'functrace -d 0.05 vfs_read' 'tpoint -d 0.05 sched:sched_switch' 'kprobe -d 0.05 p:vfs_read' \
	'funccount -d 0.05 vfs_read' 'modtrace -d 0.05 loop' 'modtrace -l loop' 'modtrace -n loop' 'fieldtrace check'; do
	# shellcheck disable=SC2086
	run $command
	tap_is "K8: $command: works" "$rc" 0
	state_is "K8: $command: foreign state"
done
run funcgraph -d 0.05 vfs_read
tap_like 'K8: funcgraph: 5, with the reason' "$rc $err" "^5 .*tracer 'function' is active"
state_is 'K8: funcgraph: foreign state'
for file in set_ftrace_filter set_ftrace_notrace set_graph_function set_ftrace_pid set_event; do
	fake 6.1
	case $file in
	set_ftrace_pid) echo 77 >"$TRACEFS/$file" ;;
	set_event) echo sched:sched_switch >"$TRACEFS/$file" ;;
	*) echo vfs_write >"$TRACEFS/$file" ;;
	esac
	before=$(fake_state)
	run funcgraph -d 0.05 vfs_read
	tap_like "K8: foreign $file: 5" "$rc $err" '^5 '
	state_is "K8: foreign $file is as it was"
done

### K18, K19

fake 6.1
echo 0 >"$TRACEFS/tracing_on"
before=$(fake_state)
run funcgraph -d 0.05 vfs_read
tap_like 'K18: tracing_on was 0: said' "$rc $err" '^0 .*tracing_on was 0'
tap_like 'K18: it was on meanwhile' "$(writes)" '^tracing_on 1$'
state_is 'K18: and is 0 again'
for option in bin hex raw verbose nocontext-info stacktrace; do
	fake 6.1
	echo "$option" >>"$TRACEFS/trace_options"
	before=$(fake_state)
	run funcgraph -d 0.05 vfs_read
	tap_like "K19: $option: refused, and named" "$rc $err" "^5 .*'$option'"
	state_is "K19: $option stays"
done

### K3: a kernel that refuses every write

fake 7
mkdir -p "$FAKE/security" && echo 'none integrity [confidentiality]' >"$FAKE/security/lockdown"
FAKE_DENY=1
export FAKE_DENY
for command in 'functrace -d 0.05 vfs_read' 'funcgraph -d 0.05 vfs_read' 'tpoint -d 0.05 sched:sched_switch' \
	'kprobe -d 0.05 p:vfs_read' 'funccount -d 0.05 vfs_read' 'modtrace -d 0.05 loop'; do
	# shellcheck disable=SC2086
	run $command
	tap_like "K3: $command: 3, lockdown" "$rc $err" '^3 .*locked down'
done
unset FAKE_DENY

### other refusals of the kernel

fake 7
before=$(fake_state)
FAKE_NOMEM=1000
export FAKE_NOMEM
run functrace -b 2000 -d 0.05 vfs_read
tap_like 'no memory for the buffer: 1, and what to do' "$rc $err" '^1 .*no memory.*smaller -b'
state_is 'no memory: all undone'
unset FAKE_NOMEM
FAKE_BUSY=1
export FAKE_BUSY
run functrace -d 0.05 vfs_read
tap_like 'an instance that cannot be removed is told' "$err" 'cannot remove .*in use'
unset FAKE_BUSY
run reset-ftrace
tap_is 'and reset-ftrace removes it' "$(ls "$TRACEFS/instances")" ''

### K35, K36 at the file

fake 7
fake_pid 5 inner 9 "4321${tab}5"
before=$(fake_state)
run functrace -p 5 -d 0.05 vfs_read
tap_like 'K36: the kernel'\''s number is written' "$(writes)" '^set_ftrace_pid 4321$'
run tpoint -p 5 -d 0.05 sched:sched_switch
tap_like 'K36: for events too' "$(writes)" '^set_event_pid 4321$'
fake_pid 6 other 10
run functrace -p 5 -p 6 -d 0.05 vfs_read
tap_like 'K35: two PIDs in one write' "$(writes)" '^set_ftrace_pid 4321 6$'
run functrace -f -p 6 -d 0.05 vfs_read
tap_like 'K37: -f' "$(writes)" '^options/function-fork 1$'
run tpoint -f -L 6 -d 0.05 sched:sched_switch
tap_like 'K37: -f for events' "$(writes)" '^options/event-fork 1$'
state_is 'K35-K37: all undone'

### K56: clocks

run functrace -c nosuch -d 0.05 vfs_read
tap_like 'K56: an unknown clock: 2, with those there are' "$rc $err" '^2 .*no clock .nosuch. here: .*mono'
state_is 'K56: nothing left'
run functrace -c boot -d 0.05 vfs_read
tap_like 'K56: -c' "$(writes)" '^trace_clock boot$'
fake 6.1
before=$(fake_state)
run funcgraph -c mono -d 0.05 vfs_read
tap_like 'K56: at the top level' "$rc$(writes | grep '^trace_clock')" '^0trace_clock mono'
state_is 'K56: the old clock is back'

### K60: silence gets one hint

fake 7
start functrace vfs_read
tap_ok 'K60: a hint after five seconds' wait_for grep -q 'no event in 5 seconds' "$T/err"
finish TERM
tap_is 'K60: one' "$(grep -c 'no event in' "$T/err")" 1

tap_done
