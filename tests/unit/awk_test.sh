# shellcheck shell=sh
# awk_test.sh - the counting programs, lost.awk, events.awk, filter_example.awk on recorded readings
# SPDX-License-Identifier: GPL-2.0-only
# runs: awks

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

D=$UNIT/data

row() { # NAME COUNT: a table's row
	printf '%-30s %8s\n' "$1" "$2"
}

table() { # ROW_LINES...: a whole table
	printf '\n%-30s %8s\n' FUNC COUNT
	for line; do printf '%s\n' "$line"; done
}

### count_kprobe.awk

kprobe_table() { # FUNCTIONS EARLIER LATER [TOP] [STAMP]
	printf '%s\n--\n%s\n--\n%s\n' "$1" "$2" "$3" | awk_lib count_kprobe -v top="${4:-}" -v stamp="${5:-}"
}

functions="1 vfs_read${nl}2 vfs_write${nl}3 lo_open [loop]"
earlier="  ft99_1   100  0${nl}  ft99_2   7 0${nl}  ft99_3  0 0"
later="  ft99_1   142  0${nl}  ft99_2   7 0${nl}  ft99_3  5 1"
tap_is 'kprobe: the difference, smallest first, none without hits' "$(kprobe_table "$functions" "$earlier" "$later")" \
	"$(table "$(row 'lo_open [loop]' 5)" "$(row vfs_read 42)")"
tap_is 'kprobe: the top 1 is the largest' "$(kprobe_table "$functions" "$earlier" "$later" 1)" "$(table "$(row vfs_read 42)")"
rc=0
kprobe_table '' '' '' >"$T/out" || rc=$?
tap_is 'kprobe: a table without a row is no failure' "$rc $(cat "$T/out")" "0 $(table)"
tap_is 'kprobe: a stamp stands over the table' "$(kprobe_table "$functions" "$earlier" "$later" 1 'Mon Nov 30' | sed -n 2p)" 'Mon Nov 30'
tap_is 'kprobe: counts beyond 2^32 are exact' \
	"$(kprobe_table '1 f' '  ft9_1 4294967296 0' '  ft9_1 4294967297 0')" "$(table "$(row f 1)")"
tap_is 'kprobe: 2^53' "$(kprobe_table '1 f' '  ft9_1 0 0' '  ft9_1 9007199254740992 0')" "$(table "$(row f 9007199254740992)")"
tap_is 'kprobe: 2^53 less an odd number' "$(kprobe_table '1 f' '  ft9_1 1 0' '  ft9_1 9007199254740991 0')" \
	"$(table "$(row f 9007199254740990)")"
tap_is 'kprobe: two functions of one name are one row' "$(kprobe_table "1 dup${nl}2 dup" "  ft9_1 0 0${nl}  ft9_2 0 0" "  ft9_1 2 0${nl}  ft9_2 3 0")" \
	"$(table "$(row dup 5)")"
tap_is 'kprobe: large and small are sorted as numbers' \
	"$(kprobe_table "1 a${nl}2 b${nl}3 c" '' "  x_1 4294967297 0${nl}  x_2 9 0${nl}  x_3 10 0" | awk 'NR > 2 { print $1 }' | tr '\n' ' ')" 'b c a '
for key in 5.10 6.1 6.12 7; do
	hits=$(awk '{ print $2 }' "$D/$key/kprobe_profile")
	tap_is "kprobe: recorded on $key" "$(kprobe_table 'rec vfs_read' '' "$(cat "$D/$key/kprobe_profile")")" \
		"$(table "$(row vfs_read "$hits")")"
done

### count_profile.awk: trace_stat/functionN as kernel/trace/ftrace.c prints it; no recorded kernel has the profiler

long=a_function_with_a_very_long_name
cat >"$T/cpu0" <<END
  Function                               Hit    Time            Avg             s^2
  --------                               ---    ----            ---             ---
  vfs_read                               100    500.000 us      5.000 us        0.100 us
  a_function_with_a_very_long_na           7    1.000 us        0.142 us        0.000 us
END
sed 's/ 100 / 4294967296 /' "$T/cpu0" >"$T/cpu1"
profile_table() { # FUNCTIONS
	{
		printf '%s\n--\n' "$1"
		cat "$T/cpu0" "$T/cpu1"
	} | awk_lib count_profile -v top= -v stamp=
}
tap_is 'profile: CPUs are added up, exact beyond 2^32, names in full again' \
	"$(profile_table "vfs_read${nl}$long")" "$(table "$(row "$long" 14)" "$(row vfs_read 4294967396)")"
