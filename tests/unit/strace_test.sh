# shellcheck shell=sh
# strace_test.sh - what the commands really open and write, by strace: no part of the fake kernel is in the way
# SPDX-License-Identifier: GPL-2.0-only
# runs: once

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

traced() { # COMMAND ARG...: run it on plain files, with the toolkit's own library; $T/strace has its opens and writes
	local name="$1"

	shift
	rc=0
	# There it is looked first; after it in this machine's own /run.
	(umask 077 && mkdir -p "$FAKE/state/fieldtrace")
	# shellcheck disable=SC2086 # a shell and its option
	FIELDTRACE_LIB=$TOP/lib FIELDTRACE_TRACEFS=$TRACEFS PATH=$UNIT_PATH /usr/bin/strace -f -qq -s 200 \
		-e trace=open,openat,write -o "$T/strace" $UNIT_SHELL "$TOP/bin/$name" "$@" >"$T/out" 2>"$T/err" </dev/null || rc=$?
}

opened_for_writing() { # the files of the tracer that were opened to be written
	grep -F "\"$TRACEFS" "$T/strace" | grep -E 'O_WRONLY|O_RDWR' | sed 's/[^"]*"\([^"]*\)".*/\1/'
}

if ! /usr/bin/strace -qq -o /dev/null true 2>/dev/null; then
	tap_skip 'what is opened and written' 'strace does not work here'
	tap_done
	exit
fi

### K9: a usage error opens nothing

fake 6.1
for command in 'funccount -d x vfs_read' 'funccount' 'funcgraph *' 'functrace a;b' 'tpoint sched' 'kprobe rx:vfs_read' \
	'modtrace -l -c loop' 'reset-ftrace -n -a' 'fieldtrace bogus'; do
	set -f
	# shellcheck disable=SC2086 # words
	traced $command
	set +f
	tap_is "K9: $command: 2" "$rc" 2
	tap_is "K9: $command: nothing of the tracer is opened for writing" "$(opened_for_writing)" ''
done

### K62: the list of functions is read once, where it is needed at all

for case in '1 modtrace -l loop' '1 functrace -d 0.05 /^vfs_read$/' '1 functrace -d 0.05 nosuch' '0 functrace -d 0.05 vfs_read'; do
	# Top level: a plain folder makes no instances.
	fake 2.6.32
	# shellcheck disable=SC2086
	traced ${case#* }
	count=$(grep -F 'available_filter_functions"' "$T/strace" | grep -c O_RDONLY)
	tap_ok "K62: ${case#* }: opened $count times, ${case%% *} wanted at most" test "$count" -le "${case%% *}"
done

### K71: every write to a control file ends in a newline

fake 2.6.32
traced tpoint -d 0.05 sched:sched_switch
tap_is 'a run on plain files' "$rc" 0
tap_like 'K71: what is written' "$(cat "$T/strace")" 'write[(]1, "1\\n", 2[)]'
tap_is 'K71: nothing without its newline' "$(grep -E 'write[(]1, "[^"]*[^n]", ' "$T/strace")" ''

### K21: the order of the writes at the end

order=$(opened_for_writing | sed "s,^$TRACEFS/,," | tr '\n' ' ')
tap_like 'K21: tracing off, the event off, then tracing as it was' "$order" \
	'tracing_on.*events/sched/sched_switch/enable .*tracing_on .*events/sched/sched_switch/enable .*tracing_on'

tap_done
