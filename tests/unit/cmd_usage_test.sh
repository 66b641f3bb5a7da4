# shellcheck shell=sh
# cmd_usage_test.sh - every command's -h and every way to call it wrongly: said in one line, nothing touched (K9)
# SPDX-License-Identifier: GPL-2.0-only
# runs: whole
# shellcheck disable=SC2016 # text that must not be expanded

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

fake 6.1
# A foreign session at the top level
echo function >"$TRACEFS/current_tracer"
echo vfs_read >"$TRACEFS/set_ftrace_filter"
echo 'p:theirs/x vfs_read' >"$TRACEFS/kprobe_events"
before=$(fake_state)

### -h

for file in "$TOP"/bin/*; do
	name=${file##*/}
	run "$name" -h
	tap_is "$name -h: 0, on stdout" "$rc $err" '0 '
	tap_like "$name -h: begins with the usage" "$out" "^usage: $name"
	tap_is "$name -h: fits a screen" "$(printf '%s\n' "$out" | awk 'length > 80 || NR > 24' | head -n 3)" ''
	run "$name" -Z
	tap_like "$name -Z: 2, on stderr" "$rc$out $err" "^2 $name: "
	tap_is "$name -Z: one line" "$(printf '%s\n' "$err" | wc -l | tr -d ' ')" 1
done

### a table of misuse: COMMAND ARGUMENTS, each of them status 2

while IFS= read -r line; do
	while :; do
		# A newline within quotes
		# shellcheck disable=SC1003
		case $line in
		*'\') ;;
		*) break ;;
		esac
		IFS= read -r more
		line=${line%?}$nl$more
	done
	eval "set -- $line" # a test's own text
	run "$@"
	tap_is "2: $line" "$rc" 2
	tap_is "one line: $line" "$out$(printf '%s\n' "$err" | wc -l | tr -d ' ')" 1
done <<'END'
funccount
funccount -d
funccount -d x vfs_read
funccount -i 0 vfs_read
funccount -t 0 vfs_read
funccount -t 1.5 vfs_read
funccount -e fast vfs_read
funccount -p 0 vfs_read
funccount -p x vfs_read
funccount -p 1 -L 1 vfs_read
funccount ''
funccount 'a:mod:'
functrace '$(id)'
funcgraph
funcgraph '*'
funcgraph -m 0 vfs_read
funcgraph -M x vfs_read
funcgraph -d -1 vfs_read
funcgraph -f vfs_read
funcgraph -x '' vfs_read
functrace
functrace -d 08 vfs_read
functrace -d 1e3 vfs_read
functrace -b 0 vfs_read
functrace -f vfs_read
functrace -c '' vfs_read
functrace "a;b"
tpoint
tpoint -d 1 -v sched:sched_switch
tpoint -d 1 -l
tpoint sched
tpoint sched:
tpoint -b x sched:sched_switch
tpoint -d 0.05 :sched
tpoint -d 0.05 .:sched
tpoint -d 0.05 sched:.
tpoint -d 0.05 sched:..
tpoint -d 0.05 ..:events
tpoint -d 0.05 :.
tpoint -d 0.05 .:.
tpoint -d 0.05 :
tpoint -d 0.05 sched:sched_switch :sched
tpoint -d 0.05 sched:sched_switch ..:events
tpoint -d 0.05 sched:sched_switch sched:..
tpoint -d 0.05 sched:sched_switch .:sched
tpoint -d 0.05 sched:sched_switch sched:. 'prev_pid == 1'
tpoint -d 0.05 sched:sched_switch/..
tpoint -v ..:events
tpoint -v :sched
tpoint -l sched:..
tpoint -l :sched
tpoint -l ../events/sched:sched_switch
tpoint "sched:sched_switch\
x"
tpoint sched:sched_switch "a == 1\
b"
kprobe
kprobe vfs_read
kprobe p:vfs_read bogus p:vfs_write
kprobe p:
kprobe 'p:vfs_read\
r:vfs_read'
kprobe p:vfs_read 'a == 1\
b'
kprobe -d 1 -v p:vfs_read
kprobe rx:vfs_read
modtrace
modtrace '*'
modtrace -l -c loop
modtrace -i 1 loop
modtrace -w -l loop
modtrace loop @list
reset-ftrace x
reset-ftrace -n -a
fieldtrace bogus
fieldtrace check more
END
tap_is 'K9: nothing was written for any of these' "$(cat "$FAKE/log")" ''
state_is 'K8, K9: the foreign session is untouched'

### other refusals before anything is touched

run funccount -p 424242 vfs_read
tap_like 'a PID that is gone: 6' "$rc $err" '^6 .*no process 424242'
run functrace -L 424242 vfs_read
tap_is 'a TID that is gone: 6' "$rc" 6
run functrace @/no/such/list
tap_like 'a list that cannot be read: 1' "$rc $err" '^1 .*cannot read /no/such/list'
tap_is 'nothing was written for these either' "$(cat "$FAKE/log")" ''

### fieldtrace alone

run fieldtrace
for file in "$TOP"/bin/*; do
	tap_like "fieldtrace lists ${file##*/}" "$out" "^${file##*/} +[a-z]"
done

tap_done
