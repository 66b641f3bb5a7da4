# shellcheck shell=sh
# stream_test.sh - stream.sh, events.sh, session.sh, guard.sh: /proc and tracefs readings, process names, PIDs, losses
# SPDX-License-Identifier: GPL-2.0-only
# runs: shells
# shellcheck disable=SC2016 # text that must not be expanded

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

P=$T/proc
FIELDTRACE_PROC=$P
export FIELDTRACE_PROC
mkdir -p "$P/self/ns" "$T/i/per_cpu/cpu0" "$T/i/per_cpu/cpu1" "$T/i/options"
D=$UNIT/data

### K29: names of processes

started() {
	ft_start_time "$1"
	printf '%s %s\n' "$?" "$ft_start"
}
state() {
	ft_state_of "$1"
	printf '%s\n' "$ft_pstate"
}
n=100
for name in 'tmux: server' 'dd_worker thr' ') R 1' '(a) S (b' '[x] 1:(y)' "a${nl}b) Z 1 2" '$(id)' '`id`' '*' '-n' '\n\t' '%s'; do
	n=$((n + 1))
	mkdir -p "$P/$n"
	printf '%s (%s) S 1 1 1 0 -1 4194304 58 0 0 0 0 2 0 0 20 0 1 0 2135 2387968 331\n' "$n" "$name" >"$P/$n/stat"
	case $name in
	*"$nl"*) continue ;; # the kernel escapes it (fs/proc/array.c, do_task_stat)
	esac
	lib -- started "$n"
	tap_is "K29: start time of ($name)" "$out" '0 2135'
	lib stream -- state "$n"
	tap_is "K29: state of ($name)" "$out" S
done
for key in 5.10 6.1 6.12 7; do
	mkdir -p "$P/9"
	cp "$D/$key/stat" "$P/9/stat"
	lib -- started 9
	tap_like "recorded stat of $key" "$out" '^0 [0-9]+$'
	lib stream -- state 9
	tap_is "recorded state of $key" "$out" R
done
lib -- started 99999
tap_is 'no such process' "$out$err" '1 '
lib stream -- state 99999
tap_is 'no such process has no state' "$out$err" ''
printf '7 (x' >"$P/9/stat"
lib -- started 9
tap_is 'a stat cut short' "$out" '1 '
alive() {
	ft_alive "$@" && echo yes
}
lib -- alive 101 2135
tap_is 'alive: PID and start time' "$out" yes
lib -- alive 101 2136
tap_is 'alive: the PID is somebody else by now' "$out" ''

### K36: PID namespaces

kernel_pid() {
	ft_kernel_pid "$1"
	printf '%s\n' "$ft_kpid"
}
status() { # PID NSPID_LINE
	mkdir -p "$P/$1"
	printf 'Name:\tx\nPid:\t%s\n%s\nThreads:\t1\n' "$1" "$2" >"$P/$1/status"
}
status 5 "NSpid:${tab}4321${tab}5"
lib events -- kernel_pid 5
tap_is 'K36: the outermost number' "$out" 4321
status 5 "NSpid:${tab}4321${tab}77${tab}5"
lib events -- kernel_pid 5
tap_is 'K36: three levels' "$out" 4321
status 5 "NSpid:${tab}5"
rm -rf "$P/self/ns"
lib events -- kernel_pid 5
tap_is 'K36: nothing tells the namespace' "$out" 5
mkdir -p "$P/self/ns"
ln -s 'pid:[4026531836]' "$P/self/ns/pid"
lib events -- kernel_pid 5
tap_is 'K36: in the first namespace' "$out" 5
ln -sf 'pid:[4026532999]' "$P/self/ns/pid"
lib events -- kernel_pid 5
tap_like 'K36: in another one without its number: 6 and the reason' "$rc $err" '^6 .*container'
status 5 ''
lib events -- kernel_pid 5
tap_is 'K36: kernels before NSpid' "$out" 5
for key in 5.10 6.1 6.12 7; do
	mkdir -p "$P/8"
	cp "$D/$key/status" "$P/8/status"
	rm -rf "$P/self/ns"
	lib events -- kernel_pid 8
	tap_is "recorded status of $key" "$out" "$(sed -n 's/^NSpid:[^0-9]*//p' "$D/$key/status")"
done

### K35: which PIDs are taken

for bad in 0 x -1 '' 08 1.5 '$(id)' '*' 9999999999; do
	lib events -- ft_check_pid -p "$bad"
	tap_is "K35: PID '$bad': 2" "$rc" 2
done
lib events -- ft_check_pid -p 424242
tap_like 'K35: a dead PID: 6' "$rc $err" '^6 .*no process 424242'
lib events -- ft_check_pid -p 101
tap_is 'K35: one that is there' "$rc" 0
lib events -- ft_check_targets ' 101' ' 102' ''
tap_is '-p and -L: 2' "$rc" 2
lib events -- ft_check_targets '' '' 1
tap_is '-f alone: 2' "$rc" 2
threads() {
	ft_thread_list "$1" "$2"
	printf '%s\n' "$ft_tids"
}
mkdir -p "$P/101/task/101" "$P/101/task/111" "$P/101/task/112" "$P/102/task/102" "$P/111"
lib events -- threads 101 ''
tap_is 'K34: all threads of -p' "$out" '101 111 112'
lib events -- threads '101 102' ''
tap_is 'K35: two PIDs' "$out" '101 111 112 102'
lib events -- threads '' 111
tap_is '-L: the one thread' "$out" 111

### losses

