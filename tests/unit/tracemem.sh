#!/bin/sh
# tracemem.sh - the C helper: build it, decode the fixtures and generated regions, snapshot, restore, refuse; prints TAP
# SPDX-License-Identifier: GPL-2.0-only
#
# Everything runs on plain files: /proc, /sys, /dev/mem and the kernel log are replaced through FIELDTRACE_PROC,
# FIELDTRACE_SYS, FIELDTRACE_MEM and FIELDTRACE_DMESG. Tools that are not there skip their checks.

set -u

here=$(cd "${0%/*}" && pwd)
top=$here/../..
# shellcheck source=tests/tap.sh
. "$top/tests/tap.sh"
# shellcheck source=tests/crash/text.sh
. "$top/tests/crash/text.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/tracemem.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$work" || exit 1

# tracemem ARG... - the program under test
tracemem() {
	"$work/bin/tracemem" "$@"
}

# status COMMAND... - its exit code; output in the files out and err
status() {
	local rc
	rc=0
	"$@" >out 2>err || rc=$?
	printf '%s\n' "$rc"
}

# value KEY - its value in the lines of standard input
value() {
	sed -n "s/^$1 //p"
}

# changed FILE OFFSET OCTAL... - a copy of FILE in the file changed, with these bytes at OFFSET
changed() {
	local file offset
	file=$1
	offset=$2
	shift 2
	cp "$file" changed
	# shellcheck disable=SC2059 # octal escapes are the point
	printf "$(printf '\\%s' "$@")" | dd of=changed bs=1 seek="$offset" conv=notrunc 2>/dev/null
}

# unpack - the fixtures
unpack() {
	local f
	for f in "$top"/tests/fixtures/*.gz; do
		gzip -dc "$f" >"$(basename "$f" .gz)"
	done
	cp "$top"/tests/fixtures/*.kallsyms "$top"/tests/fixtures/*.modules "$top"/tests/fixtures/*.cmdlines .
}

# build - the helper with the makefile, the same with sanitizers, the generator
build() {
	mkdir bin
	tap_ok 'make helper' make -s -C "$top/helper" O="$work/bin" helper
	tap_ok 'no warning' make -s -C "$top/helper" O="$work/bin" CFLAGS='-O2 -Werror' -B helper
	if command -v musl-gcc >/dev/null 2>&1; then
		tap_is 'make helper-static: at most 96 KiB' "$(status make -s -C "$top/helper" O="$work/bin" helper-static)" 0
		tap_is 'static: no interpreter' "$(grep -c ld-musl bin/tracemem-static)" 0
		tap_is 'static: decodes' "$(bin/tracemem-static decode w73.crash | cksum)" "$(tracemem decode w73.crash | cksum)"
	else
		tap_skip 'make helper-static: at most 96 KiB' 'no musl-gcc'
		tap_skip 'static: no interpreter' 'no musl-gcc'
		tap_skip 'static: decodes' 'no musl-gcc'
	fi
	tap_ok 'build with ASan and UBSan' cc -std=c99 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all \
		-DTRACEMEM_MALLOC -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -D_FILE_OFFSET_BITS=64 -I "$top/helper" \
		-o bin/asan "$top"/helper/*.c
	tap_ok 'build the generator' cc -O1 -D_GNU_SOURCE -I "$top/helper" -o bin/gen "$here/tracemem_gen.c" "$top/helper/rs.c"
}

# test_fixtures - the figures of tests/fixtures/README
test_fixtures() {
	local want
	for want in reg612.bin:22 reg73.bin:22 w73.crash:3483 w73.boot2:3483 w73.bad:3338 w73.clk:3483; do
		tap_is "${want%:*}: records by info" "$(tracemem info "${want%:*}" | value records)" "${want#*:}"
		tap_is "${want%:*}: records printed" "$(bin/asan decode "${want%:*}" | wc -l)" "${want#*:}"
	done
	tap_is 'layout A is known' "$(tracemem info reg612.bin | value layout)" ring-a
	tap_is 'layout A: address of its anchor' "$(tracemem info reg612.bin | value text-address)" 0xffffffffbc0171e0
	tap_is 'layout B: old _text' "$(tracemem info reg73.bin | value text-address)" 0xffffffff94200000
	tap_is 'records of CPU 1' "$(tracemem info w73.crash | sed -n 's/^cpu 1 records \([0-9]*\).*/\1/p')" 1639
	tap_is 'clock read from the scratch area' "$(tracemem info w73.clk | value clock)" mono
	tap_is 'a damaged sub-buffer is counted' "$(tracemem info w73.bad | value discarded-sub-buffers)" 1
	tap_is 'the marker text' "$(tracemem decode w73.crash | grep -c ' print .*hello_marker$')" 1
	tap_is 'in order of time' "$(tracemem decode w73.crash | cut -d ' ' -f 1 | LC_ALL=C sort -s -t . -k 1,1n -k 2,2 | cksum)" \
		"$(tracemem decode w73.crash | cut -d ' ' -f 1 | cksum)"
	tap_is 'ramoops: zones' "$(tracemem info ro.bin | grep -c '^zone ')" 35
	tap_like 'ramoops: a dump zone of odd size' "$(tracemem info ro.bin)" '^zone 1 text at 134902 '
	tap_is 'ramoops: ECC found by its parity' "$(tracemem info ro.bin | value ecc)" 16
	tap_is 'ramoops without function trace: exit 10' "$(status tracemem decode ro.bin)" 10
}

# test_s390x NAME LAYOUT - an image that a big-endian 64-bit machine took of its own ring, against what its kernel printed
test_s390x() {
	local name info of_kernel
	name=$1
	info=$(tracemem info "$name.img")
	of_kernel=$(sed -n 's/^# entries-in-buffer.*: \([0-9]*\)\/.*/\1/p' "$name.trace")
	tap_is "$name: layout, word, order" "$(printf '%s\n' "$info" | grep -E '^(layout|word-size|byte-order) ')" "layout $2
word-size 8
byte-order big"
	tap_is "$name: as many records as its kernel said" "$(printf '%s\n' "$info" | value records)" "$of_kernel"
	tap_is "$name: functions, stacks, texts, an event" "$(printf '%s\n' "$info" | sed -n 's/^kind \([a-z]*\) .*/\1/p' | tr '\n' ' ')" \
		'function stack print event '
	set -- --symbols "$name.kallsyms" --modules "$name.modules" --old-modules "$name.modules" --cmdlines "$name.cmdlines"
	bin/asan decode "$@" --format trace "$name.img" >look
	decoded_text look >got
	kernel_text "$name.trace" >want
	tap_ok "$name: each record as its kernel printed it" same_text got want
	if ! command -v trace-cmd >/dev/null 2>&1; then
		tap_skip "$name: trace-cmd reads the same functions" 'no trace-cmd'
		return
	fi
	bin/asan decode "$@" --format trace.dat -o o.dat "$name.img"
	report_functions o.dat >got
	kernel_functions "$name.trace" >want
	tap_ok "$name: trace-cmd reads the same functions" same_text got want
}

