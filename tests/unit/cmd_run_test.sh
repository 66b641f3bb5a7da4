# shellcheck shell=sh
# cmd_run_test.sh - whole runs on the fake: output, sessions, undo order, signals, counts
# SPDX-License-Identifier: GPL-2.0-only
# runs: whole

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

D=$UNIT/data

in_order() { # NAME TEXT LINE...: TEXT has these lines, in this order
	local name="$1" text="$2" want

	shift 2
	want=$(for line; do printf '%s\n' "$line"; done)
	printf '%s\n' "$want" >"$T/want"
	tap_is "$name" "$(printf '%s\n' "$text" | awk -v file="$T/want" '
		BEGIN { while ((getline line < file) > 0) want[++n] = line; at = 1 }
		at <= n && $0 == want[at] { print; at++ }')" "$want"
}

tracing() { # the run has said that it traces
	grep -q '^Tracing' "$T/err"
}

### a run for a duration: the buffer's lines, nothing else, and all undone

for key in 5.10 6.12 7; do
	fake "$key"
	grep '^#' "$D/$key/trace.comm" >"$FAKE/instance/trace"
	grep -v '^#' "$D/$key/trace.comm" >"$FAKE/buffer"
	lines=$(cat "$FAKE/buffer")
	before=$(fake_state)
	run functrace -d 0.05 vfs_read
	tap_is "functrace -d ($key): 0" "$rc" 0
	tap_is "functrace -d ($key): the recorded lines, hostile names and all (K29)" "$out" "$lines"
	tap_is "functrace -d ($key): the banner" "$err" 'Tracing 1 function for 0.05 seconds...'
	state_is "functrace -d ($key): all undone"
	run functrace -H -d 0.05 vfs_read
	tap_is "functrace -H ($key): header, then lines" "$out" "$(cat "$D/$key/trace.comm")"
	: >"$FAKE/log"
	run tpoint -d 0.05 sched:sched_switch
	tap_is "tpoint -d ($key)" "$rc $out" "0 $lines"
	in_order "tpoint ($key): recording off, the event, recording on and off" "$(writes)" \
		'tracing_on 0' 'events/sched/sched_switch/enable 1' 'tracing_on 1' 'tracing_on 0' 'current_tracer nop' 'events/enable 0'
	state_is "tpoint -d ($key): all undone"
	: >"$FAKE/log"
	run kprobe -d 0.05 p:vfs_read
	tap_is "kprobe -d ($key)" "$rc $out" "0 $lines"
	in_order "K21 kprobe ($key): disabled before it is deleted" "$(writes | sed 's/ft_[0-9_]*/GROUP/g')" \
		'kprobe_events p:GROUP/vfs_read vfs_read' 'events/GROUP/vfs_read/enable 1' 'tracing_on 0' 'events/enable 0' \
		'kprobe_events -:GROUP/vfs_read'
	state_is "kprobe -d ($key): all undone"
	run modtrace -d 0.05 loop
	tap_is "modtrace -d ($key)" "$rc $out" "0 $lines"
	state_is "modtrace -d ($key): all undone"
	grep -v '^#' "$D/$key/trace.graph" >"$FAKE/buffer"
	: >"$FAKE/log"
	run funcgraph -d 0.05 vfs_read
	tap_is "funcgraph -d ($key)" "$rc $out" "0 $(cat "$FAKE/buffer")"
	state_is "funcgraph -d ($key): all undone"
	case $key in
	5.10) in_order "K21 funcgraph ($key), top level: the tracer before the filter" "$(writes)" \
		'set_graph_function vfs_read' 'current_tracer function_graph' 'tracing_on 1' 'tracing_on 0' 'current_tracer nop' \
		'set_graph_function ' 'tracing_on 1' ;;
	esac
done

### K70: tracing_on is never written 1 over 1

fake 7
for command in 'functrace -d 0.05 vfs_read' 'tpoint -d 0.05 sched:sched_switch' 'funccount -d 0.05 vfs_read'; do
	: >"$FAKE/log"
	# shellcheck disable=SC2086 # words
	run $command
	tap_is "K70: $command" "$(writes | awk '$1 == "tracing_on" { if ($2 == 1 && on) print "1 over 1"; on = $2 } BEGIN { on = 1 }')" ''
