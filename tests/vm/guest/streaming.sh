# shellcheck shell=sh
# streaming.sh - for cases of the commands that stream events: start one, give it work of a known number, count lines
# SPDX-License-Identifier: GPL-2.0-only
#
# A case file sources it. The work is reads of 777 bytes from /dev/zero, which nobody else in the guest does, by
# BusyBox dd; each command is started so that it shows one line a read.

STREAMS='functrace funcgraph tpoint kprobe'

# reads N - N reads of 777 bytes from /dev/zero by one process
reads() {
	/bb/dd if=/dev/zero of=/dev/null bs=777 count="$1" status=none
}

# busy_reads - such reads, some thousand a second, until killed; for the background
busy_reads() {
	while :; do reads 200; done
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
	wait_for 300 traces_or_gone
	ok "$1 starts" grep -q '^Tracing' err
}

# traces_or_gone - does it trace, or is there nothing left to wait for?
traces_or_gone() {
	grep -q '^Tracing' err || [ ! -d "/proc/$bg_pid" ] || grep -q ') Z' "/proc/$bg_pid/stat" 2>/dev/null
}

# lines COMMAND [MOST] - how many of the reads the output shows; stop looking at MOST
lines() {
	local re
	case $1 in
	functrace) re=' read_zero <-' ;;
	# A call is one line, or two when the first was read before the call was over.
	funcgraph) re='read_zero\(\)( \{|;)' ;;
	tpoint) re='sys_read\(fd: .*count: (0x)?309\)$' ;;
	kprobe) re=' read_zero: \(read_zero\+0x' ;;
	esac
	grep -Ec -m "${2:-999999}" -e "$re" out
}

# shows COMMAND N - are there N lines by now? For wait_for.
shows() {
	[ "$(lines "$1" "$2")" -ge "$2" ]
}

# finish - INT to the tool's shell, and wait for its end; its status in $rc
finish() {
	finish_by INT
}

# finish_by SIGNAL - the same with another signal
finish_by() {
	kill "-$1" "$bg_pid"
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

# has_lines N - has "out" N lines by now?
has_lines() {
	[ "$(wc -l <out)" -ge "$1" ]
}

# worker NAME FIFO - a shell that calls itself NAME and runs the one line of shell that is written to FIFO, then ends;
# its PID in $worker
worker() {
	rm -f "$2"
	mkfifo "$2"
	# shellcheck disable=SC2016 # for the inner shell
	/bb/ash -c 'printf "%s" "$0" >/proc/$$/comm; read -r job <"$1"; eval "$job"' "$1" "$2" &
	worker=$!
	# Not before it has its name.
	ok "worker $1" wait_for 100 has_name "$worker" "$1"
}

# has_name PID NAME
has_name() {
	[ "$(cat "/proc/$1/comm")" = "$2" ]
}

# writes N - a job for a worker: N writes to /dev/null by the shell itself
writes() {
	# shellcheck disable=SC2016 # for the worker
	printf 'n=%s; while [ "$n" -gt 0 ]; do echo >/dev/null; n=$((n - 1)); done\n' "$1"
}

# threads - a process of two threads that stands still, its PID in $threads and the threads in $tids; when it is let go
# on (CONT), both end
threads() {
	awk 'BEGIN { for (i = 0; i < 200000; i++) print (i * 7919) % 200003 }' >numbers
	/usr/bin/sort --parallel=2 -S 64M -n -o sorted numbers &
	threads=$!
	at_end "kill -9 $threads 2>/dev/null"
	ok 'a second thread' wait_for 300 two_threads "$threads"
	kill -STOP "$threads"
	tids=$(ls "/proc/$threads/task")
	ok 'still two' two_threads "$threads"
}

# two_threads PID - has it two?
two_threads() {
	[ -d "/proc/$1" ] || fail 'the process of two threads is gone'
	set -- "/proc/$1/task"/*
	[ $# -eq 2 ]
}
