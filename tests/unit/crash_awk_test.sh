# shellcheck shell=sh
# crash_awk_test.sh - crash_*.awk: what crashtrace prints, saves and proposes
# SPDX-License-Identifier: GPL-2.0-only
# runs: awks

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

nl='
'
lines() { printf '%s\n' "$@"; }

### /proc/iomem -> a place

propose() { # WANT MIB: of the memory on stdin
	awk_lib crash_propose -v want="$1" -v size=$(($2 * 1048576)) || echo "status $?"
}
iomem() {
	lines '00000000-00000fff : Reserved' '00001000-0009fbff : System RAM' '00100000-0fffffff : System RAM' \
		'  01000000-01ffffff : Kernel code' '  09f00000-0affffff : Crash kernel'
}
# Ten sixteenths of the way would lie in the crash kernel's memory.
tap_is 'a place well inside the RAM, clear of what is used' "$(iomem | propose '' 4)" 0x08000000
tap_is 'mem= leaves the region out, which begins where the amount ends' \
	"$(lines '40000000-4fffffff : System RAM' '  41000000-41ffffff : Kernel code' | propose limit 4)" '252 0x4fc00000'
tap_is 'no mem= where RAM has a hole' "$(iomem | propose limit 4)" 'status 1'
tap_is 'without rights all addresses are 0' "$(iomem | sed 's/^\( *\)[0-9a-f]*-[0-9a-f]*/\100000000-00000000/' | propose '' 4)" 'status 1'
tap_is 'no RAM' "$(lines '00000000-ffffffff : Reserved' | propose '' 4)" 'status 1'
tap_is 'above 4 GiB nothing is proposed' \
	"$(lines '00100000-7fffffff : System RAM' '100000000-27fffffff : System RAM' | propose '' 4)" 0x50000000

### the saved tables

merge() { awk_lib crash_merge -v what="$1"; }
tap_is 'modules: one that is gone stays behind those that are there' \
	"$(lines 'loop 4 0 - Live 0xa' -- 'loop 4 1 - Live 0xa' 'dummy 4 0 - Live 0xb' | merge modules)" \
	"loop 4 0 - Live 0xa${nl}dummy 4 0 - Live 0xb"
tap_is 'modules: one that came back elsewhere is there under both' \
	"$(lines 'loop 4 0 - Live 0xc' -- 'loop 4 1 - Live 0xa' | merge modules)" \
	"loop 4 0 - Live 0xc${nl}loop(old) 4 1 - Live 0xa"
tap_is 'modules: only the latest of its earlier places' \
	"$(lines 'loop 4 0 - Live 0xd' -- 'loop 4 1 - Live 0xc' 'loop(old) 4 1 - Live 0xa' | merge modules)" \
	"loop 4 0 - Live 0xd${nl}loop(old) 4 1 - Live 0xc"
tap_is 'symbols: text alone, the gone behind' \
	"$(lines 'a1 t lo_open	[loop]' 'a2 d lo_data	[loop]' -- 'b1 t dummy_x	[dummy]' | merge symbols)" \
	"a1 t lo_open	[loop]${nl}b1 t dummy_x	[dummy]"
tap_is 'symbols: moved' "$(lines 'a9 t lo_open	[loop]' -- 'a1 t lo_open	[loop]' | merge symbols)" \
	"a9 t lo_open	[loop]${nl}a1 t lo_open	[loop(old)]"
tap_is 'names: a colon and blanks in one' "$(lines '/proc/7/task/8/comm:a b:c' 'noise' | awk_lib crash_comm)" '8 a b:c'
tap_is 'names: the newest of each, none without a name' "$(lines '7 new' '8 x y' '7 old' '9' | awk_lib crash_first)" \
	"7 new${nl}8 x y"
tap_is 'an address less an offset, beyond what a double holds' \
	"$(lines 'ffffffff81000000 T x' 'ffffffff80000010 T y' | awk_lib crash_minus -v delta=4096)" \
	"ffffffff80fff000${nl}ffffffff7ffff010"