# test_truth - each layout, word size and byte order against what the generator knows
test_truth() {
	local layout word order seed n
	for layout in ring-a ring-b ring-b615 recorder pstore pstore-ecc pstore-old pstore-boots plain; do
		for word in 4 8; do
			for order in le be; do
				for seed in 1 2; do
					n=$(bin/gen $layout $word $order 262144 $seed img truth)
					set --
					[ $layout = plain ] && set -- --plain "$n,$word,$order,ipx"
					bin/asan decode "$@" img >got 2>err
					tap_ok "$layout, $((word * 8)) bit, $order, seed $seed: $(wc -l <truth) records" cmp got truth
				done
			done
		done
	done
	bin/gen pstore-ecc 8 le 262144 1 img truth >/dev/null
	tap_like 'damaged bytes are corrected' "$(tracemem info img)" '^ecc-corrected-bytes [1-9]'
	changed img 131180 377 1 2 3 4 5 6 7 10 11 12
	tap_like 'more damage than ECC can correct is counted' "$(tracemem info changed)" '^ecc-lost-blocks [1-9]'
}

# test_filters - --last, --since, --cpu, and what they do together
test_filters() {
	local newest
	newest=7.087308989
	tap_is '--last 5: five of each CPU' "$(tracemem decode w73.crash --last 5 | cut -d ' ' -f 2 | sort | uniq -c | tr -s ' \n' ' ')" ' 5 0 5 1 '
	tap_is '--cpu 1' "$(tracemem decode w73.crash --cpu 1 | wc -l)" 1639
	tap_is '--cpu 1 --last 7: the last of --cpu 1' "$(tracemem decode w73.crash --cpu 1 --last 7)" "$(tracemem decode w73.crash --cpu 1 | tail -n 7)"
	tap_is '--since' "$(tracemem decode w73.crash --since 0.01 | wc -l)" \
		"$(tracemem decode w73.crash | awk -v n=$newest '$1 + 0.01 >= n + 0 { k++ } END { print k }')"
	tap_is 'no record left: exit 10' "$(status tracemem decode w73.crash --cpu 9)" 10
	tap_is '--since without times: exit 2' "$(status tracemem decode --since 1 --plain 8,4,le,ix w73.crash)" 2
	tap_like '--summary' "$(tracemem decode w73.crash --summary --last 5)" '^records 10$'
	tap_like '--who' "$(tracemem decode w73.crash --who 3 --symbols w73.kallsyms)" '^who-function 1ms [0-9]+ [a-z_]+$'
	tap_like '--who: modules' "$(tracemem decode w73.crash --who 3 --symbols w73.kallsyms)" '^who-module 100ms [0-9]+ kernel$'
}

# test_report - --report is info, --last and --who of one reading; what is skipped for speed changes nothing
test_report() {
	local n
	tracemem decode w73.crash --report 5 --symbols w73.kallsyms >report
	tap_is '--report: info' "$(grep '^[a-z]' report | grep -v -e '^who-' -e '^names')" "$(tracemem info w73.crash)"
	tap_is '--report: the last' "$(grep '^[0-9]' report)" "$(tracemem decode w73.crash --last 5 --symbols w73.kallsyms)"
	tap_is '--report: who' "$(grep '^who-' report)" "$(tracemem decode w73.crash --who 5 --symbols w73.kallsyms)"
	for n in 1 100 1600 1639 100000; do
		tap_is "--last $n: the last of all, on each CPU" "$(tracemem decode w73.crash --last "$n")" \
			"$(tracemem decode w73.crash | awk -v n="$n" '{ line[NR] = $0; cpu[NR] = $2; left[$2]++ }
				END { for (i = 1; i <= NR; i++) if (left[cpu[i]]-- <= n) print line[i] }')"
	done
	# What a count by hand says of the last 1, 10 and 100 ms.
	tap_is '--who: every call of the window' "$(tracemem decode w73.crash --who 8192 | awk '/^who-function/ { n[$2] += $3 } END { print n["1ms"], n["10ms"], n["100ms"] }')" \
		"$(tracemem decode w73.crash | awk '$5 == "function" || $5 == "graph_entry" { split($1, t, "."); ns[++k] = (t[1] % 1000) * 1e9 + t[2] }
			$1 { split($1, t, "."); last = (t[1] % 1000) * 1e9 + t[2] }
			END { for (i = 1; i <= k; i++) { b = last - ns[i]; a += b <= 1e6; d += b <= 1e7; e += b <= 1e8 } print a, d, e }')"
}

# health FILE - the lines of info on what of it can be read
health() {
	bin/asan info "$1" 2>/dev/null | grep -E '^(state|damage|cpu-state|gap|readable|lost-known|last) '
}

# zeroed FILE OFFSET COUNT - a copy of it in the file changed, with COUNT zero bytes at OFFSET
zeroed() {
	cp "$1" changed
	dd if=/dev/zero of=changed bs=1 seek="$2" count="$3" conv=notrunc 2>/dev/null
}

