# shellcheck shell=sh
# functrace.sh - a session with functrace
# SPDX-License-Identifier: GPL-2.0-only

busy_xfs
title 'Each call as it happens: functrace'
say 'Who creates and removes files? One line a call, live, until Ctrl-C: process and PID, CPU, flags, seconds since boot, the function, and after "<-" its caller. A name "<...>" is one that the kernel has not met since tracing began.'
lines=10 live 2 functrace xfs_create xfs_remove
say 'With a duration the calls stay in the buffer and are printed at the end: nothing is printed while the trace runs, so the printing cannot be traced, and names are complete.'
lines=18 show functrace -d 1 -H 'xfs_file_*'
say 'How did it come to that? -s adds the stack of each call.'
lines=14 show functrace -d 1 -s xfs_create
say 'One process and what it starts: -f follows children. The load removes its files with a "rm" each time, which is a child.'
lines=6 show functrace -d 2 -f -p "$loader" xfs_remove
