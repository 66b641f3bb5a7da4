# shellcheck shell=sh
# environment_test.sh - no variable of the caller's environment changes what a command does, but those of the README
# SPDX-License-Identifier: GPL-2.0-only
# runs: some

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

# Every name that the code sets or reads, locals and options as well. Not OPTIND: with anything but a number in it mksh does
# not even start.
names=$(awk -f "$TOP/tests/lint/names.awk" "$TOP"/bin/* "$TOP"/lib/*.sh | awk '
	$1 ~ /^(head|local|set|use)$/ && $2 ~ /^[A-Za-z][A-Za-z_0-9]*$/ && $2 !~ /^(FIELDTRACE_|KSH_VERSION|IFS|LC_ALL|PATH|OPTIND)/ && !seen[$2]++ { print $2 }')
tap_ok 'the names are found' [ "$(printf '%s\n' "$names" | wc -l)" -gt 300 ]

sleep 600 &
canary=$!

# One run of each kind, and what was said, printed, written and left by all of them.
all_runs() {
	for command in 'functrace -d 0.05 vfs_read' 'funccount -e kprobe -d 0.05 vfs_read' 'funcgraph -d 0.05 vfs_read' \
		'tpoint -d 0.05 sched:sched_switch' 'tpoint -v sched:sched_switch' 'kprobe -d 0.05 p:vfs_read' 'kprobe common_pid==1' \
		'modtrace -l loop' 'reset-ftrace -n' 'fieldtrace check' 'crashtrace status' 'functrace nosuch_function'; do
		# shellcheck disable=SC2086 # words
		run $command
		printf '%s: %s\n%s\n%s\n' "$command" "$rc" "$out" "$err"
	done
	writes
	fake_state
}

same() { # what differs from run to run by itself: PIDs and start times
	sed -e "s/\.[0-9][0-9]*\.[0-9][0-9]*/.ID/g" -e 's/ft_[0-9][0-9]*_[0-9]*/ft_ID/g' -e 's/ft[0-9][0-9]*_/ftPID_/g' -e 's/_pid [0-9][0-9]*/_pid PID/'
}

cmd() { # COMMAND ARG...: as lib.sh has it, with $hostile in the environment of this one alone
	local name="$1"

	shift
	set -f
	# shellcheck disable=SC2086 # assignments, a shell and its option
	set -- $hostile $UNIT_SHELL "$TOP/bin/$name" "$@"
	set +f
	PATH=$UNIT_PATH /usr/bin/env "$@"
}

fake 6.12
FIELDTRACE_CRASH_STATE=$T/crash
export FIELDTRACE_CRASH_STATE
hostile=
all_runs | same >"$T/want"
# shellcheck disable=SC2016 # to be run by nobody
for value in 1 "$canary" 'a[$(>planted)]'; do
	fake 6.12
	hostile=$(for name in $names; do printf '%s=%s\n' "$name" "$value"; done)
	all_runs | same >"$T/got"
	tap_is "each name exported as '$value': nothing changes" "$(diff "$T/want" "$T/got" | head -n 20)" ''
done
tap_ok 'nobody was killed' kill -0 "$canary"
tap_ok 'nothing was run' [ ! -e planted ]
kill "$canary"

# What a dead run left is found by its ID in the environment: the whole of it, for another run's may begin like it.
fake 6.12
sleep 600 &
own=$!
sleep 600 &
other=$!
mkdir "$FAKE/proc/$own" "$FAKE/proc/$other"
printf 'A=1\0FIELDTRACE_RUN=99.1234\0B=2\0' >"$FAKE/proc/$own/environ"
printf 'A=1\0FIELDTRACE_RUN=99.12345\0B=2\0' >"$FAKE/proc/$other/environ"
lib stale -- ft_kill_children 99.1234
tap_ok 'A5: the child of the dead run is ended' wait_for sh -c "! kill -0 $own || grep -q '^State:.Z' /proc/$own/status"
tap_ok 'A5: the child of a run whose ID begins like it is not' kill -0 "$other"
kill "$other"
tap_done
