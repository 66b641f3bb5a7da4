#!/bb/ash
# runner.sh [-s SHELL] [-a AWK] [-p applets|full] [-v] [-d DIR] [FILE:CASE...] - run these cases in the guest, print TAP
# SPDX-License-Identifier: GPL-2.0-only
#
# -s, -a, -p: what the tools run under. -v: show the output of cases that pass, and times. Without names: every case of
# DIR. A case passes when it ran at least one assertion, all held, it ended with status 0 within
# its limit, and left tracing, mounts, modules, files and processes as they were, and nothing bad in the kernel's log.
set -u

PATH=/bb:/usr/bin:/usr/sbin:/bin:/sbin
home=/tests/vm/guest
work=/var/ft
. "$home/state.sh"
. "$home/slowness.sh"
. "$home/watch.sh"

sep=$(printf '\037')

# at_an_end - is this kernel the first or the last of the table, the old ones left out?
at_an_end() {
	awk -v key="$KEY" '!/^#/ && NF && $3 != "old" { if (!n++) first = $1; last = $1 } END { exit key != first && key != last }' \
		/tests/vm/kernels
}

# names_of_this_kernel DIR - give the cases the names that an old kernel has for what they trace (guest/names). A module's
# functions cannot be looked up before it is loaded.
names_of_this_kernel() {
	local name others other script
	[ "$OLD" ] || return 0
	script=
	[ ! -e /modules/loop.ko ] || insmod /modules/loop.ko
	while read -r name others; do
		[ "$name" != '#' ] || continue
		for other in $name $others; do
			grep -q " $other\([[:space:]]\|\$\)" /proc/kallsyms || continue
			# Their globs as well: read_zer*.
			[ "$other" = "$name" ] ||
				script="$script;s/\\b$name\\(_[0-9]\\)*\\b/$other\\1/g;s/\\b${name%?}\\([*?]\\)/${other%?}\\1/g"
			break
		done
	done <"$home/names"
	[ ! -d /sys/module/loop ] || rmmod loop
	[ ! "$script" ] || sed -i "${script#;}" "$1"/*.sh "$home"/*.sh
}

# instance_has FILE - has an instance of this kernel such a file? Asked once.
instance_has() {
	if [ ! -e "$work/instance" ]; then
		mkdir "$TRACEFS/instances/asked" 2>/dev/null
		ls "$TRACEFS/instances/asked" >"$work/instance" 2>/dev/null
		rmdir "$TRACEFS/instances/asked" 2>/dev/null
	fi
	grep -qx "$1" "$work/instance"
}

# unmet REQUIREMENTS - print the first of these (split at commas) that this guest lacks; 1 if it has them all
unmet() {
	local need IFS
	IFS=,
	for need in $1; do
		need=${need# }
		case $need in
		'') ;;
		tracer:*) case " $tracers " in *" ${need#*:} "*) ;; *) echo "no tracer ${need#*:}" && return ;; esac ;;
		module:*) grep -q "^${need#*:}\( \|\$\)" /modules/order || { echo "no module ${need#*:}" && return; } ;;
		instance:*) instance_has "${need#*:}" || { echo "no ${need#*:} in an instance" && return; } ;;
		ends) at_an_end || { echo 'only on the oldest and the newest kernel' && return; } ;;
		sh:*) ash -c "${need#*:}" >/dev/null 2>&1 || { echo "not so here: ${need#*:}" && return; } ;;
		*) [ -e "$TRACEFS/$need" ] || { echo "no $need in tracefs" && return; } ;;
		esac
	done
	return 1
}

# judge - the verdict of the case that just ended, in $why (empty: passed); what is to be shown goes to the log
judge() {
	local text
	why=
	[ "$status" = 0 ] || why="ended with status ${status:-none}"
	[ ! -s "$R/fail" ] || why=$(head -n 1 "$R/fail")
	[ "$why" ] || [ -s "$R/asserts" ] || [ -s "$R/skip" ] || why='no assertion was made'
	[ -z "$late" ] || why=$late
	end_processes || why=${why:-left a process behind}
	state_snapshot >"$work/after"
	if ! cmp -s "$work/before" "$work/after"; then
		echo 'state that is not as before:' >>"$log"
		diff -U 0 "$work/before" "$work/after" | grep '^[-+][^-+]' | head -n 40 >>"$log"
		why=${why:-left something changed}
		state_reset
		state_snapshot >"$work/after"
	fi
	mv "$work/after" "$work/before"
	text=$(kernel_complaints "$n")
	if [ "$text" ]; then
		printf 'the kernel said:\n%s\n' "$text" >>"$log"
		why=${why:-the kernel complained}
	fi
}

# show - the log of the case as TAP comments
show() {
	head -n 120 "$log" | tr -d '\r' | sed 's/^/# /'
}

# run_case FILE FUNCTION LIMIT - run it, undo, judge; sets $why
run_case() {
	local ended
	rm -rf "$T" "$R"
	mkdir -p "$T" "$R"
	: >"$log"
	processes >"$work/processes"
	echo "ft-case $n begins: $2" >/dev/kmsg
	late=
	cd "$T" || exit
	limited "$3" ash "$home/case.sh" "$1" "$2" || late="not done after $3 seconds"
	ended=$status
	[ ! -s "$R/at_end" ] || limited 60 ash "$home/case.sh" undo || late="${late:-undo not done after 60 seconds}"
	status=$ended
	cd /
	judge
	rm -rf "$T"
}

# report FILE FUNCTION TEXT - the result line
report() {
	local name
	name=${1##*/}
	name="$KEY/$shell+$awk ${name%.sh}: $2 $3"
	if [ "$why" ]; then
		echo "not ok $n - $name"
		echo "# $why"
		show
	elif [ -s "$R/skip" ]; then
		echo "ok $n - $name # SKIP $(head -n 1 "$R/skip")"
	else
		echo "ok $n - $name"
		[ ! "$verbose" ] || show
	fi
}