done

### live: lines as they come, the code of the signal

for case in 'INT 0' 'TERM 143' 'HUP 129' 'QUIT 131'; do
	fake 7
	before=$(fake_state)
	fake_feed "$D/7/trace.comm"
	start functrace vfs_read
	tap_ok "live ${case% *}: a line comes out" wait_for grep -q read_zero "$T/out"
	finish "${case% *}"
	stop_feeder
	tap_is "K15 ${case% *}: exit ${case#* }" "$rc" "${case#* }"
	tap_is "live ${case% *}: the lines as they were" "$out" "$(cat "$D/7/trace.comm")"
	state_is "K15 ${case% *}: all undone"
done

### funccount: three engines

fake 7
before=$(fake_state)
start funccount -v 'vfs_read' 'vfs_write'
tap_ok 'K6 funccount -v: it traces' wait_for tracing
tap_like 'K6: the engine is told' "$(cat "$T/err")" '^engine: kprobe [(]2 functions'
# The kernel counts: 42 and 4294967297 hits, and 3 that were missed
awk '{ $2 = NR == 1 ? 42 : 4294967297; $3 = NR == 1 ? 3 : 0; print "  " $0 }' "$TRACEFS/kprobe_profile" >"$T/profile"
cat "$T/profile" >"$TRACEFS/kprobe_profile"
finish TERM
tap_is 'funccount kprobe: exit 143' "$rc" 143
tap_is 'funccount kprobe: exact, beyond 32 bits' "$(printf '%s\n' "$out" | awk 'NR > 2 { print $1, $2 }')" \
	"vfs_read 42${nl}vfs_write 4294967297"
tap_like 'K55: missed hits are told' "$err" 'missed 3 hits'
state_is 'funccount kprobe: all undone'

fake 7
before=$(fake_state)
fake_feed "$D/7/trace_pipe.nocontext"
start funccount -e trace read_zero
tap_ok 'funccount trace: a table at the mark' wait_for grep -q read_zero "$T/out"
finish TERM
stop_feeder
tap_like 'funccount trace: the 6 calls before it' "$out" '^read_zero +6$'
state_is 'funccount trace: all undone'

profiler() { # a kernel with the function profiler, which no recorded one has
	fake "$1"
	echo 0 >"$TRACEFS/function_profile_enabled"
	mkdir "$TRACEFS/trace_stat"
	printf '  Function   Hit  Time\n  --------  ---  ----\n  vfs_read  %s  1.0 us\n' 4294967296 >"$TRACEFS/trace_stat/function0"
	printf '  vfs_read  5  1.0 us\n  vfs_write  7 1.0 us\n' >"$TRACEFS/trace_stat/function1"
	before=$(fake_state)
}
trap_machine() { # a kprobe is a trap here
	grep -v kprobe_ftrace_handler "$FAKE/proc/kallsyms" >"$T/no_handler"
	cat "$T/no_handler" >"$FAKE/proc/kallsyms"
}
profiler 7
trap_machine
: >"$FAKE/log"
run funccount -v -d 0.05 vfs_read vfs_write
tap_like 'funccount profile: told' "$err" '^engine: profile'
tap_is 'funccount profile: all CPUs' "$(printf '%s\n' "$out" | awk 'NR > 2 { print $1, $2 }')" \
	"vfs_write 7${nl}vfs_read 4294967301"
in_order 'K21 profile: off before the filter goes' "$(writes)" 'set_ftrace_filter vfs_read' 'function_profile_enabled 1' \
	'function_profile_enabled 0' 'set_ftrace_filter '
