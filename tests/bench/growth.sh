#!/bin/sh
# growth.sh - measure: how cost grows: a filter with its functions, a dump with its region, a table of funccount with its functions
# SPDX-License-Identifier: GPL-2.0-only
# guest: 6.12 1 0 memmap=64K$0x10000000 trace_instance=r64^traceoff@0x10000000:64K memmap=1M$0x11000000 trace_instance=r1024^traceoff@0x11000000:1M memmap=4M$0x12000000 trace_instance=r4096^traceoff@0x12000000:4M memmap=16M$0x14000000 trace_instance=r16384^traceoff@0x14000000:16M
# shellcheck source=lib.sh
. /tests/bench/lib.sh

# point SERIES X Y - a point of a plot: Y in ms
point() {
	printf 'POINT\t%s\t%s\t%s\n' "$1" "$2" "$(awk -v us="$3" 'BEGIN { printf "%.1f\n", us / 1000 }')"
}

# filters - by index, from a list of N names of the module
filters() {
	local n
	need_module xfs
	for n in 100 1000 3000; do
		grep '\[xfs\]' "$TRACEFS/available_filter_functions" | head -n "$n" >"$T/list"
		cost env "PATH=$BUSYBOX_PATH" /bb/ash "$FTDIR/bin/functrace" -d 0.1 "@$T/list"
		say "functrace -d 0.1 @FILE of $n functions: $c_cpu us, status $c_rc"
		point 'filter: functions' "$n" "$c_cpu"
	done
}

# dumps - of full regions
dumps() {
	local size
	for size in 64 1024 4096 16384; do
		[ -d "$TRACEFS/instances/r$size" ] || continue
		cost env "PATH=$BUSYBOX_PATH" /bb/ash "$FTDIR/bin/crashtrace" arm -f -S "/tmp/s$size" -r "r$size" read_zero write_null
		/bb/dd if=/dev/zero of=/dev/null bs=1 count=$((size * 40)) 2>/dev/null
		# As a reset leaves it: nothing recording, and armed by no one of this boot. Disarming would wipe it.
		echo 0 >"$TRACEFS/instances/r$size/tracing_on"
		rm -f "/tmp/s$size/armed"
		cost env "PATH=$BUSYBOX_PATH" /bb/ash "$FTDIR/bin/crashtrace" dump -S "/tmp/s$size" -r "r$size"
		say "crashtrace dump of $size KiB: $c_cpu us, status $c_rc"
		point 'dump: KiB of the region' "$size" "$c_cpu"
	done
}

# tables - funccount's intervals: what ten tables cost more than one
tables() {
	local engine pattern n one
	for engine in kprobe trace; do
		for pattern in 'vfs_r*' 'vfs_*' 'tcp_[a-r]*'; do
			n=$(grep -c "^$(printf '%s\n' "$pattern" | sed 's/\*$//')" "$TRACEFS/available_filter_functions")
			cost env "PATH=$BUSYBOX_PATH" /bb/ash "$FTDIR/bin/funccount" -F -e "$engine" -d 1 "$pattern"
			one=$c_cpu
			cost env "PATH=$BUSYBOX_PATH" /bb/ash "$FTDIR/bin/funccount" -F -e "$engine" -i 0.1 -d 1 "$pattern"
			say "funccount -e $engine '$pattern', $n functions: $one us with one table, $c_cpu us with ten"
			point "table of funccount -e $engine: functions" "$n" "$(((c_cpu - one) / 9))"
		done
	done
}

tables
filters
dumps