tap_is 'and with a negative one' "$(lines 'ffffffff80fff000 T x' | awk_lib crash_minus -v delta=-4096)" ffffffff81000000

### the kernel's own text

fields() { # SYMBOLS DELTA [OPTION...]: lines of a trace on stdin
	local delta
	printf '%s\n' "$1" >"$T/mods"
	delta=$2
	shift 2
	awk_lib crash_fields -v mods="$T/mods" -v names=/dev/null -v kernel=/dev/null -v delta="$delta" "$@"
}
tap_is 'a function of a module, by an address with as many digits as the symbols' \
	"$(lines '              dd-7       [001] ..... 1.000002: 0xffffffffc0001024 <-vfs_read' | fields 'ffffffffc0000000 t lo_open	[loop]' 4096)" \
	'1.000002 1 dd-7 ..... function lo_open[loop] vfs_read'
tap_is 'and with fewer: no leading zeros in the text' \
	"$(lines '              dd-7       [001] ..... 1.000002: 0x3ff7e992f10 <-0x3ff7e9912a8' |
		fields '000003ff7e991000 t lo_open	[loop]'"$nl"'000003ff7e992f10 t lo_rw	[loop]' 0)" \
	'1.000002 1 dd-7 ..... function lo_rw[loop] lo_open[loop]'
tap_is 'no symbol near: the address as it came' \
	"$(lines '              dd-7       [001] ..... 1.000002: 0x3ff6e992f10 <-vfs_read' | fields '000003ff7e991000 t lo_open	[loop]' 0)" \
	'1.000002 1 dd-7 ..... function 0x3ff6e992f10 vfs_read'

found='              dd-7       [001] ..s2.   1.000002: lo_other <ffffffffc0001000> <-vfs_read <ffffffff81001000>'
tap_is 'a name found where another module is by now: the address tells' \
	"$(lines "$found" | fields 'ffffffffc0000000 t lo_open	[loop]' 4096 -v moved=yes)" \
	'1.000002 1 dd-7 ..s2. function lo_open[loop] vfs_read'
tap_is 'a kernel that moves the addresses of modules itself has the right name' \
	"$(lines "$found" | fields 'ffffffffc0001000 t lo_open	[loop]' 0)" \
	'1.000002 1 dd-7 ..s2. function lo_other vfs_read'
tap_is 'the lines as they are, but for the names' \
	"$(lines '# tracer: function' "$found" '              dd-7       [001] .....   1.000003: sched_switch: x' |
		fields 'ffffffffc0000000 t lo_open	[loop]' 4096 -v moved=yes -v look_only=yes)" \
	"# tracer: function$nl              dd-7       [001] ..s2.   1.000002: lo_open [loop] <-vfs_read
              dd-7       [001] .....   1.000003: sched_switch: x"

# The name takes sixteen columns, and may look like what follows it.
tap_is 'without flags (irq-info off), with a TGID' \
	"$(lines '              dd-7       [001] 1.000002: f <-g' '              dd-7       (      7) [001] d..2. 1.000003: f <-g' \
		'              dd-7       (-------) [002] d..2. 1.000004: f <-g' | fields '' 0)" \
	"1.000002 1 dd-7 ..... function f g${nl}1.000003 1 dd-7 d..2. function f g${nl}1.000004 2 dd-7 d..2. function f g"
tap_is 'a name of blanks, and one like the columns behind it' \
	"$(lines '                -7       [001] ..... 1.000002: f <-g' '   a-1 [000] b-d-1234    [001] ..... 1.000003: f <-g' | fields '' 0)" \
	"1.000002 1 <blank>-7 ..... function f g${nl}1.000003 1 a-1_[000]_b-d-1234 ..... function f g"
printf '%s\n' '7                ' '8 sh' >"$T/names"
tap_is 'how many blanks, the table knows; a name from it for none other than <...>' \
	"$(lines '                -7       [001] ..... 1.000002: f <-g' '                -8       [001] ..... 1.000003: f <-g' \
		'           <...>-8       [001] ..... 1.000004: f <-g' | fields '' 0 -v names="$T/names" | cut -d ' ' -f 3)" \
	"_______________-7${nl}<blank>-8${nl}sh-8"
