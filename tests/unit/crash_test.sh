# shellcheck shell=sh
# crash_test.sh - crash*.sh: where the state may lie, the boot line, the region, what is to be pasted
# SPDX-License-Identifier: GPL-2.0-only
# runs: shells
# shellcheck disable=SC2016 # text that must not be expanded

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

nl='
'
P=$T/proc
FIELDTRACE_PROC=$P
FIELDTRACE_DMESG=$T/dmesg
export FIELDTRACE_PROC FIELDTRACE_DMESG
mkdir -p "$P" "$T/disk/a b" "$T/ram"
: >"$FIELDTRACE_DMESG"

mounts() { # LINE...
	for line; do printf '%s\n' "$line"; done >"$P/mounts"
}

### a state folder that a reset empties

volatile() { # DIR
	crash_volatile "$1"
	echo "$? $crash_fs"
}
where() { # NAME WANT DIR
	lib crash -- volatile "$3"
	tap_is "$1" "$out" "$2"
}
mounts 'rootfs / rootfs rw 0 0' "tmpfs $T/ram tmpfs rw 0 0"
where 'the root itself is in RAM' '0 rootfs' /
where 'a folder that is not there yet is where its parent is' '0 rootfs' /nosuch/folder
where 'a tmpfs below' '0 tmpfs' "$T/ram/x"
mounts 'rootfs / rootfs rw 0 0' "/dev/sda1 / ext4 rw 0 0" "tmpfs $T/ram tmpfs rw 0 0"
where 'the later of two mounts on a place counts' '1 ext4' "$T/disk"
where 'what begins alike is not below' '1 ext4' "$T/ramdisk"
mounts 'tmpfs / tmpfs rw 0 0' "/dev/sdb $T/disk/a\\040b ext4 rw 0 0"
where 'a disk whose folder has a blank' '1 ext4' "$T/disk/a b/state"
where 'beside it' '0 tmpfs' "$T/disk"
mounts "overlay / overlay rw,lowerdir=/rom,upperdir=$T/ram/up,workdir=/w 0 0" "tmpfs $T/ram tmpfs rw 0 0"
where 'an overlay is what it writes to: RAM' '0 tmpfs' "$T/disk"
mounts "overlay / overlay rw,lowerdir=/rom,upperdir=$T/disk/up 0 0" "/dev/mtdblock3 $T/disk jffs2 rw 0 0"
where 'an overlay is what it writes to: flash' '1 jffs2' /etc

### the boot line

instance() { # [NAME]
	crash_find_instance "$@" || echo none
	echo "$crash_name $crash_where"
}
boot_line() { # NAME WANT LINE [INSTANCE]
	local name="$1" want="$2"

	printf '%s\n' "$3" >"$P/cmdline"
	shift 3
	lib crash crash_ring -- instance "$@"
	tap_is "$name" "$out" "$want"
}
boot_line 'a region by address' 'crash 0x18000000:1M' 'quiet trace_instance=crash^traceoff@0x18000000:1M'
boot_line 'a label of reserve_mem, events behind it' 'boot trace' 'trace_instance=boot@trace,sched:*'
boot_line 'one without a place does not survive' 'two 0x1000:4K' 'trace_instance=one trace_instance=two@0x1000:4K'
boot_line 'the one that is asked for' 'b 0x2000:4K' 'trace_instance=a@0x1000:4K trace_instance=b@0x2000:4K' b
boot_line 'none' "none$nl " 'quiet mytrace_instance=x@y'
boot_line 'nothing is expanded' 'x$(id) *' 'trace_instance=x$(id)@*'
words() { crash_cmdline_words memmap; }
printf '%s\n' 'memmap=1M$0x18000000 "memmap=2M$0x20000000" xmemmap=3' >"$P/cmdline"
lib crash -- words
tap_is 'each word of a key, quotes off' "$out" "1M\$0x18000000${nl}2M\$0x20000000"