# test_health - what cannot be read is said: which CPU, why, from when to when; and what is whole is called so
test_health() {
	local n word good area
	for n in reg612.bin reg73.bin w73.crash w73.boot2 s390x-a.img s390x-b.img; do
		tap_is "$n: whole" "$(health $n | grep -E '^(state|lost|gap)')" 'state good
lost-known yes'
	done
	for n in ring-a ring-b ring-b615; do
		for word in 4 8; do
			bin/gen $n $word be 262144 3 img truth >/dev/null
			tap_is "$n, $word: whole, and one CPU never ran" "$(health img | grep -E '^(state|cpu-state 2|lost|gap)')" "state good
$(health img | sed -n 's/\(.*2 empty last unknown unreadable 0 of [0-9]*\)$/\1/p')
lost-known yes"
		done
	done
	good='cpu-state 0 good last certain unreadable 0 of 30'
	tap_is 'a bad length: the span is told' "$(health w73.bad)" 'state damaged
cpu-state 0 damaged last certain unreadable 1 of 30 why commit
gap 0 6.783150325 6.805310889 1
cpu-state 1 good last certain unreadable 0 of 30
readable 241664 of 245760
lost-known no
last 7.087308989'
	zeroed w73.crash 131072 131072
	tap_is 'the second half zeroed: CPU 1 is not forgotten' "$(health changed)" "state damaged
$good
cpu-state 1 none last unknown unreadable 30 of 30 why header,zeroed
gap 1 - - 30
readable 122880 of 245760
lost-known no
last 7.087308989"
	zeroed w73.crash 8240 32
	tap_is "CPU 0's header gone: its records are there, its last is not sure" "$(health changed | grep -v '^gap') $(tracemem decode changed | cksum)" "state damaged
damage header
cpu-state 0 damaged last uncertain unreadable 17 of 30 why header,zeroed
cpu-state 1 good last certain unreadable 0 of 30
readable 176128 of 245760
lost-known no
last 7.087308989 $(tracemem decode w73.crash | cksum)"
	zeroed w73.crash 40960 4096
	tap_is 'a page in the middle zeroed' "$(health changed | sed -n '2,3p')" 'cpu-state 0 damaged last certain unreadable 1 of 30 why zeroed
gap 0 6.867222895 6.897812621 1'
	zeroed w73.crash 65536 4096
	tap_is 'the last page of a CPU zeroed: its last call is not sure' "$(health changed | sed -n '2p')" \
		'cpu-state 0 damaged last uncertain unreadable 1 of 30 why zeroed'
	head -c 180000 w73.crash >changed
	tap_is 'cut short' "$(health changed | grep -v '^gap')" "state damaged
damage truncated
$good
cpu-state 1 damaged last uncertain unreadable 21 of 30 why truncated
readable 159744 of 245760
lost-known no
last 7.087308989"
	# bit 62 of the time of a page in the middle, bit 59 of the last one's
	changed w73.crash 36871 100
	tap_is 'a flipped bit in the time of a page: only that page is missing' "$(health changed)" "state damaged
cpu-state 0 damaged last certain unreadable 1 of 30 why order
gap 0 6.805286513 6.867260876 1
cpu-state 1 good last certain unreadable 0 of 30
readable 241664 of 245760
lost-known no
last 7.087308989"
	tap_is 'a flipped time does not move --since' "$(tracemem decode changed --since 0.01 | cksum)" "$(tracemem decode w73.crash --since 0.01 | cksum)"
	tap_is 'a flipped time does not move --who' "$(tracemem decode changed --who 5 | cksum)" "$(tracemem decode w73.crash --who 5 | cksum)"
	changed w73.crash 65543 10
	tap_is 'nor in the last page' "$(health changed)" "state damaged
cpu-state 0 damaged last uncertain unreadable 1 of 30 why order
gap 0 7.038909785 - 1
cpu-state 1 good last certain unreadable 0 of 30
readable 241664 of 245760
lost-known no
last 7.083325731"
	# a page's time later than that of its own last event was, and still in order: it or the one before is wrong
	changed w73.crash 36866 241
	bin/asan decode changed | LC_ALL=C sort >got
	tracemem decode w73.crash | LC_ALL=C sort >want
	tap_is 'a time that breaks into the page before: neither is shown' "$(LC_ALL=C comm -23 got want | wc -l) $(health changed | sed -n 2p)" \
		'0 cpu-state 0 damaged last certain unreadable 2 of 30 why order'
	tracemem snapshot w73.crash w.img
	changed w.img 20000 123
	tap_like 'an image with a changed byte' "$(health changed)" '^damage checksum$'
	head -c 65536 /dev/zero >changed
	tap_is 'zeros are empty: exit 10' "$(status tracemem info changed) $(grep '^state' out)" '10 state empty'
	head -c 65536 w73.kallsyms >changed
	tap_is 'anything else is unreadable, not empty: exit 1' "$(status tracemem info changed) $(grep '^state' out)" '1 state unreadable'
	tap_is 'and can be kept' "$(status tracemem snapshot changed d.img)" 0

	bin/gen recorder 8 le 262144 1 img truth >/dev/null
	area=1792
	for n in 0 4 250; do
		changed img $n "$(printf '%o' $((0$(dd if=img bs=1 skip=$n count=1 2>/dev/null | od -An -to1 | tr -d ' ') ^ 4)))"
		tap_is "recorder: a flipped bit in byte $n of the header is put right, and told" \
			"$(health changed | sed -n 2p) $(bin/asan decode changed 2>/dev/null | cksum)" "damage header-bit $n $(cksum <truth)"
	done
	tap_like 'recorder: an area that never was used' "$(health img)" '^cpu-state 0 empty last unknown unreadable 0 of 2710$'
	changed img $((area + 86784)) 0
	tap_is "recorder: a damaged area's header costs no record" "$(health changed | grep '^cpu-state 1') $(bin/asan decode changed 2>/dev/null | cksum)" \
		"cpu-state 1 damaged last certain unreadable 13 of 2710 why header,checksum $(cksum <truth)"
	zeroed img $((area + 64 + 3200)) 6400
	tap_is 'recorder: blank slots are counted' "$(health changed | grep '^cpu-state 2')" 'cpu-state 2 damaged last certain unreadable 220 of 2710 why checksum,blank'
	bin/gen recorder 8 le 262144 2 round truth >/dev/null
	zeroed round $((area + 86784 + 64 + 9600)) 77120
	tap_like 'recorder: what its header says came behind the last record is missing' "$(health changed)" \
		'^cpu-state 1 damaged last uncertain unreadable [0-9]+ of 2710 why .*blank$'
	zeroed img $((area + 64)) 86720
	mv changed cleared
	changed cleared $((area + 8)) 7
	tap_is 'recorder: an area of zeros whose header says more' "$(health changed | sed -n '2,3p')" 'cpu-state 2 none last unknown unreadable 2710 of 2710 why blank
gap 2 - - 2710'
}

# salvaged FILE TRUTH - what --salvage shows of it, marks checked and left out: "N of M, state STATE", N lines all of which are in TRUTH
salvaged() {
	local state
	state=$(bin/asan info "$1" 2>/dev/null | value state)
	bin/asan decode --salvage "$1" >got 2>/dev/null
	if grep -qv ' salvaged$' got; then echo 'a line without its mark'; fi
	sed 's/ salvaged$//' got | LC_ALL=C sort >out
	LC_ALL=C sort "$2" >want
	printf '%s of %s, %s\n' "$(LC_ALL=C comm -12 out want | wc -l)" "$(wc -l <out)" "$state"
}

