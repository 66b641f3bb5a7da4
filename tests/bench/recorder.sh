#!/bin/sh
# recorder.sh - measure: what a call costs that helper/recorder records, by memory type, against the kernel's function tracer
# SPDX-License-Identifier: GPL-2.0-only
# guest: 6.1 1 0 memmap=4M$0x18000000
#
# Under emulation memory has no cache, so wc and uc cost here what wb costs: the row shows the instructions alone.
# shellcheck source=lib.sh
. /tests/bench/lib.sh

CALLS=${CALLS:-30000}

# worked TEXT -> $ns: CPU time a call of a loop of reads, each of which is one traced call
worked() {
	cost /bb/dd if=/dev/zero of=/dev/null bs=1 count="$CALLS"
	ns=$(awk -v us="$c_cpu" -v n="$CALLS" 'BEGIN { printf "%.0f\n", us * 1000 / n }')
	say "$1: $ns ns a loop of read and write"
}

worked untraced
free=$ns
mkdir "$TRACEFS/instances/x"
echo read_zero >"$TRACEFS/instances/x/set_ftrace_filter"
echo function >"$TRACEFS/instances/x/current_tracer"
worked 'function tracer on read_zero'
tracer=$((ns - free))
echo nop >"$TRACEFS/instances/x/current_tracer"
rmdir "$TRACEFS/instances/x"
ko=$(find / -xdev -name ftrec.ko 2>/dev/null | head -n 1)
[ "$ko" ] || {
	skipped 'a call that the recorder records' 'the module is not there (helper/recorder/build.sh)'
	exit 0
}
for type in wb wc uc; do
	insmod "$ko" addr=0x18000000 size=4M memtype=$type overwrite=1 filter=read_zero || {
		skipped "a call that the recorder records, $type" 'it does not load'
		dmesg | tail -n 3
		continue
	}
	echo 1 >/sys/module/ftrec/parameters/enable
	worked "recorder, $type"
	say "$(cat /sys/module/ftrec/parameters/records) records"
	ratio $((ns - free)) "$tracer"
	[ "$type" = wb ] && reach=0.8 || reach=-
	row "a call that the recorder records, $type" "the kernel's function tracer" "$ratio" '<=' "$reach"
	echo 0 >/sys/module/ftrec/parameters/enable
	rmmod ftrec
done
