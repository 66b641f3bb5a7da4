# shellcheck shell=sh
# dies.sh - for selftest.sh: a guest that is gone in the middle
# SPDX-License-Identifier: GPL-2.0-only

case_before() { # passes
	is 'one' 1 1
}

case_dies() { # the machine goes off
	is 'one' 1 1
	echo o >/proc/sysrq-trigger
	sleep 100
}

case_after() { # is never reached
	is 'one' 1 1
}