stats() {
	ft_dir=$T/i
	ft_buffer_stats
	printf '%s %s %s' "$ft_unread" "$ft_seen" "$ft_lost_lines"
}
for key in 5.10 6.1 6.12 7; do
	cp "$D/$key/stats.lost0" "$T/i/per_cpu/cpu0/stats"
	cp "$D/$key/stats.lost1" "$T/i/per_cpu/cpu1/stats"
	cpu=0
	if grep -q '^entries: 0$' "$T/i/per_cpu/cpu0/stats"; then cpu=1; fi
	lib stream -- stats
	tap_is "recorded losses of $key: 5000 calls, 215 kept" "$out" "1 1 $cpu 4785"
	reported() {
		ft_dir=$T/i
		ft_report_losses
	}
	lib stream -- reported
	tap_like "recorded losses of $key, told" "$err" "lost 4785 events [(]CPU $cpu: 4785[)]"
	left() {
		ft_dir=$T/i
		ft_buffer_stats
		ft_unread_left
		printf '%s\n' "$ft_left"
	}
	lib stream -- left
	tap_is "recorded: what is still unread ($key)" "$out" 215
done
printf 'entries: 0\noverrun: 0\ncommit overrun: 9\nbytes: 0\ndropped events: 3\nread events: 7\n' >"$T/i/per_cpu/cpu0/stats"
printf 'entries: 0\noverrun: 4294967297\ncommit overrun: 0\ndropped events: 0\nread events: 0\n' >"$T/i/per_cpu/cpu1/stats"
lib stream -- stats
tap_is 'all three ways to lose count; beyond 32 bits' "$out" "0 1 0 9 3${nl}1 4294967297"
lib stream -- reported
tap_like 'all of it, exactly' "$err" 'lost 4294967309 events [(]CPU 0: 12, CPU 1: 4294967297[)]'
rm -r "$T/i/per_cpu"
lib stream -- stats
tap_is 'a kernel without stats (before 2.6.31)' "$out" '0 0 '

### the reader's state

at() {
	ft_reader=9
	ft_reader_at
	printf '%s\n' "$ft_at"
}
for key in 5.10 6.1 6.12 7; do
	cp "$D/$key/wchan" "$D/$key/syscall" "$P/9/"
	lib stream -- at
	tap_is "recorded: asleep in trace_pipe on $key" "$out" read
done
echo 0 >"$P/9/wchan"
echo '1 0x1 0x7f6fcda74000 0x10000 0x8 0x0 0x558b93 0x7ffd32f43288 0x47b6fd' >"$P/9/syscall"
lib stream -- at
tap_is 'asleep in a write to stdout' "$out" write
echo '0 0x1 0x7f6fcda74000 0x10000 0x8 0x0 0x558b93 0x7ffd32f43288 0x47b6fd' >"$P/9/syscall"
echo pipe_write >"$P/9/wchan"
lib stream -- at
tap_is 'asleep in a full pipe' "$out" write
echo 0 >"$P/9/wchan"
echo running >"$P/9/syscall"
lib stream -- at
tap_is 'running' "$out" ''
rm "$P/9/wchan" "$P/9/syscall"
lib stream -- at
tap_is 'neither file' "$out$err" ''

### the watch for silence: over after some seconds, and its PID may be another's long before the run ends

end_watch() { # PID START
	ft_watch="$1 $2"
	ft_end_watch
}
sleep 60 &
other=$!
ln -s "/proc/$other" "$P/$other"
lib stream -- end_watch "$other" 1
tap_ok 'the PID is somebody else by now: left alone' kill -0 "$other"
lib stream -- end_watch "$other" "$(awk '{ print $22 }' "/proc/$other/stat")"
rc=0
wait "$other" 2>/dev/null || rc=$?
tap_ok 'it is the watch: ended' test "$rc" -gt 128
rm "$P/$other"

### the header

header() {
	ft_dir=$T/i
	ft_header
}
for key in 5.10 6.1 6.12 7; do
	cp "$D/$key/trace.function" "$T/i/trace"
	lib stream -- header
	tap_is "the header of $key, and no line more" "$out" "$(grep '^#' "$D/$key/trace.function")"
done

### K56: clocks

clock() { # the clock that an own instance gets
	ft_dir=$T/i
	ft_private=1
	ft_clock "$@" && cat "$T/i/trace_clock"
}
for key in 5.10 6.1 6.12 7; do
	cp "$D/$key/trace_clock" "$T/i/trace_clock"
	lib -- clock
	tap_is "K56: an instance gets mono ($key)" "$out" mono
	cp "$D/$key/trace_clock" "$T/i/trace_clock"
	lib -- clock nosuch
	tap_like "K56: an unknown clock: 2, with those there are ($key)" "$rc $err" "^2 .*no clock 'nosuch' here: .*\[(local|mono)\]"
done
echo '[local] global' >"$T/i/trace_clock"
lib -- clock
tap_is 'K56: no mono: as it is' "$out" '[local] global'
lib -- clock 'l*'
tap_is 'K56: a glob is no clock' "$rc" 2

### readings for nothing: what to write to get them back

default() {
	ft_default_text "$1"
	printf '%s\n' "$ft_value"
}
for key in 5.10 6.1 6.12 7; do
	for file in set_ftrace_filter set_ftrace_notrace set_graph_function set_ftrace_pid set_event_pid; do
		lib guard -- default "$(head -n 1 "$D/$key/$file")"
		tap_is "empty $file of $key" "$out" ''
	done
	lib guard -- default "$(cat "$D/$key/events.sched.sched_switch.filter")"
	tap_is "no filter ($key)" "$out" 0
done
lib guard -- default '7 (expanded: 1408)'
tap_is 'a buffer before its first use' "$out" 7
lib guard -- default vfs_read
tap_is 'anything else' "$out" vfs_read

tap_done