tap_is 'a line an event: what is not printable in a name, a newline too, is escaped' \
	"$({
		printf '       e\033[31m\\\tx-7       [001] ..... 1.000002: f <-g\n'
		printf '    a\nb-7 [000] -1234    [001] ..... 1.000003: f <-g\n'
	} | fields '' 0)" \
	"1.000002 1 e\\x1b[31m\\x5c\\x09x-7 ..... function f g${nl}1.000003 1 a\\x0ab-7_[000]_-1234 ..... function f g"
tap_is 'and with the lines as they are' "$(printf '    a\nb-7 [000] -1234    [001] ..... 1.000003: f <-g\n' |
	fields '' 0 -v look_only=yes)" '    a\x0ab-7 [000] -1234    [001] ..... 1.000003: f <-g'
tap_is 'a text with an arrow is no call' \
	"$(lines '              sh-7       [001] ..... 1.000002: tracing_mark_write: [x] <-y' | fields '' 0)" ''
lines '1.000000 0 x-1 . function f[m] q' '1.000001 0 x-1 . function 0xffffc000 q' '1.000002 0 x-1 . function ?+0x140[wit] q' >"$T/stats"
tap_is 'without a name a function counts for no module, and the text does not tell what was lost' \
	"$(awk_lib crash_stats "$T/stats" "$T/stats" | grep -E '^(who-module 1ms|lost-known|cpu)')" \
	"cpu 0 records 3 first 1.000000 last 1.000002${nl}lost-known no${nl}cpus-with-records 1${nl}who-module 1ms 1 m${nl}who-module 1ms 1 unknown${nl}who-module 1ms 1 wit"

### the report

tap_is 'thousands' "$(lines 1 999 1000 1234567 | awk_lib crash_commas)" "1${nl}999${nl}1,000${nl}1,234,567"
report() { # N LINE...: of these lines
	local n
	n=$1
	shift
	lines "$@" | awk_lib crash_report -v n="$n" -v boot=0123456789 -v now=9 -v image=x.img -v names=here
}
last_time() { # TIME: as the table of the last records has it
	report 1 "$1 0 dd-7 ..... function f g" | awk '$1 == "dd-7" { print $2 }'
}
tap_is 'microseconds, rounded as the kernel does' "$(last_time 7.087308989)" 7.087309
tap_is 'rounded down' "$(last_time 12.000000499)" 12.000000
tap_is 'a half is rounded up' "$(last_time 12.000000500)" 12.000001
tap_is 'up to the next second, beyond 32 bits' "$(last_time 4294967296.999999999)" 4294967297.000000
tap_is 'microseconds stay as they are' "$(last_time 1.000777)" 1.000777
last() { # N: of these records
	report "$1" 'cpu 1 records 1234 first 0.5 last 1.0' '1.000001000 1 sh-7 d.... function b[m] a' '1.000002000 0 dd-8 ..... function c b' \
		'1.000003000 1 sh-7 ..... function d[m] a' '1.000004000 1 sh-7 ..... function e[m] a'
}
tap_is 'the last of each CPU, newest last' "$(last 2 | grep '^CPU')" \
	"CPU 0, last 1 of 1 (newest last)${nl}CPU 1, last 2 of 1,234 (newest last)"
tap_is 'in the function tracer'\''s look' "$(last 1 | tail -n 1 | tr -s ' ')" ' sh-7 1.000004 e [m] <- a'
tap_is 'who ran last' \
	"$(report 8 'who-function 1ms 9 a[m]' 'who-function 1ms 3 b' 'who-function 10ms 12 a[m]' 'who-module 1ms 9 m' | sed 1,3d | tr -s ' ')" "
Who ran last last 1 ms last 10 ms
functions a [m] 9 a [m] 12
 b 3
modules m 9"
tap_is 'info alone: the head alone' \
	"$(report 8 'name crash' 'address 0x1000' 'size 4096' 'layout ring-a' 'clock local' 'records 1234' 'cpus-with-records 2' \
		'first 1.000000000' 'last 3.500000000' 'covered 2.500000000' 'cpu 0 records 3 overrun 0' 'missed 2' 'discarded-sub-buffers 1')" \
	"region      crash at 0x1000, 4 KiB, ring, previous boot 01234567, stopped at 3.500000 s or later