place() { # NAME WHERE
	crash_name=$1 crash_where=$2
	crash_place
	echo "$crash_addr $crash_size"
}
lib crash crash_ring -- place crash 0x18000000:1M
tap_is 'the place, as the boot line has it' "$out" '0x18000000 1048576'
echo '[    0.1] Tracing: mapped boot instance crash at physical memory 0x0000000012c00000 of size 0x100000' >"$FIELDTRACE_DMESG"
lib crash crash_ring -- place crash trace
tap_is 'the place, as the kernel tells it' "$out" '0x12c00000 1048576'
lib crash crash_ring -- place other trace
tap_is 'of another instance it tells nothing' "$out" ' '
lib crash crash_ring -- place 'cra.*' trace
tap_is 'the name of an instance is no pattern' "$out" ' '
# A device may call itself what it likes, and a text of several lines gets the log's own prefix before each.
evil="a[\$(id >$T/evil)]"
forged='Tracing: mapped boot instance crash at physical memory 0x1 of size 0x2'
for text in "usb 1-1: Product: $forged" "usb 1-1: $forged" "$forged more" "${forged%x2}x$evil" "${forged%0x2}$evil" \
	"${forged%0x1 *}$evil of size 0x2"; do
	printf '[    0.1] %s\n' 'Tracing: mapped boot instance crash at physical memory 0x12c00000 of size 0x100000' "$text" >"$FIELDTRACE_DMESG"
	lib crash crash_ring -- place crash trace
	tap_is "a line that is not the kernel's: $text" "$rc $out" '0 0x12c00000 1048576'
done
tap_ok 'text of the log is never run' test ! -e "$T/evil"
printf '[    0.1] %s\n' 'Tracing: mapped boot instance crash at physical memory 0x12c00000 of size 0x100000' "$forged" >"$FIELDTRACE_DMESG"
lib crash crash_ring -- place crash trace
tap_is 'two lines that disagree tell nothing' "$out" ' '
lib crash crash_ring -- place crash 0x18000000:0x100000
tap_is 'what the boot line says is not asked of the log' "$out" '0x18000000 1048576'
echo '[    0.000000][    T0] Tracing: mapped boot instance crash at physical memory 0x000000012c00000 of size 0x100000' >"$FIELDTRACE_DMESG"
lib crash crash_ring -- place crash trace
tap_is 'behind the name of the caller' "$out" '0x12c00000 1048576'
cpus() { # LIST
	crash_sys=$T/sys
	mkdir -p "$T/sys/devices/system/cpu"
	printf '%s\n' "$1" >"$T/sys/devices/system/cpu/possible"
	crash_cpus
	echo "$crash_ncpu"
}
for try in '0 1' '0-3 4' '0-1,4-7 6' "$evil 1" "0-$evil 1"; do
	lib crash crash_check -- cpus "${try% *}"
	tap_is "possible CPUs: $try" "$rc $out" "0 ${try##* }"
done
tap_ok 'text of sysfs is never run' test ! -e "$T/evil"

### small things

size() { for word in 4194304 65536 1M 0x100000 99999999999; do crash_size_text "$word"; done; }
lib crash crash_ring -- size
tap_is 'sizes in words' "$out" "4 MiB${nl}64 KiB${nl}1M${nl}0x100000${nl}99999999999"
keys() {
	crash_key_of "clock local${nl}text ffff0000${nl}cpus 2" text && echo "$crash_value"
	crash_key_of "clock local${nl}text x" tex || echo "none$crash_value"
	crash_symbol_of "ffff1 T _text${nl}ffff2 t rb_meta_init_text_addr${nl}ffff3 T last" rb_meta_init_text_addr
	echo "$crash_value"
	crash_symbol_of "ffff1 T _text" text
	echo "none$crash_value"
}
lib crash crash_dump -- keys
tap_is 'a value by its key, an address by its symbol' "$out" "ffff0000${nl}none${nl}ffff2${nl}none"
escaped() {
	crash_escaped 'memmap=1M$0x1 a$b' 3
	crash_escaped 'memmap=1M$0x1' 1
	crash_escaped 'none' 3
}
lib crash crash_advice -- escaped
tap_is 'a dollar for GRUB and for U-Boot' "$out" "memmap=1M\\\\\\\$0x1 a\\\\\\\$b${nl}memmap=1M\\\$0x1${nl}none"
proposed() { # CPUS KB
	crash_ncpu=$1
	echo "MemTotal: $2 kB" >"$P/meminfo"
	crash_propose_size
	echo "$crash_mb"
}
for try in '1 262144 4' '2 32768 2' '1 8192 1' '64 4194304 64' '16 262144 16' '4 65536 4'; do
	# shellcheck disable=SC2086 # words
	set -- $try
	lib crash crash_advice -- proposed "$1" "$2"
	tap_is "a region for $1 CPUs and $2 KiB" "$out" "$3"
done

### files that become whole or not at all

