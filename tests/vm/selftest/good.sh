# shellcheck shell=sh
# good.sh - for selftest.sh: nothing fails here
# SPDX-License-Identifier: GPL-2.0-only

case_good() { # passes
	is 'one' 1 1
}

case_skipped() { # is skipped
	skip 'for once'
}
