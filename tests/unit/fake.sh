# shellcheck shell=sh
# fake.sh - builds a fake tracefs and /proc as a kernel of kernels.tsv has them, and the library that makes it react
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: fake KEY, fake_state, fake_pid, fake_feed. Sets $FAKE (the folder) and $TRACEFS (where the tracer is in it).
#   $FAKE/sys     debugfs or tracefs         $FAKE/proc    FIELDTRACE_PROC: mounts, modules, kallsyms, PIDs
#   $FAKE/state   FIELDTRACE_STATE           $FAKE/lib     FIELDTRACE_LIB: links to lib/, kernel.sh after tracefs.sh
#   $FAKE/log     what was written           $FAKE/bin     links to the host's programs, for the fake's own use

fake_column() { # KEY: "feature value" lines of that kernel
	awk -F '\t' -v key="$1" '
	/^#/ { next }
	$1 == "feature" { for (i = 2; i <= NF; i++) if ($i == key) column = i; next }
	column { print $1, $column }' "$UNIT/kernels.tsv"
}

fake_feature() { # NAME: its value
	awk -v name="$1" '$1 == name { print $2 }' "$FAKE/features"
}

fake() { # KEY: a new fake, in the place of the one before
	FAKE=$T/fake
	rm -rf "${T:?}/fake"
	if [ ! -d "$T/built/$1" ]; then
		fake_build "$1" || return
		mkdir -p "$T/built"
		mv "$FAKE" "$T/built/$1"
	fi
	cp -R "$T/built/$1" "$FAKE"
	case $(fake_feature mounted) in
	debugfs) TRACEFS=$FAKE/sys/debug/tracing ;;
	*) TRACEFS=$FAKE/sys/tracing ;;
	esac
	FIELDTRACE_PROC=$FAKE/proc
	FIELDTRACE_STATE=$FAKE/state
	FIELDTRACE_SECURITYFS=$FAKE/security
	FIELDTRACE_LIB=$FAKE/lib
	export FAKE FIELDTRACE_PROC FIELDTRACE_STATE FIELDTRACE_SECURITYFS FIELDTRACE_LIB
	unset FIELDTRACE_TRACEFS FAKE_DENY FAKE_BUSY FAKE_NOMEM FAKE_NOPROBE FAKE_REFUSE FIELDTRACE_FILTER
}

fake_build() { # KEY
	local data

	mkdir -p "$FAKE/proc/self" "$FAKE/lib" "$FAKE/state" "$FAKE/flags"
	chmod 700 "$FAKE/state"
	: >"$FAKE/log"
	fake_column "$1" >"$FAKE/features"
	if [ ! -s "$FAKE/features" ]; then
		echo "fake: no kernel '$1' in kernels.tsv" >&2
		return 1
	fi
	data=$UNIT/data/$(fake_feature data)
	fake_library
	case $(fake_feature mounted) in
	debugfs) TRACEFS=$FAKE/sys/debug/tracing ;;
	*) TRACEFS=$FAKE/sys/tracing ;;
	esac
	mkdir -p "$TRACEFS"
	fake_proc
	fake_files "$TRACEFS" "$data"
	fake_top "$data"
	fake_instance
	fake_functions "$data"
}

fake_library() { # $FAKE/lib and $FAKE/bin
	local file dir

	for file in "$TOP"/lib/*; do ln -s "$file" "$FAKE/lib/${file##*/}"; done
	rm "$FAKE/lib/tracefs.sh" "$FAKE/lib/session.sh"
	printf '. "%s"\n. "%s"\n' "$TOP/lib/tracefs.sh" "$UNIT/kernel.sh" >"$FAKE/lib/tracefs.sh"
	printf '. "%s"\n. "%s"\n' "$TOP/lib/session.sh" "$FAKE/session.sh" >"$FAKE/lib/session.sh"
	# The fake /proc knows the PIDs that the run itself looks at.
	cat >"$FAKE/session.sh" <<-END
		fk_pid() { [ -e "\$FT_PROC/\$1" ] || \$FK_TOOL/ln -s "/proc/\$1" "\$FT_PROC/\$1"; }
		ft_child() {
			ft_children="\$ft_children \$1"
			fk_pid "\$1"
		}
		fk_pid \$\$
		# Never this machine's own /run: what lies there belongs to real runs, or to the test beside this one.
		ft_state_dirs() { "\$1" "\$FIELDTRACE_STATE/fieldtrace"; }
	END
	cp "$UNIT/fake_filter.awk" "$FAKE/filter.awk"
	mkdir "$FAKE/bin"
	for file in awk cat cp find grep ln mkdir mkfifo mv rm rmdir sed sort tr; do
		# Not by `command -v`: to a BusyBox shell they are its own.
		for dir in /usr/bin /bin; do
			if [ -x "$dir/$file" ] && [ ! -e "$FAKE/bin/$file" ]; then ln -s "$dir/$file" "$FAKE/bin/$file"; fi
		done
	done
}

