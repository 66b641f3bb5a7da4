# crash_first.awk - the first line of each that have the same first word; lines of fewer than two words are dropped
# SPDX-License-Identifier: GPL-2.0-only

NF > 1 && !seen[$1]++
