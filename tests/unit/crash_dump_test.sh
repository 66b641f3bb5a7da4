# shellcheck shell=sh
# crash_dump_test.sh - crashtrace dump: what is unreadable is kept and is not empty; names only of the kernel that wrote it
# SPDX-License-Identifier: GPL-2.0-only
# runs: some

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

P=$T/proc
S=$T/state
FIELDTRACE_PROC=$P
FIELDTRACE_DMESG=$T/dmesg
FIELDTRACE_HELPER=$T/tracemem
export FIELDTRACE_PROC FIELDTRACE_DMESG FIELDTRACE_HELPER
mkdir -p "$P/sys/kernel/random"
: >"$FIELDTRACE_DMESG"
: >"$P/cmdline"
echo "/dev/sda1 / ext4 rw 0 0" >"$P/mounts"
echo 11111111-boot >"$P/sys/kernel/random/boot_id"
echo 'ffffffff81000000 T _text' >"$P/kallsyms"

# A helper that says what $T/info has, and ends as $T/status says; its decode tells in each record how it was called.
cat >"$FIELDTRACE_HELPER" <<EOF
#!/bin/sh
case \$1 in
snapshot) echo image >"\$3" ;;
info)
	cat "$T/info"
	exit "\$(cat "$T/status")"
	;;
decode)
	cat >/dev/null
	case "\$*" in *--symbols*) name=f ;; *) name=0xffffffff81000040 ;; esac
	case "\$*" in
	*--report*) cat "$T/info" ;;
	*--salvage*) name="\$name salvaged" ;;
	esac
	echo "1.5 0 sh-7 ..... function g \$name"
	;;
esac
EOF
chmod +x "$FIELDTRACE_HELPER"

