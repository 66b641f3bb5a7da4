# shellcheck shell=sh
# story-latency.sh - something is late, now and then
# SPDX-License-Identifier: GPL-2.0-only

title 'A latency spike: who had the CPU?'
# A control loop that wants the CPU each 50 ms, and a job of higher priority on the same CPU, which works for a while
# every second. A script's name is its process's; bash can wait for less than a second by itself.
mkfifo never
cat >control <<-'END'
	#!/usr/bin/bash
	exec 3<>never
	while :; do read -r -t 0.05 -u 3; done
END
cat >logrot <<-'END'
	#!/usr/bin/bash
	exec 3<>never
	while :; do
		read -r -t 1 -u 3
		n=0
		while [ $n -lt 20000 ]; do n=$((n + 1)); done
	done
END
chmod +x control logrot
taskset -c 1 ./control &
at_end "kill $!"
taskset -c 1 chrt -f 50 ./logrot &
at_end "kill $!"
say 'A control loop on CPU 1 sleeps 50 ms, does very little, and sleeps again. Once a second or so it is late. Is it woken late, or does it wait for the CPU after that? What can be asked of the scheduler:'
lines=6 show tpoint -l 'sched:sched_w*' 'sched:sched_switch'
say 'When is it woken?'
lines=24 show tpoint -d 2 sched:sched_waking 'comm == "control"'
say 'Every 50 ms, and then not for a while: what still waits for the CPU cannot be woken. So the timer is in time, and somebody else has the CPU. Who had it before the control loop, when it was not idle?'
lines=6 show tpoint -d 3 sched:sched_switch 'next_comm == "control" && prev_pid != 0'
say 'logrot, which would have run on (prev_state=R). Its priority 49 is real-time 50: it keeps the CPU for as long as it likes, or until the kernel takes it away to let others live. For how long? Its way in and out:'
lines=8 show tpoint -d 3 sched:sched_switch 'prev_comm == "logrot" || next_comm == "logrot"'
say 'The difference between the time of one line and the next is what nobody else had of CPU 1. What wakes it?'
lines=14 show tpoint -s -d 3 sched:sched_waking 'comm == "logrot"'
say 'A timer: it sleeps a second, of its own accord, and then works at a priority that it should not have. The culprit is a line in a start script: chrt -f 50.'