records     1,234 on 2 CPUs, 2.5 s; at least 2 lost, 1 damaged pages; snapshot x.img
            which CPUs lack records cannot be told
names       here"
plain='name crash|address 0x1000|size 4096|layout ring-a|clock local|records 12|cpus-with-records 2|first 1.000000000|last 9.500000000|covered 8.500000000'
head_of() { # LINE...: the report of the plain lines, then these
	(
		IFS='|'
		# shellcheck disable=SC2086 # lines set apart by |
		set -- $plain "$@"
		report 2 "$@"
	)
}
tap_is 'nothing lost where that is known' "$(head_of 'lost-known yes' 'missed 0' | sed -n 's/^records.*s; //p')" '0 lost; snapshot x.img'
tap_is 'nothing seen to be lost is not nothing lost' "$(head_of 'lost-known no' 'missed 0' | sed -n 's/^records.*s; //p')" 'lost: unknown; snapshot x.img'
tap_is 'an older helper: what it says of damage' \
	"$(head_of 'damaged-header yes' 'truncated yes' 'checksum BAD' 'cpu 0 records 12 first 1.0 last 9.5' '9.5 0 x-1 . function f g' | grep -E '^(rec|dam| +which|CPU)')" \
	"records     12 on 2 CPUs, 8.5 s; lost: unknown; snapshot x.img
damage      the header; shorter than its header says; the image is not as it was taken (checksum)
            which CPUs lack records cannot be told
CPU 0, last 1 of 12 (newest last; not for certain its last: later ones may be lost)"
damaged() {
	head_of 'state damaged' 'damage header-bit 12' 'cpu-state 0 damaged last uncertain unreadable 3 of 30 why events,commit' \
		'cpu-state 1 none last unknown unreadable 30 of 30 why header' 'cpu-state 2 empty last unknown unreadable 0 of 30' \
		'cpu-state 3 good last certain unreadable 0 of 30' 'gap 0 1.000000000 2.000000000 2' 'gap 0 3.000000000 - 1' \
		'readable 100000 of 262144' 'lost-known no' 'cpu 0 records 6 first 1.000000000 last 3.000000000' \
		'cpu 3 records 6 first 1.000000000 last 9.500000000' '3.000000000 0 x-1 . function wit_HANG[wit] g' '9.500000000 3 x-1 . function f g'
}
tap_is 'a damaged region: which CPU lacks what, why and when, above that the CPU that hung' "$(damaged | grep -v '^ .* x-1')" \
	"CPU 0 silent for the last 6.5 s: last in wit_HANG [wit] (as far as it can be read)

region      crash at 0x1000, 4 KiB, ring, previous boot 01234567, stopped at 9.500000 s or later
records     12 on 2 CPUs, 8.5 s; lost: unknown; snapshot x.img
damage      one bit of the header, byte 12
readable    38 %: 100,000 of 262,144 bytes
CPU 0       3 of 30 parts cannot be read: damaged events, impossible lengths
gap         CPU 0: 2 parts are missing between 1.000000 s and 2.000000 s
gap         CPU 0: 1 part is missing between 3.000000 s and the end
CPU 1       no data: 30 of 30 parts cannot be read: its header is damaged
empty       CPU 2: no record, and nothing tells whether there was one
names       here

CPU 0, last 1 of 6 (newest last; not for certain its last: later ones may be lost)
        TASK-PID           TIME   FUNCTION                            CALLER

CPU 3, last 1 of 6 (newest last)
        TASK-PID           TIME   FUNCTION                            CALLER"
tap_is 'a CPU without calls in a region that is whole' \
	"$(head_of 'state good' 'cpu-state 2 empty last unknown unreadable 0 of 30' | grep '^empty')" \
	'empty       CPU 2: no call was recorded there'