tap_like 'profile: two names of one beginning are not added up in silence' \
	"$(profile_table "vfs_read${nl}${long}${nl}${long}_2")" "^a_function_with_a_very_long_na[.][.][.] \(2 functions begin so\) +14$"
tap_is 'profile: a module is shown' "$(profile_table "vfs_read [modx]" | awk '/modx/ { print $1, $2 }')" 'vfs_read [modx]'

### count_trace.awk

trace_tables() { # FILE LIST [TOP]
	awk_lib count_trace -v top="${3:-}" -v list="$2" <"$1"
}
for key in 5.10 6.1 6.12 7; do
	out=$(trace_tables "$D/$key/trace_pipe.nocontext" "$D/$key/set_ftrace_filter.native")
	tap_is "trace: recorded on $key: 6 calls, then 4, each table anew" \
		"$(printf '%s\n' "$out" | awk '$1 == "read_zero" { print $2 }' | tr '\n' ' ')" '6 4 '
	tap_like "trace: the stamp of the mark ($key)" "$out" '^Mon Nov 30 03:00:00 UTC 2026$'
done
tap_is 'trace: a loss is no call' \
	"$(printf '%s\n' 'CPU:0 [LOST 4785 EVENTS]' 'a <-b' 'tracing_mark_write: fieldtrace-end' | trace_tables /dev/stdin /dev/null)" \
	"$(table "$(row a 1)")"
printf 'lo_open [loop]\nvfs_read\n' >"$T/list"
printf '%s\n' 'lo_open <-blkdev_open' 'lo_open <-blkdev_open' 'vfs_read <-ksys_read' 'tracing_mark_write: fieldtrace-end ' >"$T/pipe"
tap_is 'trace: module names come from the listing' "$(trace_tables "$T/pipe" "$T/list")" \
	"$(table "$(row vfs_read 1)" "$(row 'lo_open [loop]' 2)")"
tap_is 'trace: top' "$(trace_tables "$T/pipe" "$T/list" 1)" "$(table "$(row 'lo_open [loop]' 2)")"
rc=0
trace_tables /dev/null /dev/null >"$T/out" || rc=$?
tap_is 'trace: a table without a row is no failure' "$rc $(cat "$T/out")" "0 $(table)"
printf '%s\n' 'a <-b' >"$T/pipe"
tap_is 'trace: a stream that just ends still prints' "$(trace_tables "$T/pipe" /dev/null)" "$(table "$(row a 1)")"
printf '%s\n' a b a 'CPU:0 [LOST 4785 EVENTS]' 'tracing_mark_write: fieldtrace-table' a 'tracing_mark_write: fieldtrace-end ' >"$T/pipe"
tap_is 'trace: bare names, words=1: a mark and a loss are none' \
	"$(awk_lib count_trace -v top= -v list=/dev/null -v words=1 <"$T/pipe")" "$(table "$(row b 1)" "$(row a 2)" && table "$(row a 1)")"
printf '%s\n' '10 20' '10 21' 'CPU:0 [LOST 4785 EVENTS]' '# ffffffff81234567 fieldtrace-table' '10 20' \
	'# ffffffff81234567 fieldtrace-end ' >"$T/pipe"
echo '10 t lo_open	[loop]' >"$T/syms"
tap_is 'trace: bare addresses, words=2: a mark and a loss are none' \
	"$(FT_SYMS="$T/syms" FT_MODULE=loop awk_lib count_trace -v top= -v list=/dev/null -v raw=1 -v words=2 <"$T/pipe")" \
	"$(table "$(row 'lo_open [loop]' 2)" && table "$(row 'lo_open [loop]' 1)")"

# A kernel that calls mcount does so behind the prologue; on 32 bits; two names of one place
printf '%s\n' '0000000000001000 t first	[m]' '0000000000001100 t second	[m]' '00000000000010ff d data	[m]' \
	'0000000000001200 t also	[m]' '0000000000001200 t alias	[m]' '0000000000001300 t other	[n]' >"$T/syms"
printf '%s\n' '1000 9' '10f3 9' '10f3 9' '1101 9' '11ff 9' '123d 9' 'fff 9' 'mark fieldtrace-end x' >"$T/pipe"
tap_is 'trace: the nearest symbol at or below, at any offset' \
	"$(FT_SYMS="$T/syms" FT_MODULE=m awk_lib count_trace -v top= -v raw=1 -v words=2 <"$T/pipe" | awk 'NR > 3 { print $1, $NF }' | sort | tr '\n' ';')" \
	'0xfff 1;alias 1;first 3;second 2;'