replaced() {
	echo new | crash_replace "$T/file"
	cat "$T/file"
	echo "$T"/file*
}
echo old >"$T/file"
lib crash -- replaced
tap_is 'a file is replaced, and nothing is left beside it' "$out" "new${nl}$T/file"
into_nothing() { echo new | crash_replace "$T/nosuch/file"; }
lib crash -- into_nothing
tap_like 'where it cannot be written: 9' "$rc $err" '^9 tool: cannot write '

### symbols: what is not listed is not the same as an address that is not shown

kallsyms() { # LINE...
	for line; do printf '%s\n' "$line"; done >"$P/kallsyms"
}
saved() {
	crash_saved=$T/saved
	mkdir -p "$crash_saved"
	crash_save_symbols
	echo "$crash_text_at,$crash_anchor_at"
}
kallsyms 'c0008000 T _stext' 'c0009000 t rb_meta_init_text_addr' 'c0009010 T vfs_read'
lib crash crash_boot -- saved
tap_is 'a kernel that does not list _text: _stext' "$rc $out" '0 c0008000,c0009000'
kallsyms 'c0007000 T _text' 'c0008000 T _stext'
lib crash crash_boot -- saved
tap_is '_text where it is' "$rc $out" '0 c0007000,'
kallsyms 'c0009010 T vfs_read'
lib crash crash_boot -- saved
tap_is 'neither: armed without' "$rc $out" '0 ,'
kallsyms '00000000 T _text' '00000000 T _stext' '00000000 T vfs_read'
lib crash crash_boot -- saved
tap_is 'addresses that are not shown: 3' "$rc" 3

### pstore: each cause on its own

pstore() { crash_pstore_why && echo ready || echo "$crash_reason"; }
FIELDTRACE_SYS=$T/sys
export FIELDTRACE_SYS
debugfs=$T/debugfs
cause() { # NAME WANT
	lib crash crash_pstore -- pstore
	tap_like "pstore: $1" "$out" "$2"
}
mounts 'rootfs / rootfs rw 0 0'
cause 'not in this kernel' '^CONFIG_PSTORE_FTRACE is not set$'
kallsyms 'c0009010 T pstore_register_ftrace'
cause 'debugfs' '^debugfs is not mounted'
mounts "debugfs $debugfs debugfs rw 0 0"
mkdir -p "$debugfs"
cause 'no ramoops' '^no ramoops region: .*ramoops.mem_address='
mkdir -p "$T/sys/module/ramoops/parameters"
echo 0 >"$T/sys/module/ramoops/parameters/ftrace_size"
cause 'ramoops with no room for calls' '^ramoops is there with ftrace_size 0: add ramoops.ftrace_size='
echo 4096 >"$T/sys/module/ramoops/parameters/ftrace_size"
cause 'another backend' '^no .*/debugfs/pstore/record_ftrace: ramoops has no ftrace_size .*another backend'
mkdir "$debugfs/pstore"
: >"$debugfs/pstore/record_ftrace"
cause 'all there' '^ready$'

### the state folder is lost, or -S forgotten

picked() { # -> which backend a dump looks for
	backend= crash_region= force=
	state=$T/lost
	crash_state_dir
	crash_pick_backend dump
	echo "$crash_backend ${crash_where:-}"
}
echo 'quiet memmap=4M$0x18000000' >"$P/cmdline"
FIELDTRACE_SYS=$T/none
lib crash crash_ring crash_module crash_pstore crash_arm -- picked
tap_is 'a region of the boot line: the recorder is looked for' "$out" 'module 0x18000000:4M'
no_data() {
	picked
	crash_ring_find || crash_no_data
}
echo quiet >"$P/cmdline"
lib functions crash crash_boot crash_ring crash_module crash_pstore crash_arm crash_dump crash_why -- no_data
tap_like 'nothing on the boot line: -S and -r are named' "$rc $err" '^10 .*lost does not say what was armed: .*-S DIR.* dump -b module -r ADDRESS:SIZE'
FIELDTRACE_SYS=$T/sys
marked() {
	crash_dir=$T/disk
	crash_image=this.img
	crash_mark_dumped key this.img
	echo "$crash_image"
}
lib crash crash_dump -- marked
tap_is 'the snapshot that disarm takes is known behind its mark' "$out" this.img

### a helper of another machine