# run_all TABLE - every case of the table
run_all() {
	local file fn limit passes text needs concerns start end rest name
	n=0
	while IFS=$sep read -r file fn limit passes text needs concerns <&3; do
		name=${file##*/}
		name=${name%.sh}:$fn
		case " ${wanted:-$name} " in
		*" $name "*) ;;
		*) continue ;;
		esac
		n=$((n + 1))
		if needs=$(unmet "$needs"); then
			echo "ok $n - $KEY/$shell+$awk $(basename "$file" .sh): $fn $text # SKIP $needs"
			continue
		fi
		# The host gives us so much time, and has the name if we do not come back.
		echo "# ${name%:*}: $fn, at most $limit s"
		read -r start rest </proc/uptime
		run_case "$file" "$fn" "$limit"
		report "$file" "$fn" "$text"
		read -r end rest </proc/uptime
		[ ! "$verbose" ] || echo "# from $start to $end s"
	done 3<"$1"
	echo "1..$n"
}

# find_tracefs - set TRACEFS
find_tracefs() {
	TRACEFS=/sys/kernel/tracing
	[ -e $TRACEFS/trace ] || TRACEFS=/sys/kernel/debug/tracing
}

main() {
	local opt pass_path
	shell=ash awk=busybox pass_path=applets verbose='' dir=/tests/vm/cases
	while getopts s:a:p:vd: opt; do
		case $opt in
		s) shell=$OPTARG ;;
		a) awk=$OPTARG ;;
		p) pass_path=$OPTARG ;;
		v) verbose=yes ;;
		d) dir=$OPTARG ;;
		*) exit 2 ;;
		esac
	done
	shift $((OPTIND - 1))
	wanted=$*
	find_tracefs
	read -r tracers <"$TRACEFS/available_tracers"
	KVER=$(uname -r)
	OLD=
	! grep -q "^${KEY}[[:space:]].*[[:space:]]old\$" /tests/vm/kernels || OLD=old
	T=/tmp/case R=$work/case log=$work/log FTDIR=/ft
	CASE_SHELL=/usr/bin/$shell CASE_AWK=/usr/bin/$awk CASE_PATH=/applets
	# These two are BusyBox, found where the target would have them.
	[ "$shell" != ash ] || CASE_SHELL=/bb/ash
	[ "$awk" != busybox ] || CASE_AWK=
	[ "$pass_path" = applets ] || CASE_PATH=$PATH
	export TRACEFS KVER KEY OLD T R FTDIR CASE_SHELL CASE_AWK CASE_PATH
	mkdir -p "$work"
	mkfifo "$work/fifo" && exec 7<>"$work/fifo"
	names_of_this_kernel "$dir"
	awk -v OFS="$sep" -f /tests/vm/cases.awk "$dir"/*.sh >"$work/cases"
	state_snapshot >"$work/before"
	echo "# $KEY: Linux $KVER, $shell, $awk awk, PATH $pass_path"
	run_all "$work/cases"
}

main "$@"
