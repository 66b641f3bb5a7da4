# shellcheck shell=sh
# bundle_test.sh - each command as one file: does what the one in bin/ does, and needs nothing beside it
# SPDX-License-Identifier: GPL-2.0-only
# runs: shells
# shellcheck disable=SC2016 # text that must not be expanded
#
# `run.sh -b` puts the tests of the commands through the bundles as well.

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

bundles=$UNIT_BUNDLES # run.sh makes them once for all passes

did() { # ARG...: run it; all that came of it, with what differs from run to run under one name
	: >"$FAKE/log"
	run "$@"
	printf 'status %s\n%s\n%s\n%s\n' "$rc" "$out" "$err" "$(writes)" |
		sed -E -e 's/ft_?[0-9]+_/ftRUN_/g; s/ftRUN_[0-9]+/ftRUN/g; s/(instances\/)[^ ]*[0-9]+[.][0-9]+/\1RUN/g' \
			-e 's/^(set_.*pid) [0-9].*/\1 PID/; s/^ +\^$/^/'
}

same() { # STATUS ARG...
	local want="$1" bundle command

	shift
	UNIT_BIN=$bundles
	# A bundle has its library inside.
	bundle=$(FIELDTRACE_LIB=$T/none && did "$@")
	UNIT_BIN=
	command=$(did "$@")
	tap_is "bundle $key: $*: status" "${bundle%%"$nl"*}" "status $want"
	tap_is "bundle $key: $*: output and writes" "$bundle" "$command"
}

key=2.6.32
fake $key
before=$(fake_state)
same 0 tpoint -d 0.05 sched:sched_switch
same 0 modtrace -l loop
same 7 functrace -d 0.05 vfs_raed
state_is "bundle $key: all undone"

key=7
fake $key
before=$(fake_state)
for file in "$TOP"/bin/*; do
	same 0 "${file##*/}" -h
	same 2 "${file##*/}" -Z
done
same 0 functrace -H -s -d 0.05 /^vfs_read$/ :mod:loop
same 0 funcgraph -d 0.05 vfs_read
same 0 funccount -e trace -d 0.05 'vfs_*' '!vfs_write'
same 0 funccount -e kprobe -i 0.05 -d 0.1 vfs_read
same 0 tpoint -v sched:sched_switch
same 8 tpoint -d 0.05 sched:sched_switch 'bogus == 1'
same 0 kprobe -d 0.05 p:vfs_read 'r:vfs_write $retval'
same 8 kprobe -d 0.05 'p:vfs_read +0(%nosuch):string'
same 0 modtrace -c -d 0.05 loop
same 0 modtrace -g -d 0.05 loop
same 0 reset-ftrace -n
same 0 fieldtrace check
same 10 crashtrace dump -S "$T/state"
state_is "bundle $key: all undone"

### nothing but itself

mkdir "$T/alone"
cp "$bundles/fieldtrace" "$bundles/funccount" "$T/alone/"
UNIT_BIN=$T/alone
run fieldtrace
tap_is 'a bundle lists what lies beside it' "$out" "fieldtrace    list the commands, and check which work on this kernel
funccount     count kernel function calls"

tap_done
