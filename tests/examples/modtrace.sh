# shellcheck shell=sh
# modtrace.sh - a session with modtrace
# SPDX-License-Identifier: GPL-2.0-only

loop_ready
title 'One driver and not the whole kernel: modtrace'
say 'What functions does it have? The list is the kernel'"'"'s; where the kernel does not tell modules, it comes from /proc/kallsyms.'
lines=8 show modtrace -l loop
(
	while :; do
		w_loop 4
		sleep 0.3
	done
) &
at_end "kill $!"
say 'Something writes to the device. Which functions are called, how often?'
show modtrace -c -d 3 loop
say 'In what order? Every call with its caller, live until Ctrl-C. From a serial console this is often all that is needed: the driver tells its own story.'
lines=14 live 2 modtrace loop
say 'And how long does each take? -g makes it a call graph.'
lines=12 show modtrace -g -d 1 loop 'loop_*' 'lo_*'
say 'What will be written to the tracer on this machine? -n says so and does nothing; the lines can be typed by hand where no tool may run.'
show modtrace -n loop 'lo_*' '!lo_compat*'
say 'A module that is not there yet: modtrace waits, and has it from its first function on.'
at_end 'unload dummy'
(
	sleep 4
	insmod /modules/dummy.ko
) &
lines=12 live 6 modtrace -w dummy