state_is 'funccount profile: all undone'
run funccount -e trace -d 0.05 vfs_read
tap_is 'funccount -e trace beside a profiler' "$rc" 0
profiler 3.10
trap_machine
run funccount -v -d 0.05 vfs_read vfs_write
tap_like 'funccount profile: a session at the top level is no stranger there' "$rc $err" '^0 engine: profile'
state_is 'funccount profile at the top level: all undone'
profiler 7
run funccount -v -d 0.05 vfs_read vfs_write
tap_like 'funccount beside a profiler: kprobes, where ftrace calls them' "$rc $err" '^0 engine: kprobe'
tap_is 'funccount beside a profiler: kprobes leave it alone' "$(cat "$TRACEFS/function_profile_enabled")" 0
profiler 7
echo 1 >"$TRACEFS/function_profile_enabled"
before=$(fake_state)
run funccount -v -d 0.05 vfs_read
tap_like 'the profiler in use: another engine' "$rc $err" '^0 engine: kprobe|^engine: kprobe'
state_is 'K8: the foreign profile is untouched'
run funccount -e profile -d 0.05 vfs_read
tap_is 'the profiler in use and forced: 5' "$rc" 5
state_is 'K8: and still untouched'
fake 7
run funccount -e profile vfs_read
tap_like 'K6 no profiler and forced: 4, and its option' "$rc $err" '^4 .*CONFIG_FUNCTION_PROFILER'

### where kprobes are traps, or refused

fake 7
trap_machine
before=$(fake_state)
: >"$FAKE/log"
run funccount -v -d 0.05 vfs_read vfs_write
tap_like 'traps funccount: no kprobe that nobody asked for where it is a trap' "$rc $err" '^0 engine: trace'
unlike 'traps funccount: none was tried' "$(writes)" '^kprobe_events'
run modtrace -c -v -d 0.05 loop
tap_like 'traps modtrace -c: neither' "$rc $err" '^0 engine: trace'
run funccount -v -e kprobe -d 0.05 vfs_read
tap_like 'traps funccount -e kprobe: there they are, with a word about it' "$rc $err" '^0 .*a kprobe is a trap on this machine'
run kprobe -d 0.05 p:vfs_read p:vfs_write
tap_is 'traps kprobe: it is said, once' "$rc $(printf '%s\n' "$err" | grep -c 'a kprobe is a trap on this machine')" '0 1'
printf 'processor\t: 0\nvendor_id\t: GenuineIntel\n' >"$FAKE/proc/cpuinfo"
run kprobe -d 0.05 p:vfs_read
unlike 'traps kprobe: not where a trap may stand anywhere' "$rc $err" 'trap'
rm "$FAKE/proc/cpuinfo"
state_is 'traps: all undone'
run fieldtrace check
tap_like 'traps fieldtrace check: traps' "$out" '^kprobe .*: a trap'
for refused in '*' vfs_write; do
	fake 7
	before=$(fake_state)
	FAKE_NOPROBE=$refused
	export FAKE_NOPROBE
	run funccount -v -d 0.05 vfs_read vfs_write
	tap_like "traps funccount: trace at the first refusal ($refused)" "$rc $err" '^0 engine: kprobe'
	tap_like "traps funccount: and it is told ($refused)" "$err" '^engine: trace [(]the kernel refuses a kprobe on vfs_'
	tap_is "traps funccount: one refusal is enough ($refused)" "$(writes | grep -c '^kprobe_events p:.*vfs_w\|^kprobe_events p:.*vfs_read')" \
		"$([ "$refused" = '*' ] && echo 1 || echo 2)"
	run fieldtrace check
	tap_like "traps fieldtrace check: entry probes ($refused)" "$out" \
		"^kprobe .*entry: $([ "$refused" = '*' ] && echo refused || echo 'a call from ftrace')"
	state_is "traps: all undone ($refused)"
	unset FAKE_NOPROBE
done

### words that are globs to a shell, in a folder where they match files

fake 7
mkdir -p "$T/files"
cd "$T/files" || exit
: >vfs_readme
: >./1
: >'lo_:mod:nosuch'
fake_pid 1 init 5
run funcgraph -d 0.05 -x 'vfs_*' vfs_read
tap_is 'globfile funcgraph -x: literal' "$rc $(writes | grep '^set_ftrace_notrace' | head -n 1)" '0 set_ftrace_notrace vfs_*'
for option in -p -L; do
	for word in '*' '[1]' '?'; do
		run functrace -d 0.05 "$option" "$word" vfs_read
		tap_like "globfile functrace $option $word: no PID" "$rc $err" "^2 .*$option takes a PID, not"
	done
	run tpoint -d 0.05 "$option" '*' sched:sched_switch
	tap_is "globfile tpoint $option: no PID" "$rc" 2
