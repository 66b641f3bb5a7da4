#!/bin/sh
# memory.sh - measure: resident memory of a command with all its processes while it streams, against perf-tools'
# SPDX-License-Identifier: GPL-2.0-only
# guest: 6.12 1 0
# shellcheck source=lib.sh
. /tests/bench/lib.sh

# resident -> $kb: proportional resident memory of the group's processes; $all_kb: the plain sum, shared pages counted by each
resident() {
	local pid
	# shellcheck disable=SC2046 # numbers
	set -- $(while read -r pid; do cat "/proc/$pid/smaps_rollup" 2>/dev/null; done <"$group/cgroup.procs" |
		awk '$1 == "Pss:" { p += $2 } $1 == "Rss:" { r += $2 } END { print p + 0, r + 0 }')
	kb=$1 all_kb=$2
}

# streaming NAME COMMAND... -> $kb
streaming() {
	local name
	name=$1
	shift
	in_background "$@" >/dev/null 2>&1
	sleep 3
	/bb/dd if=/dev/zero of=/dev/null bs=1 count=2000 2>/dev/null
	resident
	say "$name: $kb KB (Pss), $all_kb KB (Rss), $(wc -l <"$group/cgroup.procs") processes"
	kill -INT "-$bg_pid"
	wait "$bg_pid" 2>/dev/null
}

# compare NAME ARG...
compare() {
	local name ours
	name=$1
	shift
	streaming "$name" env "PATH=$BUSYBOX_PATH" /bb/ash "$FTDIR/bin/$name" "$@"
	ours=$kb
	[ -e "/usr/sbin/$name-perf" ] || return
	streaming "$name-perf" env "PATH=$DEBIAN_PATH" bash "/usr/sbin/$name-perf" "$@"
	ratio "$ours" "$kb"
	row "$name while it streams: resident memory (Pss)" "perf-tools' $name" "$ratio" '<=' 0.5
}

compare functrace read_zero
compare tpoint syscalls:sys_enter_read
compare kprobe p:vfs_mkdir
streaming 'funccount -i 1 (trace engine)' env "PATH=$BUSYBOX_PATH" /bb/ash "$FTDIR/bin/funccount" -e trace -i 1 'vfs_*'
