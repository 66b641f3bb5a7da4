# shellcheck shell=sh
# record_guest.sh - the part of record.sh that runs in the guest: readings of tracefs and /proc, a section each
# SPDX-License-Identifier: GPL-2.0-only
#
# Excerpts keep the kernel's own order and bytes; what is left out is whole lines.

t=/sys/kernel/tracing
exec 2>/dev/null
grep -q tracefs /proc/mounts || mount -t tracefs tracefs $t
modprobe loop 2>/dev/null || insmod "$(find / -name 'loop.ko*' 2>/dev/null | head -n 1)"
modprobe dummy 2>/dev/null || :

# section NAME - what follows on stdout is the content of data/KEY/NAME
section() {
	printf '=== %s\n' "$1"
}

# as_is FILE... - each file of tracefs whole, under its name with "/" as "."
as_is() {
	local file
	for file; do
		section "$(echo "$file" | tr / .)"
		cat "$t/$file" 2>/dev/null
	done
}

# reads N - N reads of /dev/zero
reads() {
	/bb/dd if=/dev/zero of=/dev/null bs=64 count="$1" 2>/dev/null
}

# only_reads - the filter of instance $i: the function behind a read of /dev/zero, which goes by two names
only_reads() {
	echo read_iter_zero >$i/set_ftrace_filter
	echo read_zero >>$i/set_ftrace_filter
}

as_is available_tracers trace_clock trace_options set_ftrace_filter set_ftrace_notrace set_graph_function \
	set_ftrace_pid set_event_pid buffer_size_kb current_tracer tracing_on tracing_thresh max_graph_depth trace \
	events/sched/sched_switch/filter events/sched/sched_switch/format events/sched/sched_process_exec/format \
	events/sched/sched_process_fork/format events/block/block_rq_issue/format \
	events/syscalls/sys_enter_openat/format events/kmem/kmalloc/format

section README
grep -B 1 -A 12 '^  set_ftrace_filter' $t/README
section uname
uname -r
section files
# shellcheck disable=SC2012
(cd $t && ls -1)
section options
(cd $t/options && ls -1)
section mounts
cat /proc/mounts
section modules
cat /proc/modules
section status
cat /proc/self/status
section stat
cat /proc/self/stat

section kallsyms
# The modules' symbols, functions of one beginning, every name that is there three times, and brackets that are no module.
echo 'p:ft_rec vfs_read' >$t/kprobe_events && echo 1 >$t/events/kprobes/ft_rec/enable
awk '$3 ~ /^(vfs_|_?do_sys_open|kernel_clone|read_iter_zero|read_zero)/ || $4 ~ /^\[(loop|dummy)\]/' /proc/kallsyms | head -n 170
grep -v '\[loop\]\|\[dummy\]' /proc/kallsyms | grep '\[' | grep -v '\[xfs\]' | head -n 20
awk 'FNR == NR { n[$3]++; next } n[$3] > 2 && $2 ~ /[tT]/ && shown[$3]++ < 4' /proc/kallsyms /proc/kallsyms | head -n 30
section kprobe_events
cat $t/kprobe_events
reads 7
section kprobe_profile
cat $t/kprobe_profile
echo 0 >$t/events/kprobes/ft_rec/enable
echo >$t/kprobe_events

section available_filter_functions
awk '/^vfs_/ || /[.]/ && dot++ < 14 || /__ftrace_invalid/ && bad++ < 12 || /\[(loop|dummy)\]/ ||
	/^(do_sys_open|do_sys_openat2|kernel_clone|read_(iter_)?zero|schedule|kernel_halt)$/' $t/available_filter_functions
awk 'FNR == NR { n[$1]++; next } n[$1] > 1' $t/available_filter_functions $t/available_filter_functions | head -n 40
section available_events
grep -E '^(sched|block|task|signal|ftrace|raw_syscalls):|^syscalls:.*open|^timer:' $t/available_events