# test_salvage - no header that can be read: what is there is shown all the same, marked, and nothing else
test_salvage() {
	local n word n_of
	tracemem decode w73.crash >truth
	zeroed w73.crash 0 4096
	tap_is 'info tells how much there is to salvage: exit 1' "$(status bin/asan info changed) $(grep -E '^(state|salvage)' out | tr '\n' ' ')" \
		'1 state unreadable salvage 3483 '
	tap_is 'decode alone: exit 1, nothing shown' "$(status tracemem decode changed) $(cat out)" '1 '
	tap_is 'a ring whose first page is gone' "$(salvaged changed truth)" '3483 of 3483, unreadable'
	zeroed w73.crash 0 12288
	tap_is "and CPU 0's header with it" "$(salvaged changed truth)" '3483 of 3483, unreadable'
	mv changed nohead
	zeroed nohead 135168 4096
	sed 's/^\([0-9.]*\) [01] /\1 ? /' truth >nocpu
	tap_is 'sub-buffers alone: page by page, of no CPU' "$(salvaged changed nocpu)" '3483 of 3483, unreadable'
	tap_like 'in the look of the tracer' "$(tracemem decode --salvage --format trace changed | tail -n 1)" ' \[\?\?\?\] .* salvaged$'
	for n in json trace.dat; do
		tap_is "--salvage with $n, which has no place for the mark: exit 2" "$(status tracemem decode --salvage --format $n changed)" 2
	done
	tap_like 'a report of it says so' "$(tracemem decode --salvage --report 3 changed)" '^state unreadable$'
	for n in ring-a ring-b ring-b615; do
		for word in 4 8; do
			bin/gen $n $word be 262144 1 img truth >/dev/null
			zeroed img 0 512
			n_of=$(wc -l <truth)
			tap_is "$n, $word" "$(salvaged changed truth)" "$n_of of $n_of, unreadable"
		done
	done
	for word in 4 8; do
		bin/gen recorder $word be 262144 1 img truth >/dev/null
		zeroed img 0 512
		tap_like "recorder, $word" "$(salvaged changed truth)" "^$(bin/asan decode changed --salvage | wc -l) of [4-9][0-9][0-9][0-9]+, unreadable"
		changed img 4 2 2 2 2 2 2 2 2
		tap_like "recorder, $word, more than a bit wrong" "$(salvaged changed truth)" "^$(bin/asan decode changed --salvage 2>/dev/null | wc -l) of [4-9][0-9][0-9][0-9]+, unreadable"
	done
	head -c 262144 w73.kallsyms >changed
	tap_is 'nothing like a record: exit 1' "$(status bin/asan decode --salvage changed) $(cat out)" '1 '
	tap_like 'and info says 0' "$(bin/asan info changed)" '^salvage 0$'
	tracemem snapshot w73.crash w.img
	changed w.img 100 1
	tracemem decode w73.crash >truth
	tap_is "an image's own header damaged: passed over" "$(bin/asan decode --salvage changed 2>/dev/null | cksum)" "$(cksum <truth)"
}

# test_names - symbols of the same boot, of another, modules that moved, aliases, dots, Thumb bit
test_names() {
	tap_like 'names of the same boot' "$(tracemem decode w73.crash --symbols w73.kallsyms | tail -n 1)" ' vfs_write ksys_write\+0x6b$'
	# another boot: everything 0x1234000 higher
	awk '{ a = substr($1, 9); h = 0; for (i = 1; i <= 8; i++) h = h * 16 + index("0123456789abcdef", substr(a, i, 1)) - 1
		printf "ffffffff%08x %s %s\n", h + 19087360, $2, $3 }' w73.kallsyms >other
	tap_is 'names of another boot are the same' "$(tracemem decode w73.crash --symbols other)" "$(tracemem decode w73.crash --symbols w73.kallsyms)"
	tap_is 'the distance is told' "$(tracemem decode w73.crash --symbols other --summary | value names-moved-by)" 0x1234000
	sed 's/ _text$/ x/' other >no_anchor
	tap_is 'without an anchor: no names, and why' "$(bin/asan decode w73.crash --symbols no_anchor 2>err | cksum) $(grep -c 'no _*text\|no .*: no names' err)" \
		"$(tracemem decode w73.crash | cksum) 1"
	tap_is 'but with --symbols-anyway, each line marked' "$(bin/asan decode w73.crash --symbols no_anchor --symbols-anyway 2>/dev/null | grep -c ' unsure-names$')" 3483
	tap_is 'which trace.dat has no place for: exit 2' "$(status tracemem decode w73.crash --symbols no_anchor --symbols-anyway --format trace.dat)" 2
	zeroed w73.crash 0 4096
	tap_is 'nor where the region does not say where its kernel was' "$(bin/asan decode --salvage changed --symbols w73.kallsyms 2>/dev/null | cksum)" \
		"$(tracemem decode --salvage changed | cksum)"
	bin/gen recorder 8 le 65536 1 img truth >/dev/null
	printf '#1 SMP one' | dd of=img bs=1 seek=296 conv=notrunc 2>/dev/null
	tap_is 'symbols of another build: refused' "$(status bin/asan decode img --symbols w73.kallsyms --symbols-build '#1 SMP two') $(grep -c 'of another kernel' err) $(cat out)" '1 1 '
	tap_is 'symbols of the same build' "$(status bin/asan decode img --symbols w73.kallsyms --symbols-build '#1 SMP one')" 0
	tap_is 'insisted: marked' "$(bin/asan decode img --symbols w73.kallsyms --symbols-build '#1 SMP two' --symbols-anyway 2>/dev/null | grep -vc ' unsure-names$')" 0
	tap_is 'with --delta' "$(tracemem decode w73.crash --symbols no_anchor --delta 0x1234000 2>&1)" "$(tracemem decode w73.crash --symbols w73.kallsyms)"
	sed 's/^[0-9a-f]*/0000000000000000/' w73.kallsyms >zeros
	tap_is 'hidden addresses: exit 3' "$(status tracemem decode w73.crash --symbols zeros)" 3
	tap_like 'and the rule is named' "$(cat err)" kptr_restrict

	# bare arrays make any address: ip, parent, index
	printf '\004\020\000\300\105\020\000\300\001\000\000\000' >two
	printf 'c0001000 t first\nc0001000 T second\nc0001040 W weak\nc0001050 d data\nc0002000 T _etext\n' >syms
	tap_is 'first of aliases, weak symbols, no data' "$(tracemem decode two --plain 1,4,le,ipx --symbols syms)" '0 0 - - function first weak+0x5'
	tap_is 'ARM: bit 0 is not part of the address' "$(tracemem decode two --plain 1,4,le,ipx --symbols syms --machine armv7l)" '0 0 - - function first weak+0x4'
	printf 'c0001000 D first\nc0001000 T .first\nc0001040 t .last\nc0002000 T _etext\n' >syms
	tap_is 'PowerPC64: .name is the code' "$(tracemem decode two --plain 1,4,le,ipx --symbols syms)" '0 0 - - function first last+0x5'
	printf 'c0000000 T _text\nc0000100 T _etext\nbf100000 t mf\t[mod]\n' >syms
	printf 'mod 4096 0 - Live 0xbf100000\n' >mods
	printf 'mod 4096 0 - Live 0xc0001000\n' >old
	tap_is 'a module that moved' "$(tracemem decode two --plain 1,4,le,ipx --symbols syms --modules mods --old-modules old)" '0 0 - - function mf[mod] mf+0x45[mod]'
	tap_is 'a module not loaded now' "$(
		printf 'x 1 0 - Live 0x1\n' >mods
		grep -v mod syms >s2
		tracemem decode two --plain 1,4,le,ipx --symbols s2 --modules mods --old-modules old
	)" \
		'0 0 - - function ?+0x4[mod] ?+0x45[mod]'
	tap_is 'beyond the kernel there is no name' "$(tracemem decode two --plain 1,4,le,ipx --symbols s2)" '0 0 - - function 0xc0001004 0xc0001045'
	# what is no function: room in front of one, labels
	printf 'c0000000 T _text\nc0000800 t low\nc0000ff0 t __pfx_f\nc0001000 t .L12\nc0001002 t \044x\nc0001003 t L0\001\nc0001040 t f\nc0002000 T _etext\n' >syms
	tap_is 'labels are no functions' "$(bin/asan decode two --plain 1,4,le,ipx --symbols syms)" '0 0 - - function 0xc0001004 f+0x5'
	grep -v pfx syms >s2
	tap_is 'nor without anything between' "$(bin/asan decode two --plain 1,4,le,ipx --symbols s2)" '0 0 - - function low f+0x5'
	# modules with a life time, at an address where each of two was
	printf 'ffffffff00000000 T _text\nffffffff00000100 T _etext\n' >syms
	printf 'one 0xffffffffa7000000 16777216 - 6.9\ntwo 0xffffffffa7000000 16777216 6.95 -\n' >loads
	tap_is 'a record is named by what was loaded then' "$(bin/asan decode w73.crash --symbols syms --delta 0 --loads loads |
		awk '{ m = $6 ~ /\[one\]/ ? "one" : $6 ~ /\[two\]/ ? "two" : "none" } m != last { printf "%s%s", (last == "" ? "" : " "), m; last = m }
			m == "one" && $1 >= 6.9 || m == "two" && $1 < 6.95 || m == "none" && ($1 < 6.9 || $1 >= 6.95) { if ($5 == "function") print "wrong: " $0 }')" 'one none two'
	printf 'one 0xfff 16777216 6.9\n' >loads
	tap_is 'a table of loads that is none: exit 1' "$(status tracemem decode w73.crash --symbols syms --delta 0 --loads loads)" 1
	# In this kernel functions call the tracer 4 bytes behind their beginning. A module lies there now in which one does and one cannot.
	{
		awk '$1 < "ffffffffa73cd030"' w73.kallsyms
		printf 'ffffffffa73cd020 T _etext\nffffffffa73cd030 t drv_write\t[drv]\n'
	} >syms
	printf 'drv 4194304 0 - Live 0xffffffffa73cd000\n' >mods
	bin/asan decode w73.crash --symbols syms --modules mods --old-modules mods >got
	tap_is 'a call in the middle of a function is of something else' \
		"$(grep -c ' function drv_write\[drv\] ' got) $(grep -c ' function 0xffffffffa73ea7e4 ' got)" '26 16'
	bin/asan decode w73.crash --symbols syms --modules mods --old-modules mods --format trace >got
	tap_is 'in the look of the tracer, too' "$(grep -c ': drv_write \[drv\] <-' got) $(grep -c ': 0xffffffffa73ea7e4 <-' got)" '26 16'
	printf '1 my task\n77 x\n' >comms
	tap_like 'names of processes' "$(tracemem decode w73.crash --cmdlines comms | head -n 1)" '^6\.691825799 1 my_task-1 '
}