done
: >"$FAKE/log"
run modtrace -w -d 0.05 nosuch 'lo_*'
tap_like 'globfile modtrace -w: literal' "$(writes)" '^set_ftrace_filter lo_[*]:mod:nosuch$'
cd "$T" || exit

### names

fake 7
run functrace -d 0.05 vfs_raed
tap_like 'no such function: 7, with close names' "$rc $err" "^7 .*no function matches 'vfs_raed'[.] Close: vfs_read"
run tpoint sched:sched_swicth
tap_like 'no such event: 7, with a close one' "$rc $err" '^7 .*Close: sched:sched_switch'
run kprobe p:vfs_raed
tap_like 'no such symbol: 7, with close names' "$rc $err" '^7 .*vfs_read'
run functrace -d 0.05 bfs_read
tap_like 'close: the first letter is the wrong one' "$rc $err" '^7 .*Close: vfs_read'
run kprobe -d 0.05 p:bfs_read
tap_like 'close: of kprobe as well' "$rc $err" '^7 .*Close: vfs_read'

# A function of two names; names that the compiler changed: one rule in each command
# shellcheck disable=SC2016
printf '%s\n' 'ffffffff81777000 T read_alias' "$(awk '$3 == "vfs_read" { print $1 }' "$FAKE/proc/kallsyms") T read_twin" \
	'ffffffff81777100 t thin.llvm.77' 'ffffffff81777200 t hash$0a1b' 'ffffffff81777300 t hash$0a1b.cold' \
	'ffffffff81777400 t chilly.cold' 'ffffffff81777500 t many.isra.0' 'ffffffff81777600 t many.part.0' >>"$FAKE/proc/kallsyms"
# shellcheck disable=SC2016
printf '%s\n' thin.llvm.77 'hash$0a1b' many.isra.0 many.part.0 >>"$TRACEFS/available_filter_functions"
before=$(fake_state)
for command in funccount functrace funcgraph; do
	run "$command" -d 0.05 read_twin kernel_clone
	tap_like "alias $command: taken by the name that the list has" "$rc $err" "^0 $command: 'read_twin' is the same function as vfs_read; taking that"
	tap_like "alias $command: and the others stay" "$err" '^Tracing 2 functions'
	run "$command" -d 0.05 read_alias
	tap_like "alias $command: one that the list has by no name" "$rc $err" '^7 .*read_alias.* cannot be traced'
done
# shellcheck disable=SC2016
for name in 'thin thin.llvm.77' 'hash hash[$]0a1b'; do
	for command in funccount functrace funcgraph 'kprobe p:'; do
		# shellcheck disable=SC2086 # kprobe's p: is part of its word
		case $command in
		kprobe*) run kprobe -d 0.05 "p:${name% *}" ;;
		*) run $command -d 0.05 "${name% *}" ;;
		esac
		tap_like "variant ${command% *}: ${name% *}" "$rc $err" "^0 .*'${name% *}' exists here as ${name#* } only; taking that"
	done
done
run kprobe -d 0.05 p:chilly
tap_like 'variant kprobe: the cold part alone' "$rc $err" "^0 kprobe: 'chilly' exists here as chilly.cold only"
run functrace -d 0.05 chilly
tap_like 'variant functrace: a probe can' "$rc $err" "^7 .*'chilly' is in this kernel, but its calls cannot be traced"
run functrace -d 0.05 chilly.cold
tap_like 'variant functrace: by its full name' "$rc $err" "^7 .*'chilly.cold' is in this kernel, but its calls cannot be traced"
for command in functrace 'kprobe p:'; do
	case $command in
	kprobe*) run kprobe -d 0.05 p:many ;;
	*) run functrace -d 0.05 many ;;
	esac
	tap_like "variant ${command% *}: several are none" "$rc $err" "^7 .*no function is just 'many' here, but there are: many.isra.0 many.part.0"
done
state_is 'variant: all undone'