region() { # STATUS LINE...: what the helper finds
	printf '%s\n' "$1" >"$T/status"
	shift
	for line; do printf '%s\n' "$line"; done >"$T/info"
}
dump() { run crashtrace dump -S "$S" -b module -r 0x18000000:1M "$@"; }
again() { # a state folder as new
	rm -rf "$S"
	mkdir "$S"
}
images() { # how many snapshots
	set -- "$S"/*.img
	if [ -f "$1" ]; then echo $#; else echo 0; fi
}

### unreadable is not empty

again
region 10 'state empty'
dump
tap_is 'zeros: no trace, and no snapshot' "$rc $(images)" '10 0'

region 3
dump
tap_is 'what cannot be looked at is not empty: the status of the helper' "$rc $(images)" '3 0'

region 1 'state unreadable' 'salvage 0'
dump
tap_is 'bytes without a header: kept, and no word of power' "$rc $(images) $out" '1 1 '
tap_like 'it says what was not found, and where all is' "$err" "^crashtrace: no header can be read, and no record .* All of it is in /.*[.]img$"
dump
tap_is 'asked again: the same snapshot' "$rc $(images)" '1 1'
line() { # the line "trace" of status
	crash_dir=$S crash_source=x crash_boot=11111111-boot
	crash_trace_line module
}
lib crash crash_arm crash_dump -- line
tap_like 'status: it is dumped' "$out" '^trace +dumped \(/.*[.]img'

again
lib crash crash_arm crash_dump -- line
tap_like 'status: unreadable' "$out" '^trace +unreadable, but not empty: tool dump keeps it'

region 1 'state unreadable' 'salvage 1' 'size 4096'
dump
rc_is 'single records are shown without a header' 0
tap_like 'the head says so' "$out" '^records +1 salvaged one by one, without a header that can be read; lost: unknown; snapshot '
tap_like 'the last of a CPU is not for certain' "$out" '^CPU 0, last 1 of 1 \(newest last; not for certain its last'
tap_like 'and each record is marked' "$out" ' g +<- .*\(salvaged\)$'
dump -F json
tap_is 'there is no json of these' "$rc $out" '1 '

key() { # the status of crash_info_key, which decides whether arming wipes
	local rc=0

	crash_dir=$S crash_tracemem=$FIELDTRACE_HELPER crash_source=x crash_boot=11111111-boot
	crash_info_key module || rc=$?
	echo "$rc"
}
again
lib crash crash_dump -- key
tap_is 'arming waits for a dump where something can be salvaged' "$out" 0
region 1 'state unreadable' 'salvage 0'
lib crash crash_dump -- key
tap_is 'not where nothing looks like a record' "$out" 2
region 0 'state damaged' 'damage header' 'records 0'
lib crash crash_dump -- key
tap_is 'but where a header says that there was a trace' "$out" 0

### whose names

again
region 0 'state good' 'layout recorder' 'clock local' 'lost-known yes' 'records 1' 'cpus-with-records 1' 'last 1.5' 'covered 0.1' \
	"traced-release $(uname -r)" "traced-build $(uname -v)" 'cpu 0 records 1 first 1.5 last 1.5'
dump
tap_like 'the running kernel wrote it: its names' "$rc $out" '<- f$'
sed 's/^traced-build .*/traced-build #1 another/' "$T/info" >"$T/info2"
mv "$T/info2" "$T/info"
dump
tap_like 'another one did: addresses' "$rc $out" '<- 0xffffffff81000040$'
tap_like 'and why' "$out" '^names +none: the kernel that wrote it, .*, is not the running one.*--symbols-anyway'
dump --symbols-anyway
tap_like 'asked for all the same: each line is marked' "$out" '<- f   \(name unsure\)$'
tap_like 'and the head' "$out" '^names +UNSURE: the kernel that wrote it'
dump -A -a
tap_like 'in the kernel'\''s look, too' "$out" '^1[.]5 .* f unsure-names$'
dump -A -F json
tap_is 'not in a file that has no place for a mark' "$rc $out" '2 '
grep -v '^traced-' "$T/info" >"$T/info2"
mv "$T/info2" "$T/info"
dump
tap_like 'where nothing tells who wrote it: no names' "$out" '^names +none: nothing tells which kernel wrote it'

saved() { # NUMBER BUILD: a saved boot whose _text was there
	mkdir -p "$S/boots/00000$1.b$1"
	printf 'boot b%s\nbuild %s\ntext ffffffff81000000\n' "$1" "$2" >"$S/boots/00000$1.b$1/info"
	echo 'ffffffff81000000 T _text' >"$S/boots/00000$1.b$1/kallsyms"
	: >"$S/boots/00000$1.b$1/modules"
	: >"$S/boots/00000$1.b$1/cmdlines"
}
printf '%s\n' 'text-address 0xffffffff81000000' 'text-symbol _text' >>"$T/info"
saved 1 '#1 old'
run crashtrace dump -S "$S" "$(echo "$S"/*.img | sed 's/ .*//')"
tap_like 'a saved boot at that address: its names' "$out" '<- f$'
saved 2 '#2 new'
run crashtrace dump -S "$S" "$(echo "$S"/*.img | sed 's/ .*//')"
tap_like 'two kernels at one address: neither' "$out" '^names +none: the symbols of two different kernels were saved'

### on another machine

again
echo image >"$T/x.img"
FIELDTRACE_PROC=$T/none run crashtrace dump -S "$T/none" "$T/x.img"
tap_is 'no state folder, no /proc: the report, and nothing else is said' "$rc $err" '0 '
tap_like 'it has the records' "$out" '<- 0xffffffff81000040$'
tap_is 'no folder was made' "$(ls -d "$T/none" 2>/dev/null)" ''
printf '%s\n' '# last_boot_info text delta:	0' '              sh-7       [000] ..... 1.500000: g <-f' >"$T/x.txt"
FIELDTRACE_PROC=$T/none run crashtrace dump -S "$T/none" "$T/x.txt"
tap_like 'the kernel'\''s text, the same' "$rc $out" '^ +sh-7 +1[.]500000 +g +<- f$'
tap_is 'nothing is left' "$(ls -d "${TMPDIR:-/tmp}"/.crashtrace.* 2>/dev/null)" ''
run crashtrace dump -S "$T/none" -F json -o "$T/x.json" "$T/x.txt"
tap_is 'json of a text: 4, and no file' "$rc $(ls "$T/x.json" 2>/dev/null)" '4 '
tap_like 'and why' "$err" '-F json needs an image; .* is the kernel'\''s own text'

### what this boot's kernel said of the ring

said() { crash_kernel_said; }
printf '%s\n' '[    0.123456] Ring buffer meta [1] is from previous boot! (3 pages discarded)' \
	'<6>[    0.2] Ring buffer boot meta [12] head buffer out of range' '[    0.3] Ring buffer meta [0] is from previous boot!' \
	'[    5.1] usb 1-1: Product: Ring buffer boot meta [7] invalid' >"$FIELDTRACE_DMESG"
lib crash crash_dump -- said
tap_is 'its own lines alone, the bad news alone' "$out" "kernel-said 1 Ring buffer meta [1] is from previous boot! (3 pages discarded)
kernel-said 12 Ring buffer boot meta [12] head buffer out of range"
: >"$FIELDTRACE_DMESG"

### the boot hook

cat >"$T/crashtrace" <<EOF
#!/bin/sh
echo "\$1" >>"$T/calls"
case \$1 in
dump)
	if [ -e "$T/keep" ]; then echo x >"$S/new.img"; fi
	exit 1
	;;
esac
EOF
chmod +x "$T/crashtrace"
hook() {
	: >"$T/calls"
	rc=0
	CRASHTRACE=$T/crashtrace FIELDTRACE_CRASH_STATE=$S sh "$TOP/examples/boot/crashtrace-boot" >"$T/out" 2>"$T/err" || rc=$?
	calls=$(tr '\n' ' ' <"$T/calls")
}
again
echo 'backend module' >"$S/settings"
hook
tap_is 'the hook: without a snapshot nothing is overwritten' "$rc $calls" '1 dump '
: >"$T/keep"
hook
tap_is 'with one it goes on, whatever could be read of it' "$rc $calls" '0 dump arm '

### bisect: a small disk

prune() {
	local n

	crash_dir=$S crash_bisect_dir=$S/bisect
	mkdir "$S/bisect"
	for n in 1 2 3 4; do
		echo x >"$S/$n.img"
		echo x >"$S/$n.note"
		echo "key$n $S/$n.img" >>"$S/dumped"
		crash_bisect_prune
	done
	ls "$S"
}
again
lib crash crash_bisect -- prune
tap_is 'the newest two snapshots of a bisection stay' "$(echo "$out" | tr '\n' ' ')" '3.img 3.note 4.img 4.note bisect dumped '

tap_done