# The module is unloaded between two tables
mkfifo "$T/calls"
FT_SYMS="$T/syms" FT_MODULE=m awk_lib count_trace -v top= -v raw=1 -v words=2 <"$T/calls" >"$T/out" &
counting=$!
exec 4>"$T/calls"
printf '%s\n' '1000 9' '# 1 fieldtrace-table' >&4
wait_for grep -q first "$T/out"
: >"$T/syms"
printf '%s\n' '1104 9' '# 1 fieldtrace-end' >&4
exec 4>&-
wait "$counting"
tap_like 'trace: names as they were known at the start' "$(cat "$T/out")" '^second \[m\] +1$'

### regex.awk: what all awks read alike, and nothing else

regex() { # TEXT: the reason against it
	printf '%s\n' "$1" | awk_lib regex 2>&1
}
# shellcheck disable=SC1003
for text in '^vfs_(read|write)$' '^(a|b)+$' '[a-z]*x' '[a-z0-9_.$]+' '[^0-9]$' . 'a.*d$|^b' '(^a|b$)' '\.isra' 'a-b' 'x?' '\$' '(a)(b)*' '\\'; do
	tap_is "regex: taken: $text" "$(regex "$text")" ''
done
# shellcheck disable=SC1003
for text in 'a\tb' '\w' '\x76fs' '\/' '\' 'a\'; do tap_like "regex: a backslash: $text" "$(regex "$text")" '^a backslash makes'; done
# shellcheck disable=SC1003
for text in 'a{1}b' 'a}' ']'; do tap_like "regex: no meaning: $text" "$(regex "$text")" 'has no meaning here$'; done
for text in '^vfs_(read' '(a' 'a)' '(a))'; do tap_like "regex: brackets: $text" "$(regex "$text")" "without its '[()]'$"; done
for text in + '*a' '^*a' '(+)' 'a|*' 'a**' 'a+?'; do tap_like "regex: repeats nothing: $text" "$(regex "$text")" '^there is nothing that'; done
for text in '()' '(|a)' '|a' 'a|' 'a||b' '(a|)'; do tap_like "regex: an empty branch: $text" "$(regex "$text")" '^there is nothing (before|behind)'; done
for text in '[]a]' '[[:alpha:]]' '[z-a]' '[a-Z]' '[a-]' '[' '[a' '[]' '[^]' '[\w]' '[a b]'; do tap_like "regex: a set: $text" "$(regex "$text")" '^a set is'; done
# shellcheck disable=SC2016
for text in 'a^b' 'a^' 'a$b' '$a' '^^'; do tap_like "regex: an anchor: $text" "$(regex "$text")" "stands at the (beginning|end) only$"; done

### ambiguous.awk

ambiguous() { # FILTER KALLSYMS [HANDLER]
	printf '%s\n--\n%s\n' "$1" "$2" | awk_lib ambiguous -v handler="${3:-}"
}
symbols="ff01 T once${nl}ff02 t twice${nl}ff03 t twice${nl}ff04 t mine [loop]${nl}ff05 t mine [dummy]${nl}ff06 d once${nl}ff07 T handler"
tap_is 'ambiguous: a name that two functions have' "$(ambiguous "once${nl}twice" "$symbols")" ' twice'
tap_is 'ambiguous: one in its module is one' "$(ambiguous "mine [loop]" "$symbols")" ''
tap_is 'ambiguous: one in each of two modules as well' "$(ambiguous "mine [loop]${nl}mine [dummy]" "$symbols")" ''
tap_is 'ambiguous: two in one module' "$(ambiguous "mine [loop]" "$symbols${nl}ff08 t mine [loop]")" ' mine'
tap_is 'ambiguous: the handler is there' "$(ambiguous "once${nl}twice" "$symbols" handler)" '+ twice'
tap_is 'ambiguous: it is not' "$(ambiguous once "$symbols" no_handler)" ''
tap_is 'ambiguous: nobody asks for it' "$(ambiguous once "$symbols")" ''

### lost.awk