helpers() {
	FT_LIB=$T/hlib
	crash_helper
	echo "$?"
	crash_helper_text
}
mkdir -p "$T/hlib" "$T/helper"
printf '\177ELF\002\001\001(broken(\n' >"$T/hlib/tracemem"
chmod +x "$T/hlib/tracemem"
FIELDTRACE_HELPER= lib crash -- helpers
tap_like 'a helper that does not run here' "$out" '^no: .*/hlib/tracemem does not run on this machine'
tap_is 'no word of a shell about it' "$err" ''
printf '#!/bin/sh\n' >"$T/helper/tracemem-static"
chmod +x "$T/helper/tracemem-static"
FIELDTRACE_HELPER= lib crash -- helpers
tap_is 'the static one that make helper-static leaves' "$out" "0${nl}$T/hlib/../helper/tracemem-static"

### where RAM does not begin at 0

below() { # MACHINE LINE...: what mem= would be
	for line; do printf '%s : System RAM\n' "$line"; done >"$P/iomem"
	crash_mb=4
	crash_ram_below
}
for try in '40000000-4fffffff 252 0x4fc00000' '00000000-0fffffff 252 0x0fc00000' '40000000-4fffffff,60000000-6fffffff ' \
	'40000000-47ffffff,48000000-4fffffff 252 0x4fc00000'; do
	set -f
	# shellcheck disable=SC2046 # words
	set -- $(echo "${try%% *}" | tr , ' ')
	set +f
	lib crash crash_advice -- below "$@"
	tap_is "mem= is an amount, none with holes: $try" "$out" "${try#* }"
done
known() { # BOOT-LINE: the region that is there
	printf '%s\n' "$1" >"$P/cmdline"
	printf '%s\n' '00100000-0fffffff : System RAM' '10000000-103fffff : Reserved' '10400000-1fffffff : System RAM' >"$P/iomem"
	crash_region= crash_dir=$T/lost
	if crash_known_region; then echo "$crash_where"; else echo none; fi
}
for try in 'memmap=4M$0x10000000 0x10000000:4M' 'memmap=5M$0x10000000 none' 'memmap=4M$0x1000000 none' 'quiet none'; do
	lib crash crash_module crash_advice -- known "${try% *}"
	tap_is "a region that is there is taken for one, unless it is RAM: $try" "$out" "${try#* }"
done
odd() { # WHERE
	crash_where=$1 crash_name=crash
	crash_ring_why_missing
}
for try in 0x18000800:1M 0x18000000:1000 lost; do
	echo 'reserve_mem=1M:64:lost' >"$P/cmdline"
	lib crash crash_ring -- odd "$try"
	tap_like "a region that is not page aligned: $try" "$out" '^address and size have to be multiples of a page, [0-9]+ bytes here'
done

### what the filter gets when modules come and go

again() { # FIRST OLD-MODULES PATTERN...: the words
	local first="$1" old="$2"

	shift 2
	{
		ft_pattern_lines "$@"
		echo --
		cat "$P/modules"
		echo --
		printf '%s\n' "$old"
	} | ft_awk crash_again -v first="$first"
}
printf '%s\n' 'loop 1 0 - Live 0xc1' 'dummy 1 0 - Live 0xd2' 'old 1 0 - Live 0xe1' >"$P/modules"
was='dummy 1 0 - Live 0xd1
old 1 0 - Live 0xe1'
filter_gets() { # NAME WANT FIRST OLD PATTERN...
	local name="$1" want="$2"

	shift 2
	lib functions crash crash_arm -- again "$@"
	tap_is "$name" "$(printf '%s' "$out" | tr '\n' ' ')" "$want"
}
filter_gets 'a list waits for each of it' 'w *:mod:loop w *:mod:gone' 1 '' :mod:loop,gone
filter_gets 'a glob takes what is there' 'w f:mod:loop w f:mod:old' 1 '' 'f:mod:*o*'
filter_gets 'once armed, new ones only' 'w f:mod:loop w f:mod:dummy' '' "$was" 'f:mod:*'
filter_gets 'a name is set again in any case' 'w *:mod:old' '' "$was" :mod:old
filter_gets 'functions of any module, in new ones' 'w vfs_*:mod:loop w vfs_*:mod:dummy' '' "$was" 'vfs_*'
filter_gets 'what is left out comes last' 'w *:mod:loop w !lo_*:mod:loop w !lo_*:mod:dummy' '' "$was" '!lo_*' :mod:loop
filter_gets 'a regex is looked up' 'r /^l/:mod:loop' '' "$was" '/^l/:mod:loop'
filter_gets 'at first all as it stands' 'w vfs_* w !vfs_read' 1 '' 'vfs_*' '!vfs_read'

tap_done