run modtrace nosuch
tap_like 'no such module: 7' "$rc $err" "^7 .*no module 'nosuch' is loaded"
run tpoint -d 0.05 sched:sched_switch 'bogus == 1'
tap_like 'K50: a refused filter: 8, with the caret' "$rc $err" '^8 '
tap_like 'K50: and the fields there are' "$err" '^  fields: prev_comm prev_pid'
unlike 'K50: the event was never enabled' "$(writes)" 'sched_switch/enable 1'
run tpoint -d 0.05 sched:sched_switch 'prev_pid == 1'
tap_is 'K50: a good filter' "$rc" 0
run tpoint -v sched:sched_switch
tap_is 'tpoint -v: the format and an example' "$rc $(printf '%s\n' "$out" | tail -n 1)" \
	"0 filter example: tpoint sched:sched_switch 'prev_comm ~ \"*name*\" && prev_pid > 0'"
run tpoint -l 'sched:sched_process_*'
tap_is 'tpoint -l' "$out" "$(grep '^sched:sched_process_' "$TRACEFS/available_events")"
run modtrace -l loop
tap_is 'modtrace -l' "$out" "$(grep '\[loop\]' "$TRACEFS/available_filter_functions")"
run modtrace -o "$T/list" loop
tap_is 'modtrace -o' "$rc $(cat "$T/list")" "0 $(grep '\[loop\]' "$TRACEFS/available_filter_functions")"
run functrace -d 0.05 "@$T/list"
tap_like 'and as @FILE' "$rc $err" "^0 Tracing $(grep -c . "$T/list") functions"
run modtrace -n loop
tap_like 'modtrace -n: the write' "$rc $out" '^0 set_ftrace_filter <- :mod:loop'
before=$(fake_state)

### K39, K40, K47: definitions of probes, as they reach the kernel

defined() { # WANT ARG...
	local want="$1"

	shift
	: >"$FAKE/log"
	run kprobe -d 0.05 "$@"
	tap_is "K39: $*" "$rc $(writes | sed -n 's/^kprobe_events \([pr]\)/\1/p' | sed 's/ft_[0-9_]*/G/' | tr '\n' ';')" "0 $want;"
}
defined 'p:G/vfs_read vfs_read' p:vfs_read
defined 'p:G/vfs_read vfs_read si=%si' 'p:vfs_read si=%si'
defined 'p:G/n vfs_read' 'p:n vfs_read'
defined 'p:g/n vfs_read' 'p:g/n vfs_read'
# shellcheck disable=SC2016
defined 'r:G/vfs_read vfs_read $retval' 'r:vfs_read $retval'
defined 'r10:G/n vfs_read' 'r10:n vfs_read'
defined 'p:G/lo_release loop:lo_release' p:loop:lo_release
defined 'p:G/vfs_read vfs_read+0x10' p:vfs_read+0x10
defined 'p:G/p_0xffffffff81000000 0xffffffff81000000' p:0xffffffff81000000
defined 'p:G/vfs_statfs_part_0_isra_0 vfs_statfs.part.0.isra.0' p:vfs_statfs.part.0.isra.0
defined 'p:G/vfs_read vfs_read;p:G/vfs_read_2 vfs_read' p:vfs_read p:vfs_read
defined 'p:G/vfs_read vfs_read;r:G/vfs_read_2 vfs_read' p:vfs_read r:vfs_read
long=a123456789b123456789c123456789d123456789e123456789f123456789g123456789h123456789
defined "p:G/$(printf '%s' "$long" | cut -c 1-56) vfs_read" "p:$long vfs_read"
defined 'p:G/_9lives vfs_read' 'p:9lives vfs_read'
state_is 'K39: all undone'
run kprobe 'p:vfs_read +0(%nosuch):string'
tap_like 'K61: a refused definition: 8, with the kernel'\''s words' "$rc $err" '^8 .*Invalid register name'
tap_like 'K61: and its caret' "$err" '^ +\^$'
state_is 'K61: all undone'
dup=$(awk '$2 ~ /^[tT]$/ { print $3 }' "$FAKE/proc/kallsyms" | sort | uniq -d | head -n 1)
run kprobe "p:$dup"
tap_like 'K48: a name that is there more than once: 7, and where' "$rc $err" "^7 .*'$dup' exists more than once: 0x[0-9a-f]*, 0x"
state_is 'K48: all undone'

tap_done