lost() { # LINES [MORE]
	printf '%s\n' "$1" | awk_lib lost -v more="${2:-0}"
}
tap_like 'lost: by CPU and in all' "$(lost "0 4785${nl}1 3 4")" '^lost 4792 events [(]CPU 0: 4785, CPU 1: 7[)]'
tap_like 'lost: beyond 2^32' "$(lost "0 4294967296${nl}1 9007199250446334")" '^lost 9007199254413630|^lost 9007199254741[0-9]+|^lost [0-9]{16} events'
tap_like 'lost: 2^32 + 1 exactly' "$(lost "0 4294967297")" '^lost 4294967297 events [(]CPU 0: 4294967297[)]'
tap_like 'lost: what was not read in time' "$(printf '' | awk_lib lost -v more=12)" '^lost 12 events [(]not read in time: 12[)]'
tap_like 'lost: not read in time, beyond 2^32' "$(lost '0 1' 5000000000)" '^lost 5000000001 events .*not read in time: 5000000000'

### events.awk

events() { # KEY PATTERN...
	local key="$1"

	shift
	{
		for pattern; do printf '%s\n' "$pattern"; done
		echo --
		cat "$D/$key/available_events"
	} | awk_lib events
}
for key in 5.10 6.1 6.12 7; do
	list=$D/$key/available_events
	tap_is "events: without a pattern, all ($key)" "$(events "$key" | wc -l)" "$(wc -l <"$list")"
	tap_is "K49: a system ($key)" "$(events "$key" 'sched:*')" "$(grep '^sched:' "$list")"
	tap_is "K49: part of a name ($key)" "$(events "$key" 'sched:sched_process_f*')" "$(grep '^sched:sched_process_f' "$list")"
	tap_is "K49: any system ($key)" "$(events "$key" '*:sys_enter_openat')" syscalls:sys_enter_openat
	tap_is "K49: a miss ($key)" "$(events "$key" 'nosuch:*')" '? nosuch:*'
	tap_is "events: each once ($key)" "$(events "$key" sched:sched_switch 'sched:sched_swit*')" sched:sched_switch
	tap_is "events: in the patterns' order ($key)" "$(events "$key" sched:sched_wakeup sched:sched_switch | tr '\n' ' ')" \
		'sched:sched_wakeup sched:sched_switch '
done
tap_is 'events: a slip of the pen' "$(events 7 sched:sched_swicth)" "? sched:sched_swicth${nl}c sched:sched_switch"
tap_is 'events: another system' "$(events 7 task:sched_switch)" "? task:sched_switch${nl}c sched:sched_switch"
tap_is 'events: what matched comes first' "$(events 7 sched:sched_switch no:such | head -n 1)" sched:sched_switch

### filter_example.awk

example() { # KEY SYSTEM EVENT
	awk_lib filter_example -v event="$2:$3" "$D/$1/events.$2.$3.format"
}
for key in 5.10 6.1 6.12 7; do
	tap_is "example: sched_switch ($key)" "$(example "$key" sched sched_switch | tail -n 1)" \
		"filter example: tpoint sched:sched_switch 'prev_comm ~ \"*name*\" && prev_pid > 0'"
	tap_like "example: no pointer, no number of the call itself ($key)" "$(example "$key" syscalls sys_enter_openat)" "'dfd > 0 && flags > 0'"
	tap_like "example: a dynamic string is a string ($key)" "$(example "$key" sched sched_process_exec)" 'filename ~ "[*]name[*]"'
done
cat >"$T/format" <<'END'
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;

	field:u8 mac[6];	offset:8;	size:6;	signed:0;
	field:int number;	offset:16;	size:4;	signed:1;
END
tap_is 'example: an array of numbers cannot be compared' "$(awk_lib filter_example -v event=a:b "$T/format" | tail -n 1)" \
	"filter example: tpoint a:b 'number > 0'"
printf '\tfield:int common_pid;\toffset:4;\n' >"$T/format"
tap_is 'example: no field, no example' "$(awk_lib filter_example -v event=a:b "$T/format")" ''

### names.awk: a thread whose name the kernel has forgotten

mkdir -p "$T/proc/77"
forgotten='           <...>-77      [001] .....     1.000000: read_zero <-vfs_read'
for name in sh 'tmux: server' 'a&b\\c' '<-evil' ' -1 [000]'; do
	printf '%s\n' "$name" >"$T/proc/77/comm"
	out=$(printf '%s\n' "$forgotten" | awk_lib names -v proc="$T/proc")
	tap_is "K58, K29: the name ($name) comes from /proc, in its column" "${out%%-77 *}" "$(printf '%16s' "$name")"