# A filter's reading, by name, by module and by number.
i=$t/instances/rec
mkdir $i
echo vfs_read >$i/set_ftrace_filter
echo ':mod:loop' >>$i/set_ftrace_filter
section set_ftrace_filter.some
cat $i/set_ftrace_filter
section error.filter
echo 'bogus == 1' 2>/dev/null >$i/events/sched/sched_switch/filter
cat $i/error_log 2>/dev/null || cat $t/error_log
section filter.refused
cat $i/events/sched/sched_switch/filter
echo 0 >$i/events/sched/sched_switch/filter
section error.probe
echo 'p:ft_rec/x no_such_function_at_all' >>$t/kprobe_events
cat $t/error_log
section error.probe_arg
echo >$t/error_log
echo 'p:ft_rec/x vfs_read +0(%nosuch):string' >>$t/kprobe_events
cat $t/error_log

# The function tracer, with context and without, a stack, a mark, other clocks.
echo 0 >$i/tracing_on
only_reads
section set_ftrace_filter.native
cat $i/set_ftrace_filter
grep -q . $i/set_ftrace_filter && echo function >$i/current_tracer
echo 1 >$i/tracing_on
reads 5
echo 0 >$i/tracing_on
section trace.function
cat $i/trace
for clock in local global mono boot counter x86-tsc uptime; do
	echo "$clock" >$i/trace_clock 2>/dev/null || continue
	echo >$i/trace
	echo 1 >$i/tracing_on
	reads 3
	echo 0 >$i/tracing_on
	section "trace.clock.$clock"
	cat $i/trace
done
echo mono >$i/trace_clock
echo 0 >$i/options/context-info
echo >$i/trace
echo 1 >$i/tracing_on
reads 6
echo 'fieldtrace-table Mon Nov 30 03:00:00 UTC 2026' >$i/trace_marker
reads 4
echo 'fieldtrace-end ' >$i/trace_marker
echo 0 >$i/tracing_on
section trace_pipe.nocontext
/bb/dd if=$i/trace_pipe of=/tmp/pipe bs=65536 2>/dev/null &
sleep 1
kill $! 2>/dev/null
cat /tmp/pipe
echo 1 >$i/options/context-info

# Losses: a buffer too small, overwritten and read.
echo nop >$i/current_tracer
echo 4 >$i/buffer_size_kb
echo function >$i/current_tracer
echo 1 >$i/tracing_on
reads 5000
echo 0 >$i/tracing_on
section stats.lost0
cat $i/per_cpu/cpu0/stats
section stats.lost1
cat $i/per_cpu/cpu1/stats
section trace_pipe.lost
/bb/dd if=$i/trace_pipe of=/tmp/pipe bs=65536 2>/dev/null &
sleep 1
kill $! 2>/dev/null
head -n 12 /tmp/pipe
section wchan
/bb/dd bs=65536 <$i/trace_pipe >/dev/null 2>&1 &
pid=$!
sleep 1
cat /proc/$pid/wchan
echo
section syscall
cat /proc/$pid/syscall
kill $pid
sleep 1
echo nop >$i/current_tracer

# Hostile names of processes.
echo >$i/trace
echo 1408 >$i/buffer_size_kb
only_reads
echo function >$i/current_tracer
echo 1 >$i/tracing_on
for name in 'tmux: server' 'dd_worker thr' '[x] 1:(y)' '<-evil' ' -1 [000]'; do
	(
		printf '%s' "$name" >/proc/self/comm
		# shellcheck disable=SC3045 # this runs in BusyBox ash only
		read -r -n 3 x </dev/zero
	)
done
echo 0 >$i/tracing_on
section trace.comm
cat $i/trace
echo nop >$i/current_tracer
echo >$i/set_ftrace_filter

# Graph, where it goes into an instance, else at the top level.
g=$i
grep -q function_graph $i/available_tracers || g=$t
echo 0 >$g/tracing_on
echo >$g/trace
echo vfs_read >$t/set_graph_function
section set_graph_function.some
cat $t/set_graph_function
echo 3 >$t/max_graph_depth
echo function_graph >$g/current_tracer
echo 1 >$g/tracing_on
reads 2
echo 0 >$g/tracing_on
section trace.graph
head -n 40 $g/trace
echo nop >$g/current_tracer
echo >$t/set_graph_function
echo 0 >$t/max_graph_depth
echo 1 >$t/tracing_on
rmdir $i
