# shellcheck shell=sh
# streaming.sh - for cases of the commands that stream events: start one, give it work of a known number, count lines
# SPDX-License-Identifier: GPL-2.0-only
#
# A case file sources it. The work is reads of 777 bytes from /dev/zero, which nobody else in the guest does, by
# BusyBox dd; each command is started so that it shows one line a read.

STREAMS='functrace funcgraph tpoint kprobe'

# reads N [FD-COMMAND...] - N reads of 777 bytes from /dev/zero by one process
reads() {
	/bb/dd if=/dev/zero of=/dev/null bs=777 count="$1" status=none
}

# endless_reads - such reads until killed; for the background
endless_reads() {
	exec /bb/dd if=/dev/zero of=/dev/null bs=777 status=none
}

# stream BACKGROUND|RUN COMMAND [OPTION...] - call ft_bg or run with the command's options and what it is to trace
stream() {
	local how tool
	how=$1 tool=$2
	shift 2
	case $tool in
	functrace) "$how" functrace "$@" read_zero ;;
	funcgraph) "$how" funcgraph -m 1 "$@" read_zero ;;
	tpoint) "$how" tpoint "$@" syscalls:sys_enter_read 'count == 777' ;;
	kprobe) "$how" kprobe "$@" p:read_zero ;;
	*) fail "no such stream: $tool" ;;
	esac
}

# start COMMAND [OPTION...] - in the background, into out and err; returns when it traces
start() {
	: >err
	stream ft_bg "$@" >out 2>err
	started "$1"
}

# started COMMAND - wait until it says that it traces
started() {
	ok "$1 starts" wait_for 60 grep -q '^Tracing' err
}

# lines COMMAND [FILE] - how many of the reads the output shows
lines() {
	local re
	case $1 in
	functrace) re=' read_zero <-' ;;
	# A call is one line, or two when the first was read before the call was over.
	funcgraph) re='read_zero\(\)( \{|;)' ;;
	tpoint) re='sys_read\(fd: .*count: 309\)$' ;;
	kprobe) re=' read_zero: \(read_zero\+0x' ;;
	esac
	grep -Ec -e "$re" "${2:-out}"
}

# shows COMMAND N - are there N lines by now? For wait_for.
shows() {
	[ "$(lines "$1")" -ge "$2" ]
}

# finish [SIGNAL] - signal the tool's shell (INT unless said) and wait for its end; its status in $rc
finish() {
	kill "-${1:-INT}" "$bg_pid"
	rc=0
	wait "$bg_pid" || rc=$?
}

# quiet - nothing on stderr but the banner?
quiet() {
	asserted
	! grep -v '^Tracing' err || fail 'something on stderr'
}

# lost - how many events stderr says were lost
lost() {
	awk '/: lost [0-9]+ events/ { n = $3 } END { print n + 0 }' err
}
