#!/bb/ash
# lockdown.sh MODE - in a guest that was booted with lockdown=MODE: what each command does there, as TAP
# SPDX-License-Identifier: GPL-2.0-only
set -u

T=/tmp/lockdown R=/tmp/lockdown.r TRACEFS=/sys/kernel/tracing FTDIR=/ft
CASE_SHELL=/bb/ash CASE_AWK='' CASE_PATH=/applets KVER=$(uname -r)
mkdir -p "$T" "$R" && cd "$T" || exit
. /tests/tap.sh
. /tests/vm/guest/lib.sh
. /tests/vm/guest/every.sh

# told COMMAND - the status and message of one that the kernel forbids to trace: what forbids it, and no more than a line
told() {
	case $rc in
	3 | 11) tap_like "$KEY $mode: $1: says why" "$(cat err)" "^$1: .*(locked down \(confidentiality\)|lockdown is confidentiality)" ;;
	*) tap_is "$KEY $mode: $1: status" "$rc" '3 or 11' ;;
	esac
	tap_is "$KEY $mode: $1: one line" "$(wc -l <err)" 1
	tap_is "$KEY $mode: $1: no output" "$(cat out)" ''
}

mode=$1
mount -t securityfs securityfs /sys/kernel/security 2>/dev/null
tap_like "$KEY: the kernel is in lockdown $mode" "$(cat /sys/kernel/security/lockdown)" "\\[$mode\\]"
[ "$mode" = confidentiality ] || insmod /modules/loop.ko 2>/dev/null
for tool in $EVERY; do
	case $tool in
	reset-ftrace | fieldtrace) every run "$tool" ;;
	modtrace)
		if [ "$mode" = integrity ] && [ ! -d /sys/module/loop ]; then
			tap_skip "$KEY $mode: $tool" 'no module can be loaded'
			continue
		fi
		every run "$tool" -d 0.1
		;;
	*) every run "$tool" -d 0.1 ;;
	esac
	case $mode in
	integrity) tap_is "$KEY $mode: $tool: works" "$rc $(grep -v '^Tracing' err)" '0 ' ;;
	*) told "$tool" ;;
	esac
done
run fieldtrace
tap_is "$KEY $mode: the list of commands" "$rc" 0
tap_is "$KEY $mode: no instance is left" "$(ls -d $TRACEFS/instances/* 2>/dev/null)" ''
tap_is "$KEY $mode: nothing is left in /run" "$(find /run /dev/shm -mindepth 1)" ''
tap_done
