# shellcheck shell=sh
# common.sh - what the host scripts of tests/crash share; they set $here (this folder) and source it
# SPDX-License-Identifier: GPL-2.0-only

# shellcheck disable=SC2154 # set by those who source this
top=${here%/tests/crash}
vm=$top/tests/vm
# debugfs and mke2fs live in sbin, which a user's PATH may lack.
PATH=$PATH:/usr/sbin:/sbin
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"

# The region: the same place in every guest, see guest_lib.sh.
address=0x18000000
size=1M

# note TEXT - a progress line
note() {
	printf 'crash: %s\n' "$1" >&2
}

# die TEXT - give up
die() {
	note "$1"
	exit 2
}

# need_tools - what tests/deps.sh installs, and this is of no use without
need_tools() {
	local tool
	for tool in cc make mke2fs debugfs qemu-system-x86_64; do
		command -v "$tool" >/dev/null || die "$tool is missing here: run tests/deps.sh"
	done
}

# logs_option ARG... - a script's arguments that begin with [-l DIR]: $dir, empty without one; OPTIND is behind them. Any other
# option shows line 2 of the script and ends it
logs_option() {
	local opt
	dir=''
	while getopts hl: opt; do
		case $opt in
		l) dir=$OPTARG ;;
		*) sed -n '2s/^# //p' "$0" && exit 2 ;;
		esac
	done
}

# open_logs [DIR] - make DIR, or a new folder, and name it: $logs
open_logs() {
	need_tools
	logs=$1
	[ "$logs" ] || logs=$(mktemp -d "${TMPDIR:-/tmp}/ft-crash.XXXXXX") || exit
	mkdir -p "$logs" && : >"$logs/table" || exit
	note "logs in $logs"
	# It goes into the guests along with the commands.
	make -s -C "$top/helper" helper >&2 || exit
}