done
tap_is 'K58: a thread that is gone keeps its mark' \
	"$(printf '%s\n' "$forgotten" | sed 's/77 /78 /' | awk_lib names -v proc="$T/proc")" "$(printf '%s\n' "$forgotten" | sed 's/77 /78 /')"
tap_is 'K58: where /proc shows other numbers, nothing is looked up' \
	"$(printf '%s\n' "$forgotten" | awk_lib names -v proc=)" "$forgotten"
for key in 5.10 6.1 6.12 7; do
	tap_is "names.awk leaves recorded lines alone ($key)" "$(awk_lib names -v proc="$T/proc" <"$D/$key/trace.comm")" \
		"$(cat "$D/$key/trace.comm")"
done

### left_out() of common.awk: kernels whose own PID filter lets others through, or which cannot leave our reader out

printf 'Name:\tawk\nPid:\t4\nNSpid:\t500\t4\n' >"$T/status"
FT_MARKER=$T/marker
export FT_MARKER
task_line() { # COMM PID TIME TEXT
	printf '%16s-%-5s [000] ....     1.00000%s: %s\n' "$@"
}
{
	printf '# header\n'
	task_line sh 9 1 'fieldtrace-ours 501 502'
	task_line cat 77 2 'vfs_read <-x'
	printf ' => stack\n'
	task_line awk 500 3 'vfs_read <-x'
	printf ' => stack of ours\n'
	task_line awk 500 4 'vfs_read <-x'
	printf 'CPU:0 [LOST 5 EVENTS]\n'
	task_line dd 501 5 'vfs_read <-x'
	task_line 'a-500 [000]: z' 78 6 'fieldtrace-end'
	task_line sh 9 7 'fieldtrace-end'
	task_line cat 77 8 'after the end'
} >"$T/lines"
tap_is 'names.awk: our own lines and their stacks are left out, until our mark' "$(awk_lib names -v proc= -v own=9 -v live=9 -v status="$T/status" <"$T/lines")" \
	"$(sed -n '1p;3,4p;8p;10p' "$T/lines")"
tap_is 'names.awk: one pause for all that was read at once, and its mark' "$(cat "$T/marker")" fieldtrace-pause
tap_is 'names.awk: these threads and no others' "$(awk_lib names -v proc= -v only='76 78' <"$T/lines")" "$(sed -n '1p;8p;10p' "$T/lines")"
unset FT_MARKER

### lines of hostile process names (K29): what is before the function must not shift it

for key in 5.10 6.1 6.12 7; do
	tap_is "K29: recorded names of $key are the kernel's own lines" \
		"$(grep -c ': read_zero <-vfs_read$' "$D/$key/trace.comm")" 15
	grep -v '^#' "$D/$key/trace.comm" | awk_lib count_trace -v top= -v list=/dev/null >"$T/out"
	tap_is "K29: a line with its context is no call without one ($key)" "$(awk '$1 == "read_zero"' "$T/out")" ''
done

### common.awk

cat >"$T/glob.awk" <<'PROGRAM'
BEGIN { re = glob_to_re(ENVIRON["GLOB"]) }
$0 ~ re { out = out " " $0 }
END { print substr(out, 2) }
PROGRAM
globbed() { # GLOB TEXT...: those that match
	local glob="$1"

	shift
	for text; do printf '%s\n' "$text"; done | GLOB=$glob "$UNIT_AWK" -f "$TOP/lib/common.awk" -f "$T/glob.awk"
}
tap_is 'glob: star' "$(globbed 'a*c' ac abc abcd xabc)" 'ac abc'
tap_is 'glob: question mark' "$(globbed 'a?c' ac abc a.c)" 'abc a.c'
tap_is 'glob: set and range' "$(globbed 'a[0-9b]' a1 ab ac)" 'a1 ab'
tap_is 'glob: negated set' "$(globbed 'a[!0-9]' a1 ab)" ab
tap_is 'glob: characters of a regex are letters' "$(globbed 'a.c+(x)|^$' 'abc+(x)|^$' 'a.c+(x)|^$')" 'a.c+(x)|^$'
tap_is 'glob: a backslash is a letter' "$(globbed 'a\c' 'a\c' ac)" 'a\c'
tap_is 'glob: a bracket without an end is a letter' "$(globbed 'a[b' 'a[b' ab)" 'a[b'
tap_is 'glob: an empty pattern matches nothing but nothing' "$(globbed '' a)" ''

tap_done
