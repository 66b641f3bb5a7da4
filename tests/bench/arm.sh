#!/bin/sh
# arm.sh - measure: what recording one driver's calls into the persistent region costs it, against recording every function
# SPDX-License-Identifier: GPL-2.0-only
# guest: 6.12 1 0 reserve_mem=4M:4096:trace trace_instance=crash^traceoff@trace
# shellcheck source=lib.sh
. /tests/bench/lib.sh

WRITES=${WRITES:-500}

# worked TEXT -> $took: us for the writes, of the whole machine (one CPU)
worked() {
	local start
	w_loop 50
	now_us
	start=$now_us
	w_loop "$WRITES"
	now_us
	took=$((now_us - start))
	say "$1: $WRITES writes of 4096 bytes to the loop device in $took us"
}

loop_ready
worked untraced
free=$took
PATH=$BUSYBOX_PATH /bb/ash "$FTDIR/bin/crashtrace" arm -S /tmp/state :mod:loop >"$T/out" 2>&1 || say "arm: $(cat "$T/out")"
worked 'crashtrace arm :mod:loop'
driver=$took
PATH=$BUSYBOX_PATH /bb/ash "$FTDIR/bin/crashtrace" disarm -S /tmp/state >"$T/out" 2>&1 || say "disarm: $(cat "$T/out")"
mkdir "$TRACEFS/instances/all"
echo function >"$TRACEFS/instances/all/current_tracer"
worked 'every function traced'
ratio "$free" "$driver"
row 'a loaded driver under crashtrace arm :mod:loop, throughput' untraced "$ratio" '>=' 0.95
ratio "$free" "$took"
row 'the same with every function traced (the kernel alone), throughput' untraced "$ratio" '<=' -