# backend KEY [VARIANT] - how this kernel records: ring, module or pstore
backend() {
	case $1/${2-} in
	*/module) echo module ;;
	*-built/*) echo pstore ;;
	5.10/* | 6.1/* | ppc32/*) echo module ;;
	*) echo ring ;;
	esac
}

# make_disk IMAGE KEY BACKEND N - the guest's disk, with what it takes from the host and room for N dumps
make_disk() {
	local root ko
	root=${1%/*}/root
	mkdir -p "$root" || return
	${CC:-cc} -O2 -Wall -static -o "$root/load" "$here/load.c" || return
	if [ "$3" = module ]; then
		ko=$("$top/helper/recorder/build.sh" "$2" "${1%/*}/ftrec") || return
		cp "$ko" "$root/" || return
	fi
	# ext3: nothing in it that one of the kernels would need another module for.
	mke2fs -q -t ext3 -d "$root" "$1" "$((64 + 12 * $4))M" >/dev/null
}

# words BACKEND KINDS [VARIANT] - the kernel's command line beyond boot.sh's
words() {
	case $1/${3-} in
	*/reserve_mem) printf 'reserve_mem=%s:4096:label trace_instance=crash^traceoff@label' "$size" ;;
	# Two zones of a megabyte, a CPU each; nothing else of ramoops.
	pstore/*)
		printf 'memmap=4M$%s ramoops.mem_address=%s ramoops.mem_size=0x400000 ramoops.ftrace_size=0x200000' "$address" "$address"
		printf ' ramoops.record_size=0 ramoops.console_size=0 ramoops.pmsg_size=0'
		;;
	ring/*) printf 'memmap=%s$%s trace_instance=crash^traceoff@%s:%s' "$size" "$address" "$address" "$size" ;;
	*) printf 'memmap=%s$%s' "$size" "$address" ;;
	esac
	case $2 in
	*triple*) printf ' reboot=t' ;;
	esac
}

# random_wait - up to four seconds, from none
random_wait() {
	sleep "$(od -An -N2 -tu2 /dev/urandom | awk '{ printf "%.3f", $1 / 16384 }')"
}

# press_button DIR - QEMU's reset button, once for each "armed N button" that the guest says, at a random moment after
# the first three operations; until killed
press_button() {
	local pressed due
	pressed=0
	while :; do
		sleep 0.2
		due=$(awk '/^armed / { on = $3 ~ /^button/ } on && /^seq 4\./ { n++ } END { print n + 0 }' "$1/job.log")
		[ "$due" -gt "$pressed" ] || continue
		random_wait
		printf '%s\n' '{"execute":"system_reset"}' >&8
		pressed=$((pressed + 1))
	done
}

# with_button DIR COMMAND... - run the command, which starts QEMU with the pipe DIR/qmp, while we press its button as
# the guest says in DIR/job.log ($presser may name another function that does); what QEMU tells goes to DIR/qmp.log.
# Returns the command's status.
with_button() {
	local dir rc
	dir=$1
	shift
	rm -f "$dir/qmp.in" "$dir/qmp.out"
	mkfifo "$dir/qmp.in" "$dir/qmp.out" || return
	# Opened for both, a pipe neither makes us wait nor ends when QEMU does.
	exec 8<>"$dir/qmp.in" 7<>"$dir/qmp.out"
	printf '%s\n' '{"execute":"qmp_capabilities"}' >&8
	: >"$dir/job.log"
	"${presser:-press_button}" "$dir" &
	button=$!
	cat <&7 >"$dir/qmp.log" &
	listener=$!
	rc=0
	"$@" || rc=$?
	kill "$button" "$listener" 2>/dev/null
	wait "$button" "$listener" 2>/dev/null
	button='' listener=''
	exec 8>&- 7>&-
	return "$rc"
}

# guest DIR KEY SCRIPT [ARG...] - one guest with disk and reset button; all it says is in DIR/job.log
guest() {
	live_guest "$@" >"$1/out"
}

# live_guest DIR KEY SCRIPT [ARG...] - the same, and what it says on stdout
live_guest() {
	local dir
	dir=$1
	shift
	# -d cpu_reset: QEMU notes a triple fault there.
	# shellcheck disable=SC2086 # $extra: QEMU's arguments, none with blanks
	with_button "$dir" "$vm/boot.sh" -r -l "$dir" -t "$limit" -S 400 -a "$append" \
		-q -chardev -q "pipe,id=qmp,path=$dir/qmp" -q -mon -q chardev=qmp,mode=control \
		-q -drive -q "file=$dir/disk.img,format=raw,if=virtio" \
		-q -d -q cpu_reset -q -D -q "$dir/qemu.log" $extra "$@"
}

# fetch_result DIR FILE TO - a file off the guest's disk; TO is empty when it is not there
fetch_result() {
	: >"$3"
	debugfs -R "dump $2 $3" "$1/disk.img" >/dev/null 2>&1
}

# witness DIR N - the last operation that the line heard of between "armed N" and the next boot
witness() {
	awk -v n="$2" '
	/^armed / { on = $2 == n }
	/^reset / { on = 0 }
	on && /^seq [0-9]+\.\r?$/ { w = $2 + 0 }
	END { print w + 0 }' "$1/job.log"
}

# judge DIR KEY N KIND HOW - the assertions about one cycle, and its line in the table; HOW: backend and variant
judge() {
	local name out w rc file
	name="$2 $5 $4, reset $3"
	out=$1/$3
	mkdir -p "$out"
	for file in all all.err short short.err functions dmesg; do
		fetch_result "$1" "/$3/$file" "$out/$file"
	done
	w=$(witness "$1" "$3")
	rc=0
	awk -v witness="$w" -v functions="$out/functions" -f "$here/judge.awk" "$out/all" >"$out/verdict" || rc=$?
	tap_result "$rc" "$name: the trace ends where the machine stopped, none missing, names right" ||
		tap_note "witness $w; $(cat "$out/verdict")"
	tap_ok "$name: the short report ends with the same record" ends_alike "$out/all" "$out/short"
	awk -v key="$2" -v how="$5" -v kind="$4" -v w="$w" -v ok="$rc" '
	{ v[$1] = $2 }
	END { print key, how, kind, ok == 0, v["records"] + 0, v["first"], v["last"], v["partial"], w, v["behind"] }' \
		"$out/verdict" >>"$results"
}

# judge_moved DIR KEY N KIND HOW - the same, and the addresses were others than in the boot that wrote the trace
judge_moved() {
	judge "$@"
	tap_ok "$2 $5 $4, reset $3: addresses have moved" moved "$1" "$3"
}

# ends_alike ALL SHORT - is the newest record of the one, by time and function, in the other?
ends_alike() {
	awk '
	FNR == NR && match($0, /[0-9]+\.[0-9]+: [^ ]+/) { split(substr($0, RSTART, RLENGTH), last, ": ") }
	FNR != NR && index($0, last[1]) && index($0, " " last[2]) { found = 1 }
	END { exit !found }' "$1" "$2"
}

# records DUMP - its records, without what names the dump itself
records() {
	grep '<-' "$1"
}

# same_records A B - are they the same, and is there one?
same_records() {
	records "$1" >"$1.records"
	records "$2" >"$2.records"
	[ -s "$1.records" ] && cmp "$1.records" "$2.records"
}

# moved DIR N - did one of the addresses change? Each alone has a chance of some hundredth to come out the same.
moved() {
	awk -v n="$2" '/^moved / && $2 == n { seen++; if ($4 != $5) changed++ } END { exit !(seen == 2 && changed) }' "$1/job.log"
}

# seen TEXT FILE - how often a line of FILE has TEXT
seen() {
	grep -c "$1" "$2"
}

# triple_faults FILE - how many QEMU saw in 64-bit code, the kernel's; SeaBIOS makes one of its own at every warm start
triple_faults() {
	awk '/^Triple fault/ { next_ip = 1 } next_ip && /^[ER]IP=/ { n += /^RIP/; next_ip = 0 } END { print n + 0 }' "$1"
}

# of_its_kind DIR KIND... - was the machine reset as asked for, and as often? QEMU and the kernel's console say. What
# the machine does to itself can show as several events.
of_its_kind() {
	local dir
	dir=$1
	shift
	printf '%s\n' "$@" >"$dir/kinds"
	[ "$(seen '"reason": "host-qmp-system-reset"' "$dir/qmp.log")" = "$(seen button "$dir/kinds")" ] &&
		[ "$(triple_faults "$dir/qemu.log")" = "$(seen triple "$dir/kinds")" ] &&
		[ "$(seen 'Kernel panic - not syncing: sysrq' "$dir/console.log")" = "$(seen sysrq-c "$dir/kinds")" ] &&
		[ "$(seen 'sysrq: Resetting' "$dir/console.log")" = "$(seen 'sysrq-b\|triple' "$dir/kinds")" ]
}

# crash_guest DIR KEY[/VARIANT] KIND... - boot, arm, reset and dump once for each KIND, in one guest, in
# DIR/KEY-VARIANT-FIRST-KIND; a KIND "save" is no reset, see guest.sh; TAP. VARIANT: the recorder's memory type (wc, uc);
# module, the recorder where the ring is usual; or reserve_mem, where the kernel finds the region's place.
crash_guest() {
	local dir key variant base how n rc kind append extra limit
	key=${2%/*} variant=''
	[ "$key" = "$2" ] || variant=${2#*/}
	base=$(backend "$key" "$variant")
	how=$base
	case $variant in '' | module) ;; *) how=$how-$variant ;; esac
	dir=$1/$key${variant:+-$variant}-$3
	results=$1/table
	shift 2
	mkdir -p "$dir"
	note "$key $how: $(printf '%s\n' "$@" | uniq -c | tr -s ' \n' ' ')..."
	append=$(words "$base" "$*" "$variant")
	limit=$((400 + 400 * $#)) extra=''
	make_disk "$dir/disk.img" "$key" "$base" $# || {
		tap_result 1 "$key: the guest's disk is made"
		return
	}
	rc=0
	guest "$dir" "$key" "$here/guest.sh" "$how" "$@" || rc=$?
	tap_is "$key $how, $# resets: the guest ends well" "$rc" 0
	tap_ok "$key $how, $# resets: each was of its kind" of_its_kind "$dir" "$@"
	tap_is "$key $how, $# resets: no complaint in the kernel's log" "$(grep -E 'WARNING:|BUG:|Oops' "$dir/console.log")" ''
	n=0
	for kind; do
		n=$((n + 1))
		[ "$kind" = save ] || judge_moved "$dir" "$key" "$n" "$kind" "$how"
	done
}