# test_hostile_names - names with ESC, newline, tab, blank: one field of one line, whatever is in them
test_hostile_names() {
	local esc tab nl n
	esc=$(printf '\033')
	tab=$(printf '\t')
	nl='
'
	bin/gen ring-b 8 le 262144 1 img truth >/dev/null
	# a module's name in the region: "ev ESC[31mil\n who-module 1ms 999 fake"
	cp img evil
	printf 'ev%s[31mil%swho-module 1ms 999 fake%sx' "$esc" "$nl" "$tab" | dd of=evil bs=1 seek=56 conv=notrunc 2>/dev/null
	# all addresses of the generator are above its _text: in this module, if that is said to begin there
	printf '\000\000\000\201\377\377\377\377' | dd of=evil bs=1 seek=48 conv=notrunc 2>/dev/null
	printf 'ffffffff00000000 T _text\nffffffff00000100 T _etext\n' >syms
	bin/asan info evil >out
	tap_is 'info: a module is a line' "$(grep -c '^module ' out) $(grep -c fake out)" '2 1'
	tap_like 'info: what is not printable is \xNN' "$(cat out)" '^module ev.x1b\[31mil.x0awho-module.x201ms.x20999.x20fake.x09x 0xffffffff81000000$'
	for n in '' '--who 3' '--report 3' '--format trace'; do
		# shellcheck disable=SC2086 # words
		bin/asan decode $n --symbols syms --delta 0 evil >out
		tap_is "decode $n: no control character" "$(tr -d '[:print:]\n' <out | wc -c) $(grep -c '^who-module 1ms 999 fake' out)" '0 0'
		tap_like "decode $n: the module's name" "$(cat out)" 'ev.x1b\[31mil.x0awho-module.x201ms.x20999.x20fake.x09x'
	done
	printf 'c0001000 t a\033b\302\n' >syms
	printf '\004\020\000\300\105\020\000\300\001\000\000\000' >two
	tap_is 'a symbol with ESC' "$(bin/asan decode two --plain 1,4,le,ipx --symbols syms)" '0 0 - - function a\x1bb\xc2 a\x1bb\xc2+0x45'
	printf '1 my%s[0m\ttask \n' "$esc" >comms
	tap_like 'a process with ESC and tab' "$(bin/asan decode w73.crash --cmdlines comms | head -n 1)" '^6\.691825799 1 my.x1b\[0m.x09task_-1 '
	tap_like 'a process with ESC and tab, as the kernel prints' "$(bin/asan decode w73.crash --cmdlines comms --format trace | head -n 1)" \
		'^ +my.x1b\[0m.x09task -1       \[001\] '
}

# report FILE - time, CPU and PID of each record trace-cmd sees, one a line
report() {
	trace-cmd report -R -t "$1" 2>/dev/null | sed -n 's/^ *.*-\([0-9]*\) *\[\([0-9]*\)\] *\([0-9.]*\): .*/\3 \2 \1/p' |
		awk '{ print $1, $2 + 0, $3 }'
}