fake_bundles() { # FOLDER: each command as `make bundle` makes it, with what makes the fake react before its last line
	local file

	mkdir "$1" || return
	for file in "$TOP"/bin/*; do
		"$TOP/tools/bundle.sh" "${file##*/}" | awk '
			{ if (NR > 1) print last; last = $0 }
			END { print ". \"$UNIT/kernel.sh\"; . \"$FAKE/session.sh\""; print last }' >"$1/${file##*/}"
		chmod 755 "$1/${file##*/}"
	done
}

fake_proc() {
	local dir="$FAKE/proc" type

	type=$(fake_feature mounted)
	{
		echo 'rootfs / rootfs rw 0 0'
		echo 'proc /proc proc rw,relatime 0 0'
		printf 'none %s %s rw,relatime 0 0\n' "$FAKE/sys/${type%fs}" "$type" | sed 's,/trace ,/tracing ,'
	} >"$dir/mounts"
	echo "Linux version imitated" >"$dir/version"
	echo 'quiet' >"$dir/cmdline"
	ln -s /proc/uptime "$dir/uptime"
	ln -s /proc/self/ns "$dir/self/ns"
	printf 'dummy 16384 0 - Live 0x0000000000000000\nloop 49152 0 - Live 0x0000000000000000\n' >"$dir/modules"
}

fake_files() { # FOLDER DATA: what the top level and an instance both have
	local event dir flag

	mkdir -p "$1/options" "$1/events" "$1/per_cpu/cpu0" "$1/per_cpu/cpu1"
	fake_feature clocks | tr + ' ' >"$1/trace_clock"
	echo nop >"$1/current_tracer"
	echo 1 >"$1/tracing_on"
	echo '7 (expanded: 1408)' >"$1/buffer_size_kb"
	printf '# tracer: nop\n#\n' >"$1/trace"
	: >"$1/set_event"
	: >"$1/trace_marker"
	for dir in "$1"/per_cpu/cpu*; do
		printf '%s: 0\n' entries overrun 'commit overrun' bytes 'dropped events' 'read events' >"$dir/stats"
	done
	for flag in stacktrace context-info; do echo 0 >"$1/options/$flag"; done
	echo 1 >"$1/options/context-info"
	grep -E '^(sched:sched_(switch|wakeup|process_.*)|block:block_rq_.*|syscalls:.*_openat|timer:timer_start)$' \
		"$2/available_events" >"$1/available_events"
	while read -r event; do fake_event "$1" "$2" "$event"; done <"$1/available_events"
	echo 0 >"$1/events/enable"
	if [ "$(fake_feature follow)" = yes ]; then echo 0 >"$1/options/event-fork"; fi
	if [ "$(fake_feature eventpid)" = yes ]; then : >"$1/set_event_pid"; fi
	if [ "$(fake_feature notpid)" = yes ]; then : >"$1/set_event_notrace_pid"; fi
	case $1$(fake_feature instances) in
	"$TRACEFS"* | *functions | *graph) fake_function_files "$1" ;;
	esac
	# The options as trace_options shows them
	for dir in "$1"/options/*; do
		if [ "$(cat "$dir")" = 1 ]; then echo "${dir##*/}"; else echo "no${dir##*/}"; fi
	done >"$1/trace_options"
}

fake_function_files() { # FOLDER: what the function tracer brings
	echo 'function nop' >"$1/available_tracers"
	echo '#### all functions enabled ####' >"$1/set_ftrace_filter"
	echo '#### no functions disabled ####' >"$1/set_ftrace_notrace"
	if [ "$(fake_feature notpid)" = yes ]; then echo 'no pid' >"$1/set_ftrace_notrace_pid"; fi
	if [ "$(fake_feature follow)" = yes ]; then echo 0 >"$1/options/function-fork"; fi
	case $1$(fake_feature instances) in
	"$TRACEFS"* | *graph) echo 'function_graph function nop' >"$1/available_tracers" ;;
	esac
	echo 'no pid' >"$1/set_ftrace_pid"
	fake_flags "$1/options"
}

fake_flags() { # FOLDER: the tracers' own options
	local flag to="$1"

	if [ "$(fake_feature flags)" = late ]; then to=$FAKE/flags; fi
	for flag in func_stack_trace funcgraph-abstime funcgraph-proc funcgraph-tail; do echo 0 >"$to/$flag"; done
	for flag in funcgraph-cpu funcgraph-duration funcgraph-overhead; do echo 1 >"$to/$flag"; done
}

fake_event() { # FOLDER DATA SYSTEM:EVENT: its folder, with the recorded format where there is one
	local dir="$1/events/${3%%:*}/${3#*:}" format="$2/events.${3%%:*}.${3#*:}.format"

	mkdir -p "$dir"
	echo 0 >"$dir/enable"
	echo 0 >"${dir%/*}/enable"
	echo none >"$dir/filter"
	if [ ! -e "$format" ]; then format=$2/events.sched.sched_process_exec.format; fi
	cp "$format" "$dir/format"
}