# table FILE - the figures, for people
table() {
	{
		echo 'KERNEL BACKEND RESET RIGHT RECORDS FIRST LAST PARTIAL WITNESS BEHIND'
		cat "$1"
	} | awk '{ printf "%-10s %-16s %-8s %5s %8s %6s %6s %8s %8s %7s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 }'
}

# summary FILE - the figures of many resets in a line, for each kernel and kind
summary() {
	awk '
	{
		key = $1 " " $2 " " $3
		if (!(key in n)) { order[++keys] = key; least[key] = $5; most[key] = $5 }
		n[key]++
		right[key] += $4
		if ($5 < least[key]) least[key] = $5
		if ($5 > most[key]) most[key] = $5
		begun[key] += $8 > 0
		complete[key] += $10 == 0
	}
	END {
		for (i = 1; i <= keys; i++) {
			key = order[i]
			printf "%s: %d resets, %d right, %d to %d records; the reset came %d times in an operation, %d times after one, %d times before one\n",
				key, n[key], right[key], least[key], most[key], begun[key], complete[key], n[key] - begun[key] - complete[key]
		}
	}' "$1"
}

# on_exit - end what we started
on_exit() {
	# shellcheck disable=SC2086 # none, or PIDs
	[ ! "$button$listener" ] || kill $button $listener 2>/dev/null
}

button='' listener='' logs=''
trap on_exit EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
