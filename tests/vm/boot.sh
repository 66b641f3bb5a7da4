#!/bin/sh
# boot.sh [OPTION...] KEY [SCRIPT [ARG...]] - boot one guest with the kernel KEY and run SCRIPT in it, live on stdout
# SPDX-License-Identifier: GPL-2.0-only
#
# SCRIPT is a file of this host; it is run by BusyBox ash, as root, with /ft/bin, /bb and the host's tools on its PATH
# and ARGs as its arguments. Its output comes out on stdout here, apart from the kernel's console, which goes to
# DIR/console.log. Without SCRIPT, or with -i, the user gets a shell in the guest on this terminal.
#
#   -l DIR    keep console.log, job.log (the job's output) and guest.pid (QEMU) there     (a new folder in $TMPDIR)
#   -t SECS   end the guest after so long                                                 (1800; with -i never)
#   -S SECS   end it when the job has been silent for so long, or, when its last line ends in
#             "at most N s", for N seconds longer                                         (as -t)
#   -i        a shell on this terminal; SCRIPT, if given, is run before it
#   -m MB -s N                                                                            memory (768), CPUs (2)
#   -a WORDS  more words for the kernel's command line
#   -q ARG    one more argument for QEMU, for instance: -q -qmp -q unix:/tmp/q,server,nowait
#   -r        let the guest reboot, instead of ending when it does
#   -d DIR    use the kernel in this folder, laid out as fetch.sh does, and take KEY as its name only
#
# Exit status: the script's own; 124 ended for time, 125 the guest could not be started, 126 it ended before the script.
# INT, TERM and HUP end the guest.
set -u

vmdir=$(cd "$(dirname "$0")" && pwd) || exit 125
# shellcheck source=common.sh
. "$vmdir/common.sh" || exit 125

# usage - the head of this file
usage() {
	sed -n '2,22{/SPDX/d;s/^# \{0,1\}//p;}' "$0"
}

# cut_short WHY STATUS - end the guest, say where to look, give up
cut_short() {
	stop_guest
	note "$key: $1; see $logs/console.log"
	exit "$2"
}

# stop_guest - end QEMU and wait until it is gone
stop_guest() {
	[ "$pid" ] || return 0
	kill "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	pid=
}

# write_job OUT - the job of the guest: its arguments, quoted, then the script
write_job() {
	local word
	{
		printf 'set --'
		for word; do
			# ' inside '...' has to become '\''
			printf " '%s'" "$(printf '%s\n' "$word" | sed "s/'/'\\\\''/g")"
		done
		printf '\n'
		[ ! "$script" ] || cat "$script"
	} >"$logs/job.sh"
}

# qemu ARG... - become QEMU, with what all guests have in common
qemu() {
	# tsc=reliable keeps the clock watchdog quiet, which sees an emulated clock jump when this host is busy; for the
	# same reason stalls are given time, nobody looks for a processor that is busy for long, and the timer is not tested at
	# boot, where a failed test is a panic.
	# printk.devkmsg: the runner marks the kernel's log and must not be throttled.
	set -- "$@" -append "console=ttyS0 panic=$panic tsc=reliable no_timer_check rcupdate.rcu_cpu_stall_timeout=60 nosoftlockup \
printk.devkmsg=on loglevel=$loglevel ft.key=$key ft.mode=$mode${append:+ $append}"
	# thread=single: with several emulating threads QEMU 7.2 loses the race that the kernel's own code patching relies
	# on, and switching a tracer on ends in an Oops.
	exec qemu-system-x86_64 -accel tcg,thread=single -cpu "$cpu" -M "$machine" -vga none -display none -monitor none -nic none \
		-m "$memory" -smp "$cpus" -kernel "$kernel/vmlinuz" -initrd "$logs/initrd" ${no_reboot:+"$no_reboot"} "$@"
}