# test_formats - trace.dat against trace-cmd, JSON against a parser, the tracer's look
test_formats() {
	local layout word order n
	for n in w73.crash w73.bad reg612.bin; do
		if ! command -v trace-cmd >/dev/null 2>&1; then
			tap_skip "trace-cmd agrees: $n" 'no trace-cmd'
			continue
		fi
		tracemem decode $n --format trace.dat -o o.dat
		tracemem decode $n | cut -d ' ' -f 1-3 >want
		report o.dat >got
		tap_ok "trace-cmd agrees record for record: $n" cmp got want
	done
	for layout in ring-a ring-b recorder; do
		for word in 4 8; do
			for order in le be; do
				n="trace-cmd agrees: $layout $word $order, filtered"
				bin/gen $layout $word $order 131072 3 img truth >/dev/null
				if ! command -v trace-cmd >/dev/null 2>&1; then
					tap_skip "$n" 'no trace-cmd'
					continue
				fi
				bin/asan decode img --last 500 --format trace.dat >o.dat
				tracemem decode img --last 500 | cut -d ' ' -f 1-3 >want
				report o.dat >got
				tap_ok "$n" cmp got want
			done
		done
	done
	if command -v trace-cmd >/dev/null 2>&1; then
		tracemem decode w73.crash --symbols w73.kallsyms --format trace.dat -o o.dat
		tap_like 'names in trace.dat' "$(trace-cmd report o.dat 2>/dev/null | tail -n 1)" 'function: *vfs_write'
		tracemem decode w73.crash --symbols other --format trace.dat -o o2.dat
		tap_ok 'names in trace.dat have the old addresses' cmp o.dat o2.dat
		# that one has no format for the text, so trace-cmd cannot print it
		report tw6.dat >got
		tracemem decode w73.crash | grep -v ' print ' | cut -d ' ' -f 1-3 >want
		tap_ok 'the other program agrees' cmp got want
	else
		tap_skip 'names in trace.dat' 'no trace-cmd'
	fi
	bin/gen ring-b 8 le 131072 4 img truth >/dev/null
	printf '1 a"b\\c\n' >comms
	bin/asan decode img --format json --cmdlines comms >o.json
	if perl -MJSON::PP -e 1 2>/dev/null; then
		tap_is 'JSON is valid and complete' "$(perl -MJSON::PP -e 'local $/; print scalar @{decode_json(<>)->{traceEvents}}' o.json)" $(($(wc -l <truth) + 1))
	else
		tap_skip 'JSON is valid and complete' 'no perl JSON::PP'
	fi
	tap_like 'the look of the function tracer' "$(tracemem decode w73.crash --symbols w73.kallsyms --format trace | tail -n 1)" \
		'^ +<\.\.\.>-1       \[000\] \.\.\.\.\.     7\.087309: vfs_write <-ksys_write$'
	# a recorder's area of CPU 1234: the number is whole
	bin/gen recorder 8 le 65536 1 img truth >/dev/null
	changed img 1796 322 4
	tap_like 'a CPU of four digits' "$(bin/asan decode changed --cpu 1234 --format trace | head -n 1)" ' \[1234\] '
	tracemem decode w73.crash >want
	tracemem decode w73.crash -o out.txt
	tap_ok '-o FILE is the same' cmp want out.txt
}

# test_image - snapshot, its header, what restore refuses
test_image() {
	tap_is 'snapshot' "$(status tracemem snapshot w73.crash w.img)" 0
	tap_is 'the region is in it as it is' "$(tail -c 262144 w.img | cksum)" "$(cksum <w73.crash)"
	tap_is 'the image decodes to the same' "$(tracemem decode w.img | cksum)" "$(tracemem decode w73.crash | cksum)"
	tap_is 'snapshot to -' "$(tracemem snapshot w73.crash - | tracemem decode - | wc -l)" 3483
	tap_is 'checksum' "$(tracemem info w.img | value checksum)" good
	changed w.img 5000 123
	tap_is 'a changed byte is seen' "$(tracemem info changed | value checksum)" BAD
	tap_is 'restore refuses a wrong checksum' "$(status tracemem restore changed w73.bad)" 1
	changed w.img 40 1
	tap_is 'a damaged header is refused' "$(status tracemem restore -f changed w73.bad)" 1
	head -c 100000 w.img >short.img
	tap_is 'a cut image is refused by restore' "$(status tracemem restore -f short.img w73.bad)" 1
	tap_like 'and decoded as far as it goes' "$(tracemem decode short.img 2>/dev/null | wc -l)" '^[1-9]'
	head -c 262144 /dev/zero >target
	tap_is 'restore' "$(status tracemem restore w.img target)" 0
	tap_ok 'restored byte for byte' cmp target w73.crash
	head -c 524288 /dev/zero >target
	tap_is 'restore refuses another size' "$(status tracemem restore w.img target)" 1
	tap_is 'and has not written' "$(tr -d '\000' <target | wc -c)" 0
	tap_is 'restore -f into a larger one' "$(status tracemem restore -f w.img target)" 0
	head -c 4096 /dev/zero >target
	tap_is 'never into a smaller one' "$(status tracemem restore -f w.img target)" 1
	cp w73.crash target
	tap_is 'clear' "$(status tracemem clear target)" 0
	tap_is 'cleared' "$(tr -d '\000' <target | wc -c)" 0
	tap_is 'a region of zeros: exit 10' "$(status tracemem decode target)" 10
	changed w73.crash 8264 1
	tap_is 'a region with a damaged header is kept all the same' "$(status tracemem snapshot changed d.img)" 0
	tap_is 'no records: no file either' "$(status tracemem decode ro.bin -o none.txt) $(ls none.txt 2>/dev/null)" '10 '
	tap_is 'clear refuses an image' "$(status tracemem clear w.img)" 1
	if [ -w /dev/full ]; then
		tap_is 'a full device: exit 9' "$(status tracemem snapshot w73.crash /dev/full)" 9
	else
		tap_skip 'a full device: exit 9' 'no /dev/full'
	fi
	mkdir full
	# a limit on file size stands for a full disk
	tap_is 'no room: exit 9' "$(
		trap '' XFSZ
		ulimit -f 100
		status tracemem snapshot w73.crash full/w.img
	)" 9
	tap_is 'no room: nothing is left' "$(ls full)" ''
	bin/gen plain 4 be 65536 1 img truth >n
	tracemem snapshot --plain "$(cat n),4,be,ipx" img p.img
	tracemem decode p.img >got
	tap_ok 'an image of bare arrays says what it is' cmp got truth
	bin/gen pstore 4 le 65536 1 img truth >n
	tracemem snapshot --word 8 img p.img
	tap_is 'an image keeps --word' "$(tracemem info p.img | value word-size)" 8
	bin/gen pstore 8 le 65536 1 img truth >n
	tracemem snapshot --word 8 img p.img
	tap_is 'and is read with it' "$(bin/asan decode p.img | cksum)" "$(cksum <truth)"
	mkdir part
	tap_is 'an error in the middle leaves no part of a file' "$(status tracemem decode --summary --since 1 --plain 8,4,le,ix -o part/out.txt w73.crash) $(ls part)" '2 '
	# longer than any region, and without a byte on the disk
	dd if=/dev/zero of=sparse bs=1 count=1 seek=21474836480 2>/dev/null
	tap_is 'a file that is too long is not read first' "$(status tracemem decode sparse)" 1
	tap_like 'and it is said' "$(cat err)" 'longer than 2147418112 bytes'
	mkfifo fifo
	tap_is 'a FIFO that nobody writes to does not hold up' "$(status tracemem decode fifo) $(grep -c 'nobody writes' err)" '1 1'
	tap_is 'nor as symbols' "$(status tracemem decode --symbols fifo w73.crash)" 1
	# shellcheck disable=SC2002 # a pipe is the point
	tap_is 'a pipe with a writer is read' "$(cat w73.crash | tracemem decode /dev/stdin | wc -l)" 3483
}

