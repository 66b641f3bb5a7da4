# shellcheck shell=sh
# lib.sh - what the measures in a guest share: what a command costs, and a row of the table
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by each measure under BusyBox ash, in a guest. CPU time comes from a control group, which counts a command with all
# its descendants, also those that nobody waits for; under QEMU's -icount a nanosecond of it is an instruction.

T=/tmp/bench R=/tmp/bench
mkdir -p "$T"
# shellcheck source=../vm/guest/lib.sh
. /tests/vm/guest/lib.sh

FTDIR=/ft
TRACEFS=/sys/kernel/tracing
# What a BusyBox target has, and what a Debian machine has.
BUSYBOX_PATH=/applets
DEBIAN_PATH=/usr/bin:/usr/sbin:/bin:/sbin
export FTDIR TRACEFS

group=/tmp/cgroup/bench
mkdir -p /tmp/cgroup /var/tmp
mount -t cgroup2 none /tmp/cgroup
mkdir "$group"

# say TEXT - a detail for the reader of the log
say() {
	printf '# %s\n' "$*"
}

# row WHAT AGAINST RATIO OP REACH - a row of the table; OP is <= or >=, REACH may be - when there is none
row() {
	printf 'ROW\t%s\t%s\t%s\t%s\t%s\n' "$@"
}

# skipped WHAT WHY - a row that cannot be measured in this guest
skipped() {
	printf 'ROW\t%s\tskipped: %s\t-\t\t-\n' "$1" "$2"
}

# now_us -> $now_us: microseconds of the guest's monotonic clock (/proc/timer_list has it to the nanosecond)
now_us() {
	local line
	while read -r line; do
		case $line in
		'now at '*)
			line=${line#now at }
			line=${line% nsecs}
			now_us=$((line / 1000))
			return
			;;
		esac
	done </proc/timer_list
}

# cpu_us -> $cpu_us: CPU time of the group so far
cpu_us() {
	local key value
	while read -r key value; do
		[ "$key" != usage_usec ] || cpu_us=$value
	done <"$group/cpu.stat"
}

# forked -> $forked: processes made since boot
forked() {
	local key value
	while read -r key value; do
		[ "$key" != processes ] || forked=$value
	done </proc/stat
}

# grouped COMMAND... - run COMMAND, counted in the group
# shellcheck disable=SC2016 # the inner shell's
grouped() {
	/bb/ash -c 'echo 0 >"$0/cgroup.procs"; exec "$@"' "$group" "$@"
}

# timed COMMAND... -> $c_cpu (less than 10 s), where there are no control groups
# shellcheck disable=SC2016 # the inner shell's
timed() {
	local user system rc
	rc=0
	PATH=$DEBIAN_PATH bash -c 'TIMEFORMAT="%3U %3S"; exec 3>&2; { time "$@" 2>&3; } 2>"$0"' "$T/times" "$@" || rc=$?
	read -r user system <"$T/times"
	# "0.027" is 0027: a leading 1 keeps it from being octal.
	c_cpu=$(((1${user%.*}${user#*.} + 1${system%.*}${system#*.} - 20000) * 1000))
	return "$rc"
}

# cost COMMAND... -> $c_cpu (us) $c_wall (us) $c_forks (beside the command's own process) $c_rc; its output in $T/out, $T/err
cost() {
	local cpu wall forks
	if [ ! -e "$group/cgroup.procs" ]; then
		forked
		forks=$forked c_rc=0
		timed "$@" >"$T/out" 2>"$T/err" </dev/null || c_rc=$?
		forked
		# bash is one, and the command itself
		c_forks=$((forked - forks - 2)) c_wall=-
		return
	fi
	forked
	forks=$forked
	cpu_us
	cpu=$cpu_us
	now_us
	wall=$now_us
	c_rc=0
	grouped "$@" >"$T/out" 2>"$T/err" </dev/null || c_rc=$?
	now_us
	cpu_us
	forked
	c_cpu=$((cpu_us - cpu)) c_wall=$((now_us - wall)) c_forks=$((forked - forks - 1))
}

# ratio A B [DIGITS] -> $ratio: A / B
ratio() {
	ratio=$(awk -v a="$1" -v b="$2" -v d="${3:-2}" 'BEGIN { if (b + 0 == 0) print "-"; else printf "%." d "f\n", a / b }')
}

# in_background COMMAND... -> $bg_pid: COMMAND, counted in the group, as the leader of a process group, INT and QUIT not ignored
# shellcheck disable=SC2016 # the inner shell's
in_background() {
	setsid /usr/bin/env --default-signal=INT,QUIT /bb/ash -c 'echo 0 >"$0/cgroup.procs"; exec "$@"' "$group" "$@" </dev/null &
	bg_pid=$!
}