# starved - nanoseconds that QEMU's threads were ready to run and had no processor, since they began; 0 where the kernel does not tell
starved() {
	cat "/proc/$pid/task"/*/schedstat 2>/dev/null | awk '{ n += $2 } END { printf "%.0f\n", n }'
}

# announced - how long the job says that it may be silent now
announced() {
	tail -n 1 "$logs/job.log" | sed -n 's/.*at most \([0-9]\{1,6\}\) s[[:space:]]*$/\1/p'
}

# watch - until the guest ends: keep the two time limits. A second in which others had the processor for most of the time
# is not one of silence.
watch() {
	local now quiet size last waited before
	now=0 quiet=0 last=0 before=0
	while kill -0 "$pid" 2>/dev/null; do
		sleep 1
		now=$((now + 1))
		waited=$(starved)
		[ "$((waited - before))" -gt 500000000 ] || quiet=$((quiet + 1))
		before=$waited
		size=$(wc -c <"$logs/job.log")
		[ "$size" = "$last" ] || quiet=0
		last=$size
		[ "$now" -lt "$limit" ] || cut_short "still running after $limit seconds" 124
		[ "$quiet" -lt "${silence:-$limit}" ] || [ "$quiet" -lt "$((silence + $(announced) + 0))" ] || cut_short "nothing heard for $quiet seconds" 124
	done
	wait "$pid" 2>/dev/null
	pid=
}

# run_batch - the script's output on stdout, the console in a file
run_batch() {
	local rc
	: >"$logs/job.log"
	# Second and third serial line: the script's output, and its exit status.
	qemu -serial "file:$logs/console.log" \
		-chardev "stdio,id=job,signal=off,logfile=$logs/job.log,logappend=on" -serial chardev:job \
		-serial "file:$logs/status" "$@" </dev/null &
	pid=$!
	printf '%s\n' "$pid" >"$logs/guest.pid"
	watch
	rc=$(tail -n 1 "$logs/status" 2>/dev/null)
	case $rc in
	'' | *[!0-9]*) cut_short 'the guest ended before its job did' 126 ;;
	esac
	exit "$rc"
}

main() {
	local opt
	logs='' limit=1800 silence='' mode=job memory=768 cpus=2 append='' no_reboot=-no-reboot kernel='' pid='' extra=''
	while getopts hl:t:S:im:s:a:q:rd: opt; do
		case $opt in
		l) logs=$OPTARG ;;
		t) limit=$OPTARG ;;
		S) silence=$OPTARG ;;
		i) mode=shell ;;
		m) memory=$OPTARG ;;
		s) cpus=$OPTARG ;;
		a) append=$OPTARG ;;
		q) extra="$extra$OPTARG
" ;;
		r) no_reboot= ;;
		d) kernel=$OPTARG ;;
		h) usage && exit ;;
		*) usage >&2 && exit 2 ;;
		esac
	done
	shift $((OPTIND - 1))
	[ $# -gt 0 ] || { usage >&2 && exit 2; }
	key=$1 script=${2-}
	shift
	[ $# -eq 0 ] || shift
	[ "$script" ] || mode=shell
	[ ! "$script" ] || [ -r "$script" ] || die "cannot read $script"
	[ "$kernel" ] || kernel=$("$vmdir/fetch.sh" "$key") || exit 125
	machine_line "$key"
	[ "$logs" ] || logs=$(mktemp -d "${TMPDIR:-/tmp}/ft-guest.XXXXXX") || exit 125
	mkdir -p "$logs" && rm -f "$logs/status" "$logs/console.log" || exit 125
	write_job "$@"
	"$vmdir/mkroot.sh" "$kernel" "$logs/job.sh" "$logs/initrd" || exit 125
	# One QEMU argument a line, so that they may hold blanks.
	IFS='
'
	set -f
	# shellcheck disable=SC2086
	set -- $extra
	set +f
	unset IFS
	trap 'stop_guest; rm -f "$logs/initrd"' EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	if [ "$mode" = job ]; then
		loglevel=5
		run_batch "$@"
	else
		# The console, and so the guest's shell, on this terminal.
		loglevel=3
		(qemu -serial mon:stdio "$@")
	fi
}

main "$@"