# fake_system - a machine: RAM up to 256 MiB but for 1 MiB reserved at 0x1000, its memory in a sparse file
fake_system() {
	mkdir -p proc/sys/kernel/random sys/kernel/tracing/instances sys/module
	printf '00000000-00000fff : Reserved\n00001000-00100fff : Reserved\n00101000-0fffffff : System RAM\n  01000000-01ffffff : Kernel code\n10000000-1fffffff : PCI Bus 0000:00\n20000000-200fffff : Reserved\n' >proc/iomem
	printf '11111111-2222-3333-4444-555555555555\n' >proc/sys/kernel/random/boot_id
	printf 'root=/dev/sda quiet\n' >proc/cmdline
	printf 'booting\n' >log
	dd if=/dev/zero of=mem bs=4096 count=1 seek=131328 2>/dev/null
	dd if=w73.crash of=mem bs=4096 seek=1 conv=notrunc 2>/dev/null
	export FIELDTRACE_PROC="$work/proc" FIELDTRACE_SYS="$work/sys" FIELDTRACE_MEM="$work/mem" FIELDTRACE_DMESG="$work/log"
}

# test_memory - physical memory: what is allowed, what is refused and why
test_memory() {
	fake_system
	tap_is 'reserved memory is read' "$(tracemem decode 0x1000:256K | wc -l)" 3483
	tap_is 'decimal address, K and M' "$(tracemem info 4096:1M | value size)" 1048576
	tap_is 'System RAM: exit 3' "$(status tracemem info 0x200000:1M)" 3
	tap_like 'System RAM is named' "$(cat err)" 'System RAM'
	tap_is 'a range that begins before it: exit 3' "$(status tracemem info 0x100000:8K)" 3
	tap_is 'a device: exit 3' "$(status tracemem clear 0x10000000:1M)" 3
	tap_like 'the device is named' "$(cat err)" 'PCI Bus'
	cp proc/iomem iomem
	sed 's/^\( *\)[0-9a-f]*-[0-9a-f]*/\100000000-00000000/' iomem >proc/iomem
	tap_is 'hidden addresses: exit 3' "$(status tracemem info 0x1000:4K)" 3
	rm proc/iomem
	tap_is 'no iomem: exit 3' "$(status tracemem info 0x1000:4K)" 3
	grep -v RAM iomem >proc/iomem
	tap_is 'no RAM listed: exit 3' "$(status tracemem info 0x20000000:4K)" 3
	printf 'mem=512M quiet\n' >proc/cmdline
	tap_is 'no RAM listed, above mem=' "$(status tracemem clear 0x20000000:4K)" 0
	cp iomem proc/iomem
	tap_is 'no /dev/mem: exit 4' "$(FIELDTRACE_MEM=$work/none status tracemem info 0x1000:4K)" 4

	tap_is 'snapshot of memory' "$(status tracemem snapshot 0x1000:256K m.img)" 0
	tap_is 'the image knows its address' "$(tracemem info m.img | value address)" 0x1000
	tap_is 'the image knows the boot' "$(tracemem info m.img | value taken-in-boot)" 11111111-2222-3333-4444-555555555555
	tap_is 'clear memory' "$(status tracemem clear 0x1000:256K)" 0
	tap_is 'cleared: exit 10' "$(status tracemem decode 0x1000:256K)" 10
	tap_is 'restore to another address: refused' "$(status tracemem restore m.img 0x20000000:256K)" 1
	tap_is 'restore' "$(status tracemem restore m.img 0x1000:256K)" 0
	tap_is 'it is back' "$(tracemem decode 0x1000:256K | wc -l)" 3483

	printf 'trace_instance=crash^traceoff@0x1000:256K,sched:sched_switch quiet\n' >proc/cmdline
	tap_is '@NAME from the command line' "$(tracemem decode @crash | wc -l)" 3483
	mkdir sys/kernel/tracing/instances/crash
	tap_is 'a live region: restore exits 5' "$(status tracemem restore m.img 0x1000:256K)" 5
	tap_is 'a live region: not with -f either' "$(status tracemem restore -f m.img @crash)" 5
	tap_like 'who uses it is named' "$(cat err)" "instance 'crash'"
	tap_is 'a live region: clear exits 5' "$(status tracemem clear 0x2000:4K)" 5
	rmdir sys/kernel/tracing/instances/crash

	# reserve_mem: inside System RAM, its place only in the log
	printf 'reserve_mem=256K:4096:lost trace_instance=boot@lost\n' >proc/cmdline
	tap_is 'a label that the log does not place: exit 1' "$(status tracemem info @lost)" 1
	printf 'x\n[    0.1] Tracing: mapped boot instance boot at physical memory 0x0000000000200000 of size 0x40000\n' >log
	dd if=w73.crash of=mem bs=4096 seek=512 conv=notrunc 2>/dev/null
	tap_is '@LABEL placed by the log' "$(tracemem decode @lost | wc -l)" 3483
	tap_is '@NAME of the instance on it' "$(tracemem info @boot | value address)" 0x200000
	tap_is 'the same range by address: exit 3' "$(status tracemem info 0x200000:256K)" 3
	printf '[    0.1] Tracing: mapped boot instance boot at physical memory 200000 of size 0x40000\n' >log
	tap_is 'the log of 6.15 up, without 0x' "$(tracemem info @boot | value address)" 0x200000
	# what a device or a process says in the log is not the kernel's word; two that disagree are none
	for text in 'usb 1-1: Product: Tracing: mapped boot instance boot at physical memory 0x1000 of size 0x1000' \
		'Tracing: mapped boot instance boot at physical memory 0x1000 of size 0x1000 or so'; do
		printf '<6>[    0.1] %s\n' 'Tracing: mapped boot instance boot at physical memory 200000 of size 0x40000' "$text" >log
		tap_is "not the kernel's: $text" "$(tracemem info @boot | value address)" 0x200000
	done
	printf '[    0.1] %s\n' 'Tracing: mapped boot instance boot at physical memory 200000 of size 0x40000' \
		'Tracing: mapped boot instance boot at physical memory 0x1000 of size 0x1000' >log
	tap_is 'lines that disagree: exit 1' "$(status tracemem info @boot)" 1
	printf '[    0.1] Tracing: mapped boot instance boot at physical memory 0x10000000 of size 0x1000\n' >log
	tap_is 'reserve_mem on a device: exit 3' "$(status tracemem info @boot)" 3
	cp proc/iomem iomem.old
	printf '  00200000-0020ffff : Kernel code\n' >>proc/iomem
	printf '[    0.1] Tracing: mapped boot instance boot at physical memory 200000 of size 0x40000\n' >log
	tap_is 'reserve_mem on the kernel itself: exit 3' "$(status tracemem info @boot)" 3
	mv iomem.old proc/iomem
	# a core file: ELF header, one PT_LOAD at physical 0x200000 whose bytes are at 4096
	{
		printf '\177ELF\002\001\001\000\000\000\000\000\000\000\000\000\004\000\076\000\001\000\000\000'
		printf '\000\000\000\000\000\000\000\000\100\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
		printf '\000\000\000\000\100\000\070\000\001\000\000\000\000\000\000\000'
		printf '\001\000\000\000\007\000\000\000\000\020\000\000\000\000\000\000\000\000\040\000\200\210\377\377'
		printf '\000\000\040\000\000\000\000\000\000\000\004\000\000\000\000\000\000\000\004\000\000\000\000\000\000\020\000\000\000\000\000\000'
		head -c 3976 /dev/zero
		cat w73.crash
	} >proc/kcore
	tap_is 'reserve_mem through kcore' "$(tracemem info @boot | value source)" kcore
	tap_is 'kcore: all records' "$(FIELDTRACE_MEM=$work/none tracemem decode @boot | wc -l)" 3483
	# the area is at physical 0 and 0x240000 long: what all areas of an old kernel's file say, of whatever they are
	changed proc/kcore 88 0 0 0 0 0 0 0 0 0 0 44 0 0 0 0 0 0 0 44 0
	dd if=w73.crash of=changed bs=4096 seek=513 conv=notrunc 2>/dev/null
	mv changed proc/kcore
	tap_is 'kcore that tells no physical address is not used' "$(tracemem info @boot | value source)" mem-map
	# a second area that has none: this kernel does tell, and RAM begins at 0, as on s390
	changed proc/kcore 56 2
	mv changed proc/kcore
	changed proc/kcore 120 1
	mv changed proc/kcore
	changed proc/kcore 144 377 377 377 377 377 377 377 377
	mv changed proc/kcore
	tap_is 'kcore with RAM from 0 on' "$(tracemem info @boot | value source)" kcore
	tap_is 'kcore with RAM from 0 on: all records' "$(FIELDTRACE_MEM=$work/none tracemem decode @boot | wc -l)" 3483

	# ramoops by its parameters
	mkdir -p sys/module/ramoops/parameters
	printf '4096\n' >sys/module/ramoops/parameters/mem_address
	printf '262144\n' >sys/module/ramoops/parameters/mem_size
	tap_is '@ramoops' "$(tracemem info @ramoops | value address)" 0x1000
	tap_is 'ramoops in use: exit 5' "$(status tracemem clear 0x1000:256K)" 5
	rm -r sys/module/ramoops
	mkdir -p sys/module/ftrec/parameters
	printf '0x1000\n' >sys/module/ftrec/parameters/addr
	printf '256K\n' >sys/module/ftrec/parameters/size
	tap_is '@ftrec' "$(tracemem decode @ftrec | wc -l)" 3483
	tap_is 'the recorder in use: exit 5' "$(status tracemem restore -f m.img @ftrec)" 5
	tap_is 'unknown name: exit 1' "$(status tracemem info @nobody)" 1
	unset FIELDTRACE_PROC FIELDTRACE_SYS FIELDTRACE_MEM FIELDTRACE_DMESG
}