tap_is 'a CPU whose number is known from its place alone' \
	"$(head_of 'state damaged' 'cpu-state 0 damaged last certain unreadable 1 of 30 why header' 'cpu 0 records 3 first 1.0 last 9.5' \
		'9.5 0 x-1 . function f g' | grep -c 'not for certain its last')" 1
tap_is 'without its header nothing tells when its parts were written' \
	"$(head_of 'state damaged' 'cpu-state 0 damaged last uncertain unreadable 2 of 30 why header,zeroed' 'gap 0 2.0 3.0 2' \
		'cpu 0 records 3 first 1.0 last 9.5' | grep '^gap')" \
	'gap         CPU 0: 2 parts are missing anywhere between the beginning and the end'
tap_is 'a CPU that this boot has emptied' \
	"$(head_of 'lost-known yes' 'cpu-state 1 empty last unknown unreadable 0 of 30' 'kernel-said 1 Ring buffer boot meta [1] head buffer out of range' |
		grep -E '^(CPU|records)')" \
	"records     12 on 2 CPUs, 8.5 s; lost: unknown; snapshot x.img
CPU 1       no data: this boot's kernel refused what was there (\"Ring buffer boot meta [1] head buffer out of range\")"
tap_is 'a CPU that is seldom called is not silent' \
	"$(head_of 'lost-known yes' 'cpu 0 records 3 first 1.0 last 7.0' 'cpu 1 records 9 first 1.0 last 9.5' | grep -c silent)" 0
tap_is 'names that may be wrong, and records out of what has no header, are marked' \
	"$(report 2 '1.000001 0 x-1 . function f g unsure-names' '1.000002 0 x-1 . function f g unsure-names salvaged' | tail -n 2 | tr -s ' ')" \
	" x-1 1.000001 f <- g (name unsure)${nl} x-1 1.000002 f <- g (salvaged) (name unsure)"

### bisect

lines 'a [m]' 'b [m]' 'c' 'd' >"$T/set"
halve() { # LINE...
	lines "$@" | awk_lib crash_halve -v set="$T/set"
}
tap_is 'the half that was called last' \
	"$(halve '1.0 0 x-1 . function a[m] q' '1.5 0 x-1 . function c q' '1.7 0 x-1 . function b[m] q' '1.6 0 x-1 . function a[m] q')" \
	"b [m]${nl}a [m]"
tap_is 'all of the last millisecond' \
	"$(halve '1.0000 0 x-1 . function a[m] q' '1.0001 0 x-1 . function c q' '1.0002 0 x-1 . function b[m] q')" \
	"b [m]${nl}c${nl}a [m]"
tap_is 'the last calls of a CPU that hung come first, and stay' \
	"$(halve '1.0 1 x-1 . function d q' '2.0 1 x-1 . function a[m] q' '8.0 0 x-1 . function b[m] q' '8.9 0 x-1 . function d q' '9.0 0 x-1 . function c q')" \
	"a [m]${nl}c"
tap_is 'a CPU that stopped a little earlier keeps its last ones, too' \
	"$(halve '8.7 1 x-1 . function a[m] q' '8.8 0 x-1 . function b[m] q' '8.9 0 x-1 . function d q' '9.0 0 x-1 . function c q' | sort)" \
	"a [m]${nl}c"
tap_is 'a module that came back is the same' "$(halve '1.0 0 x-1 . function a[m(old)] q')" 'a [m]'
tap_is 'what was not called goes' "$(halve '1.0 0 x-1 . function d q' '0.5 0 x-1 . function zzz q')" d

### plan

history() { # CALLS: the line "history", after a second
	lines "0 $1" '1 0' | awk_lib crash_plan -v size=1M -v each=28 -v ms=1000 -v ncpu=2 -v where='the region' -v functions='1 function' |
		sed -n 's/^history *//p'
}
tap_is 'plan: how far back the busiest CPU reaches' "$(history 100)" \
	'the region holds 18,725 calls a CPU: the last 3 minutes of the busiest CPU'
tap_is 'plan: where nothing was called, nothing is reckoned' "$(history 0)" \
	'the region holds 18,725 calls a CPU: none was made meanwhile'

tap_done