fake_top() { # DATA: what the top level alone has
	echo '#### all functions enabled ####' >"$TRACEFS/set_graph_function"
	echo '#### no functions disabled ####' >"$TRACEFS/set_graph_notrace"
	echo 0 >"$TRACEFS/tracing_thresh"
	if [ -e "$1/README" ] && [ "$(fake_feature glob)" = full ]; then cp "$1/README" "$TRACEFS/README"; fi
	if [ "$(fake_feature depth)" = yes ]; then echo 0 >"$TRACEFS/max_graph_depth"; fi
	if [ "$(fake_feature enabled)" = yes ]; then echo 1 >"$TRACEFS/tracing_enabled"; fi
	if [ "$(fake_feature errorlog)" = yes ]; then : >"$TRACEFS/error_log"; fi
	if [ "$(fake_feature kprobes)" = yes ]; then
		: >"$TRACEFS/kprobe_events"
		: >"$TRACEFS/kprobe_profile"
	fi
	mkfifo "$TRACEFS/trace_pipe"
}

fake_instance() { # $FAKE/instance: what mkdir makes; its events are copied from the top level as they are then
	if [ "$(fake_feature instances)" = none ]; then return; fi
	mkdir "$TRACEFS/instances"
	cp -R "$TRACEFS" "$FAKE/instance.top"
	mkdir "$FAKE/instance"
	for file in options per_cpu trace_clock tracing_on buffer_size_kb trace set_event trace_marker trace_options \
		available_events; do
		cp -R "$FAKE/instance.top/$file" "$FAKE/instance/"
	done
	mkdir "$FAKE/instance/events"
	echo 0 >"$FAKE/instance/events/enable"
	for file in set_event_pid set_event_notrace_pid; do
		if [ -e "$TRACEFS/$file" ]; then : >"$FAKE/instance/$file"; fi
	done
	echo nop >"$FAKE/instance/current_tracer"
	case $(fake_feature instances) in
	events) rm -f "$FAKE/instance/current_tracer" ;;
	functions | graph)
		for file in set_ftrace_filter set_ftrace_notrace set_ftrace_pid set_ftrace_notrace_pid; do
			if [ -e "$TRACEFS/$file" ]; then cp "$TRACEFS/$file" "$FAKE/instance/$file"; fi
		done
		echo 'function nop' >"$FAKE/instance/available_tracers"
		;;
	esac
	if [ "$(fake_feature instpid)" = no ]; then rm -f "$FAKE/instance/set_ftrace_pid"; fi
	if [ "$(fake_feature instopt)" = no ]; then rm -rf "$FAKE/instance/options"; fi
	if [ "$(fake_feature instances)" = graph ]; then
		echo 'function_graph function nop' >"$FAKE/instance/available_tracers"
	fi
	rm -rf "$FAKE/instance.top"
}

fake_functions() { # DATA: the kernel's list, its symbols, and what belongs to which module
	grep -v '^ash:' "$1/available_filter_functions" |
		if [ "$(fake_feature suffix)" = yes ]; then cat; else sed 's/ \[.*//'; fi >"$TRACEFS/available_filter_functions"
	cp "$1/kallsyms" "$FAKE/proc/kallsyms"
	if [ "$(fake_feature ftprobes)" = yes ]; then echo 'ffffffff81234560 T kprobe_ftrace_handler' >>"$FAKE/proc/kallsyms"; fi
	sed -n 's/^\([^ ]*\) \[\(.*\)\]/\1 \2/p' "$1/available_filter_functions" >"$FAKE/owners"
}

fake_state() { # every file of the tracer with its content, as one text, to compare
	(
		cd "$TRACEFS" || exit
		# What the kernel writes into error_log stays there. One process for all files: this is called often.
		find . -type f ! -name error_log | LC_ALL=C sort | xargs grep -H ''
		find . | LC_ALL=C sort
	)
	find "$FAKE/state" -mindepth 1
}

fake_pid() { # PID STAT_COMM STARTTIME [NSPID_LINE]: a process of the fake /proc, with one thread
	mkdir -p "$FAKE/proc/$1/task/$1"
	printf '%s (%s) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %s 0 0\n' "$1" "$2" "$3" >"$FAKE/proc/$1/stat"
	printf 'Name:\t%s\nPid:\t%s\nNSpid:\t%s\n' "$2" "$1" "${4:-$1}" >"$FAKE/proc/$1/status"
}

fake_active() { # FOLDER: is a tracer or an event on there?
	case $(cat "$1/current_tracer" "$1/set_event") in
	nop | '') return 1 ;;
	esac
}

fake_feed() { # FILE: its lines come out of the trace_pipe of whatever folder is traced first; $feeder: its PID
	(
		pipe=
		until [ -n "$pipe" ]; do
			for dir in "$TRACEFS" "$TRACEFS"/instances/ft.*; do
				if fake_active "$dir" 2>/dev/null; then pipe=$dir/trace_pipe; fi
			done
			sleep 0.05
		done
		# Both ends: opening does not wait, and the reader never meets the end of the pipe.
		exec 3<>"$pipe"
		cat "$1" >&3
		# As its stdin: some shells close 3 on exec.
		exec sleep 300 <&3
	) &
	feeder=$!
}