# test_usage - wrong use is exit 2, before anything is touched
test_usage() {
	cp w73.crash victim
	set -- 'clear --no victim' 'clear victim more' 'clear' 'nonsense victim' 'restore -x w.img victim' 'clear 0x10z:4K' \
		'clear 0x1000:4Kx' 'clear 0x1000:' 'clear 0x1001:4K' 'clear 0x1000:0' 'clear 0xffffffffffffffff1:4K' \
		'decode --last 5x w73.crash' 'decode --last -1 w73.crash' 'decode --since x w73.crash' 'decode --since 0 w73.crash' \
		'decode --format xml w73.crash' 'decode --cpu 99999 w73.crash' 'decode --plain 0,4,le,ipx w73.crash' \
		'decode --plain 4,5,le,ipx w73.crash' 'decode --plain 4,4,xe,ipx w73.crash' 'decode --plain 4,4,le,iix w73.crash' \
		'decode --word 5 w73.crash' 'decode --symbols' 'decode' 'info --last 3 w73.crash' 'decode --delta 0xg w73.crash'
	for line in "$@"; do
		# shellcheck disable=SC2086 # words
		tap_is "usage: $line" "$(status tracemem $line)" 2
	done
	tap_ok 'nothing was written' cmp victim w73.crash
	tap_is '-h: exit 0' "$(status tracemem -h)" 0
	tap_like '-h: on standard output' "$(cat out)" '^usage: tracemem'
	for line in -h 'info -h' 'snapshot -h' 'restore -h' 'clear -h' 'decode -h'; do
		# shellcheck disable=SC2086 # words
		tap_is "$line: 24 lines of 80 columns, with examples" "$(status tracemem $line) $(
			awk 'length($0) > 80 { print "long: " $0 } NR == 25 { print "and more" } /^eg,$/ { print }' out
		)" '0 eg,'
	done
	tap_is 'a file that is not there: exit 1' "$(status tracemem info none)" 1
}

# test_hostile - cut and damaged regions: any exit but that of a sanitizer
test_hostile() {
	local n bad layout
	bad=0
	for n in 0 1 63 64 100 8191 8240 12288 70000; do
		head -c $n w73.crash >img
		status bin/asan decode img >rc
		grep -q 'ERROR: \|runtime error' err && bad=$((bad + 1))
	done
	tap_is 'cut regions' $bad 0
	bad=0
	for layout in ring-a ring-b recorder pstore-ecc; do
		bin/gen $layout 8 le 65536 5 img truth >/dev/null
		n=0
		while [ $n -lt 160 ]; do
			changed img $n 377 377 377 177
			for f in text json trace.dat; do
				status bin/asan decode changed --format $f >rc
				grep -q 'ERROR: \|runtime error' err && bad=$((bad + 1))
			done
			n=$((n + 4))
		done
	done
	tap_is 'damaged headers' $bad 0
}

# test_cross - the helper itself on a big-endian 32-bit machine, where compiler and emulator are there
test_cross() {
	local name layout order
	name='on 32-bit PowerPC'
	mkdir ppc
	if ! command -v powerpc-linux-gnu-gcc >/dev/null 2>&1 || ! command -v qemu-ppc-static >/dev/null 2>&1 ||
		! make -s -C "$top/helper" O="$work/ppc" CROSS_COMPILE=powerpc-linux-gnu- LDFLAGS=-static helper 2>err; then
		tap_skip "$name" 'no compiler, libc or emulator for it'
		return
	fi
	for layout in ring-a ring-b recorder pstore-ecc; do
		for order in le be; do
			bin/gen $layout 4 $order 131072 6 img truth >/dev/null
			qemu-ppc-static ppc/tracemem decode img >got
			tap_ok "$name: $layout, $order" cmp got truth
			qemu-ppc-static ppc/tracemem snapshot img ppc.img
			tracemem decode ppc.img >got
			tap_ok "$name: its image decodes here" cmp got truth
		done
	done
}

unpack
build
test_fixtures
test_s390x s390x-a ring-a
test_s390x s390x-b ring-b
test_truth
test_filters
test_report
test_health
test_salvage
test_names
test_hostile_names
test_formats
test_image
test_memory
test_usage
test_hostile
test_cross
tap_done
