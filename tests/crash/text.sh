# shellcheck shell=sh
# text.sh - hold what tracemem and trace-cmd make of an image against the kernel's own text of it; source it
# SPDX-License-Identifier: GPL-2.0-only
#
# The kernel's text is the file `trace`. An event is told by its name there; the helper has its bytes only, so that of
# sched_switch, the one event that is recorded for this, nothing but task, CPU, flags and time are compared.

# kernel_text FILE - the records of the kernel's text, without what only the kernel can know
kernel_text() {
	sed '/^#/d; s/: sched_switch: .*/: sched_switch/' "$1"
}

# decoded_text FILE - those of decode --format trace, without what only the helper says: modules, offsets in a stack, bytes
decoded_text() {
	sed 's/ \[[a-z][a-z0-9_]*\]//g; s/^\( => [^ ]*\)+0x[0-9a-f]*\(\[.*\]\)*$/\1/; s/: event:  *id=.*/: sched_switch/' "$1"
}

# kernel_functions FILE - the function records of the kernel's text: TASK [CPU] TIME: FUNCTION <-CALLER
kernel_functions() {
	sed -n 's/^ *\([^ ]*\) *\[\([0-9]*\)\] [^ ]* *\([0-9.]*\): \([^ ]*\) <-\([^ ]*\)$/\1 [\2] \3: \4 <-\5/p' "$1"
}

# report_functions FILE - the same, as trace-cmd reads them in a trace.dat
report_functions() {
	trace-cmd report -O parent=1 "$1" 2>/dev/null |
		sed -n 's/^ *\([^ ]*\) *\[\([0-9]*\)\] *\([0-9.]*\): function: *\([^ ]*\) <-- \([^ ]*\).*/\1 [\2] \3: \4 <-\5/p'
}

# same_text A B - are they the same, and is there anything?
same_text() {
	[ -s "$1" ] && cmp "$1" "$2"
}
