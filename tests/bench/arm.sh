#!/bin/sh
# arm.sh - measure: what recording one driver's calls into the persistent region costs it, against recording every function
# SPDX-License-Identifier: GPL-2.0-only
# guest: 6.12 1 0 reserve_mem=4M:4096:trace trace_instance=crash^traceoff@trace
# shellcheck source=lib.sh
. /tests/bench/lib.sh

WRITES=${WRITES:-800}

# worked TEXT -> $took: us for the writes, of the whole machine (one CPU)
worked() {
	local start
	now_us
	start=$now_us
	/usr/bin/dd if=/dev/zero of="$LOOP" bs="$bytes" count="$WRITES" oflag=direct conv=notrunc status=none
	now_us
	took=$((now_us - start))
	say "$1: $WRITES writes of $bytes bytes to the loop device in $took us"
}

# crash ARG... - crashtrace
crash() {
	PATH=$BUSYBOX_PATH /bb/ash "$FTDIR/bin/crashtrace" "$@" >"$T/out" 2>&1 || say "$*: $(cat "$T/out")"
}

# compare - for writes of $bytes
compare() {
	# The file behind the device gets its pages; arming ends in a sync, so what is untraced is measured after it.
	worked 'the first time'
	crash arm -S /tmp/state :mod:loop
	worked 'crashtrace arm :mod:loop'
	driver=$took
	crash disarm -f -S /tmp/state
	worked untraced
	free=$took
	mkdir "$TRACEFS/instances/all"
	echo function >"$TRACEFS/instances/all/current_tracer"
	worked 'every function traced'
	echo nop >"$TRACEFS/instances/all/current_tracer"
	rmdir "$TRACEFS/instances/all"
	ratio "$free" "$driver"
	row "loop device, writes of $bytes bytes, under crashtrace arm :mod:loop: throughput" untraced "$ratio" '>=' 0.95
	ratio "$free" "$took"
	row "the same with every function traced (the kernel alone)" untraced "$ratio" '<=' -
}

loop_ready
for bytes in 4096 65536; do compare; done
