#!/bin/sh
# startstop.sh - measure: what a command costs that traces nothing for a tenth of a second, against perf-tools' of that name
# SPDX-License-Identifier: GPL-2.0-only
# guest: 6.12 1 0
# shellcheck source=lib.sh
. /tests/bench/lib.sh

# pair NAME ARG... - our command under BusyBox and under Debian's sh, and perf-tools' with the same arguments
pair() {
	local name cpu forks
	name=$1
	shift
	cost env "PATH=$DEBIAN_PATH" dash "$FTDIR/bin/$name" "$@"
	say "$name $* under dash with Debian's programs: $c_cpu us, $c_forks forks, status $c_rc"
	cost env "PATH=$BUSYBOX_PATH" /bb/ash "$FTDIR/bin/$name" "$@"
	say "$name $* under BusyBox: $c_cpu us, $c_forks forks, status $c_rc"
	cpu=$c_cpu forks=$c_forks
	[ -e "/usr/sbin/$name-perf" ] || return
	cost env "PATH=$DEBIAN_PATH" bash "/usr/sbin/$name-perf" "$@"
	say "$name-perf $*: $c_cpu us, $c_forks forks, status $c_rc"
	if [ "$c_rc" != 0 ]; then
		skipped "$name $1 $2" "perf-tools' $name does not run on this kernel"
		return
	fi
	ratio "$cpu" "$c_cpu"
	row "$name $1 $2, nothing traced: CPU" "perf-tools' $name" "$ratio" '<=' 0.7
	row "$name $1 $2, nothing traced: forks" "$c_forks of perf-tools' $name" "$forks" '<=' $((c_forks - 1))
}

# shellcheck disable=SC2016 # the inner shell's
# kernel_share - what the kernel alone takes for the one write that both do
kernel_share() {
	cost /bb/ash -c 'echo do_nanosleep >"$0"; echo >"$0"' "$TRACEFS/set_ftrace_filter"
	say "echo do_nanosleep >set_ftrace_filter, and empty again: $c_cpu us"
	mkdir "$TRACEFS/instances/x"
	rmdir "$TRACEFS/instances/x"
	cost /bb/ash -c 'mkdir "$0"; rmdir "$0"' "$TRACEFS/instances/x"
	say "mkdir and rmdir of an instance: $c_cpu us"
}

kernel_share
pair tpoint -d 0.1 block:block_rq_issue
pair kprobe -d 0.1 p:vfs_mkdir
pair functrace -d 0.1 kernel_halt
# Whole seconds are all that perf-tools' takes: with 0.1 it counts nothing.
pair funccount -d 1 kernel_halt
