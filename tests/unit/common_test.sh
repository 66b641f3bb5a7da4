# shellcheck shell=sh
# common_test.sh - common.sh: exit codes, checks of option values, time
# SPDX-License-Identifier: GPL-2.0-only
# runs: shells
# shellcheck disable=SC2016 # text that must not be expanded

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

FIELDTRACE_PROC=$T/proc
export FIELDTRACE_PROC
mkdir -p "$T/proc"

### exit codes: the one table

codes() {
	echo "$FT_EX_FAIL $FT_EX_USAGE $FT_EX_PERM $FT_EX_KERNEL $FT_EX_BUSY $FT_EX_NOPROC $FT_EX_NOFUNC $FT_EX_REFUSED" \
		"$FT_EX_OUTPUT $FT_EX_NOTRACEFS"
}
lib -- codes
tap_is 'the exit codes' "$out" '1 2 3 4 5 6 7 8 9 11'
lib -- ft_die 7 'what:' 'why'
tap_is 'ft_die: its code' "$rc" 7
tap_is 'ft_die: one line on stderr, with the tool' "$err" 'tool: what: why'
tap_is 'ft_die: nothing on stdout' "$out" ''
lib -- ft_usage_error 'bad'
tap_is 'ft_usage_error: 2' "$rc" 2
tap_is 'ft_usage_error: names -h' "$err" 'tool: bad (tool -h shows the usage)'
lib -- ft_help 'usage: x'
tap_is 'ft_help: stdout and 0' "$rc $out $err" '0 usage: x '
lib -- ft_bad_option : d
tap_like 'an option without its value' "$rc $err" '^2 tool: -d needs a value'
lib -- ft_bad_option '?' Z
tap_like 'an unknown option' "$rc $err" '^2 tool: unknown option -Z'
if [ -w /dev/full ]; then
	rc=0
	(in_lib -- ft_help 'usage: x' >/dev/full) 2>/dev/null || rc=$?
	tap_is 'a help that cannot be written: 9' "$rc" 9
else
	tap_skip 'a help that cannot be written: 9' 'no /dev/full'
fi
rc=0
(in_lib -- ft_die 5 x 2>&-) || rc=$?
tap_is 'a closed stderr changes no exit code' "$rc" 5
lib -- ft_note '%s %d\n $(id) `id`'
tap_is 'text is no format and no command' "$err" '%s %d\n $(id) `id`'

### K24: seconds and counts

for good in 1 5 0.5 0.001 10.25 2000000 99999 1.0; do
	lib -- ft_check_seconds -d "$good"
	tap_is "seconds: $good is good" "$rc$err" 0
done
for bad in x -1 0 '' 1e3 08 00 0.0 .5 5. 1.2345 ' 1' '1 ' 1,5 +1 0x10 1.2.3 -0.5 99999999 2000001 '1
2' '$(id)' '*'; do
	lib -- ft_check_seconds -d "$bad"
	tap_is "K24 seconds: '$bad' is refused, in one line" "$rc $(grep -c '^tool: -d takes ' "$T/err")" '2 1'
done
for good in 1 10 999999999; do
	lib -- ft_check_count -t "$good"
	tap_is "count: $good is good" "$rc$err" 0
done
for bad in 0 -1 '' 08 1.5 x 1e3 1000000000 0x10 ' 1' '$(id)' '1
2'; do
	lib -- ft_check_count -t "$bad"
	tap_is "K25 count: '$bad' is refused" "$rc $(grep -c '^tool: -t takes ' "$T/err")" '2 1'
done
lib -- ft_check_count -m 20 10
tap_like 'count: above its most' "$rc $err" '^2 .*from 1 to 10'
lib -- ft_check_text 'the filter' "a${nl}b"
tap_like 'K66 text: a newline is refused' "$rc $err" '^2 tool: the filter holds a newline'
lib -- ft_check_text 'the filter' ''
tap_like 'text: empty is refused' "$rc $err" '^2 .* is empty'

### time

ms() {
	for value; do
		ft_ms "$value"
		printf '%s ' "$ft_ms"
	done
}
lib -- ms 1 0.5 0.05 0.008 1.250 2000000 1.09 0.999
tap_is 'ft_ms: no octal, no 32-bit overflow' "$out" '1000 500 50 8 1250 2000000000 1090 999 '

now() { # UPTIME... : what ft_now_ms says at each
	for up; do
		printf '%s 1.00\n' "$up" >"$T/proc/uptime"
		ft_now_ms
		printf '%s ' "$ft_now"
	done
}
lib -- now 100.00 100.08 100.09 101.50 161.00
tap_is 'ft_now_ms: from the first call on' "$out" '0 80 90 1500 61000 '
lib -- now 99999999.90 100000000.00 100000010.05
tap_is 'ft_now_ms: three years up' "$out" '900 1000 11050 '
lib -- now 8.08 9.09
tap_is 'ft_now_ms: 08 and 09 are decimal' "$out" '80 1090 '

slept() {
	ft_sleep "$1" && echo "done${ft_sleep_whole:-}"
}
lib -- slept 20
tap_is 'ft_sleep: its end' "$out" 'done'
lib -- slept 0
tap_is 'ft_sleep: nothing to sleep' "$rc" 0
slept_whole() { # where sleep knows whole seconds only
	mkdir -p "$T/whole"
	printf '#!/bin/sh\ncase $1 in *.*) exit 1 ;; esac\nexit 0\n' >"$T/whole/sleep"
	/bin/chmod +x "$T/whole/sleep"
	PATH=$T/whole:$PATH
	# BusyBox ash takes its own sleep, wherever the PATH leads.
	case $UNIT_SHELL in
	*busybox*) ft_sleep_whole=1 ;;
	esac
	ft_sleep 600
	ft_sleep 700
	echo "whole $ft_sleep_whole"
}
lib -- slept_whole
tap_is 'ft_sleep: whole seconds only, found by trying' "$out" 'whole 1'
tap_is 'ft_sleep: and that is said once' "$(grep -c 'whole seconds only' "$T/err")" 1

### awk

no_awk() {
	FIELDTRACE_AWK=$T/nowhere
	ft_pick_awk
}
lib -- no_awk
tap_like 'no awk: 127, and what to set' "$rc $err" '^127 .*FIELDTRACE_AWK'
live() {
	ft_awk_probe_live
	echo "live $ft_awk_live"
}
lib -- live
case $UNIT_AWK in
*/mawk/*) tap_is 'mawk must be told to read live' "$out" 'live -W interactive' ;;
*) tap_is 'other awks know no such option' "$out" 'live ' ;;
esac

tap_done
