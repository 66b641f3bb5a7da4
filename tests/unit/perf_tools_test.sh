# shellcheck shell=sh
# perf_tools_test.sh - the lines that perf-tools shows as its examples: each is understood, and says something useful, on a kernel of today
# SPDX-License-Identifier: GPL-2.0-only
# runs: once
# shellcheck disable=SC2016 # $retval is the kernel's

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

fake 7
n=0
for name in do_nanosleep hrtimer_nanosleep do_sys_open do_sys_openat2 bio_alloc_bioset kernel_clone tcp_sendmsg tcp_recvmsg \
	tcp_retransmit_skb ext4_readdir ext4_file_open path_openat __x64_sys_read __x64_sys_sync folio_mark_accessed \
	mark_page_accessed submit_bio; do
	n=$((n + 1))
	if grep -q " $name\$" "$FIELDTRACE_PROC/kallsyms"; then continue; fi
	echo "$name" >>"$TRACEFS/available_filter_functions"
	echo "ffffffff8200${n}000 T $name" >>"$FIELDTRACE_PROC/kallsyms"
done
for dir in "$TRACEFS" "$FAKE/instance"; do echo 1 >"$dir/options/sleep-time"; done
mkdir -p "$TRACEFS/events/syscalls/sys_enter_open" "$TRACEFS/events/block/block_rq_insert"
for event in block:block_rq_issue block:block_rq_insert block:block_rq_complete sched:sched_process_fork; do
	grep -q "^$event\$" "$TRACEFS/available_events" || echo "$event" >>"$TRACEFS/available_events"
	fake_event "$TRACEFS" "$UNIT/data/7" "$event"
done
fake_pid 198 sh 5
fake_pid 181 sh 5
before=$(fake_state)

# RC, what stderr or stdout must say, the line. -d stands in front where the line has none: it would trace until Ctrl-C.
while IFS='|' read -r want text line; do
	case $line in
	'' | '#'*) continue ;;
	esac
	command=${line%% *}
	case $line in
	*' -d '* | *' -l'* | *' -v '*) ;;
	*) line="$command -d 0.05${line#"$command"}" ;;
	esac
	: >"$FAKE/log"
	eval "run $line" # this file's own text
	tap_like "perf-tools: $line" "$rc $err $out" "^$want "
	tap_like "perf-tools: $line: says" "$err$nl$out" "$text"
done <<'END'
0|Tracing [0-9]* functions|funccount 'vfs*'
0|Tracing [0-9]* functions for 0.1|funccount -d 0.1 'tcp*'
7|no function matches 'ext3[*]'|funccount -t 10 'ext3*'
0|Tracing 2 functions|funccount -t 10 'ext4*'
0|Tracing|funccount -i 0.05 -d 0.1 'tcp*'
0|Tracing 1 function|funcgraph do_nanosleep
0|Tracing 1 function|funcgraph -C do_nanosleep
0|the work of do_sys_open is done by do_sys_openat2|funcgraph -m 3 do_sys_open
0|Tracing 1 function|funcgraph -a do_nanosleep
0|Tracing 1 function|funcgraph -p 198 do_nanosleep
0|Tracing 1 function|funcgraph -d 0.1 do_nanosleep
7|no function matches 'do_fork'.* Its work is done by kernel_clone here|funcgraph do_fork
7|Its work is done by __x64_sys_read here|funcgraph sys_read
0|Tracing 1 function|functrace do_nanosleep
0|Tracing 2 functions|functrace '*nanosleep'
0|Tracing [0-9]* functions|functrace -p 198 'vfs*'
0|Tracing 3 functions for 0.1|functrace -d 0.1 'tcp*'
0|the work of do_sys_open is done by do_sys_openat2|functrace do_sys_open
7|Its work is done by __x64_sys_[*] here|functrace 'sys_*'
7|Its work is done by __x64_sys_sync here|functrace SyS_sync
0|Tracing block:block_rq_issue|tpoint block:block_rq_issue
0|Tracing block:block_rq_insert|tpoint -s block:block_rq_insert
0|Tracing block:block_rq_issue|tpoint -p 181 block:block_rq_issue
0|Tracing block:block_rq_complete|tpoint -d 0.1 block:block_rq_complete
0|^block:block_rq_issue$|tpoint -l
0|field:|tpoint -v block:block_rq_issue
7|no event 'syscalls:sys_enter_opne'|tpoint syscalls:sys_enter_opne
0|the work of do_sys_open is done by do_sys_openat2|kprobe p:do_sys_open
0|Tracing do_sys_open|kprobe r:do_sys_open
0|the work of do_sys_open is done by do_sys_openat2|kprobe 'r:do_sys_open $retval'
0|the work of do_sys_open is done by do_sys_openat2|kprobe 'r:myopen do_sys_open $retval'
0|Tracing myopen|kprobe 'p:myopen do_sys_open mode=%cx:u16'
0|Tracing myopen|kprobe 'p:myopen do_sys_open filename=+0(%si):string'
0|Tracing myprobe|kprobe -s 'p:myprobe tcp_retransmit_skb'
0|Tracing myopen|kprobe -p 181 'p:myopen do_sys_open'
0|Tracing myopen|kprobe -d 0.1 'p:myopen do_sys_open'
7|Its work is done by bio_alloc_bioset here[.] Close: bio_alloc_bioset|kprobe 'p:myprobe bio_alloc gfp=%di'
7|Its work is done by kernel_clone here|kprobe p:do_fork
0|the work of mark_page_accessed is done by folio_mark_accessed|kprobe p:mark_page_accessed
END
state_is 'perf-tools: all undone'

tap_done
