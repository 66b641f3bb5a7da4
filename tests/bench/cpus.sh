#!/bin/sh
# cpus.sh - measure: what a command costs that traces nothing, by the number of CPUs
# SPDX-License-Identifier: GPL-2.0-only
# guest: 6.12 1,4,16,64 0
# shellcheck source=lib.sh
. /tests/bench/lib.sh

cpus=$(grep -c '^cpu[0-9]' /proc/stat)
for name in 'tpoint -d 0.1 block:block_rq_issue' 'functrace -d 0.1 kernel_halt'; do
	# shellcheck disable=SC2086 # words
	cost env "PATH=$BUSYBOX_PATH" /bb/ash "$FTDIR/bin/"$name
	say "$name with $cpus CPUs: $c_cpu us, $c_forks forks"
	printf 'POINT\t%s\t%s\t%s\n' "${name%% *} -d 0.1: CPUs" "$cpus" "$((c_cpu / 1000))"
done
