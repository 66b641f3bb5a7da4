# shellcheck shell=sh
# k_foreign.sh - every command beside somebody else's tracing: theirs stays, byte for byte, and ours is right
# SPDX-License-Identifier: GPL-2.0-only
# concerns: funccount functrace funcgraph tpoint kprobe modtrace reset-ftrace fieldtrace
# requires: tracer:function_graph, kprobe_events, instances, module:loop, ends
#
# All commands at once: their settings are compared when all are done, and each command's own result is judged by itself.

. /tests/vm/guest/every.sh

case_beside() { # K8 K9 K20: a foreign tracer, filters, events, probes, an instance and a reader of trace_pipe
	# limit: 180
	# each shell
	ready
	foreign_probes
	foreign_instance
	foreign_top
	theirs 2
	keep_state
	for tool in $EVERY; do
		every run "$tool" -Z
		is "$tool -Z: status" "$rc" 2
	done
	unchanged 'usage errors'
	# shellcheck disable=SC2086 # words
	batch $EVERY
	theirs 2
	work 23
	for tool in $EVERY; do
		land "$tool"
		case $tool in
		funcgraph) graph_verdict "tracer 'function' is active" ;;
		*) verdict "$tool" ;;
		esac
	done
	unchanged 'all commands'
	cp reset-ftrace/out "$T/out"
	out_has "top level +current_tracer is 'function'"
	out_has "probe +p:ft_theirs/x write_full +\(somebody else's\)"
	out_has "instance +theirs +\(somebody else's\)"
	theirs_whole
}

# verdict COMMAND - is its result right?
verdict() {
	is "$1: status" "$rc" 0
	case $1 in
	reset-ftrace | fieldtrace) ;;
	*) num_eq "$1: events" "$(seen "$1")" 23 ;;
	esac
}

# graph_verdict ERE - a kernel that graphs at the top level alone refuses, and says why; others see all
graph_verdict() {
	if graph_shares; then
		rc_is 5
		err_has "$1"
	else
		verdict funcgraph
	fi
}

case_pipe_read() { # K13: trace_pipe of the top level is somebody's, and nothing else is
	# once
	/bb/cat "$TRACEFS/trace_pipe" >theirs.top &
	reader=$!
	at_end "kill $reader"
	mkdir "$TRACEFS/instances/theirs"
	at_end "rmdir $TRACEFS/instances/theirs"
	ready
	keep_state
	# shellcheck disable=SC2086 # words
	batch $EVERY
	work 23
	for tool in $EVERY; do
		land "$tool"
		case $tool in
		# The tracer cannot even be set while that file is open.
		funcgraph) graph_verdict 'trace_pipe' ;;
		*) verdict "$tool" ;;
		esac
	done
	unchanged 'all commands'
	ok 'their reader reads on' kill -0 "$reader"
}

case_odd() { # K18 K19: tracing_on 0 and unreadable formats at the top level
	# once
	ready
	at_end "echo 1 >$TRACEFS/tracing_on"
	echo 0 >"$TRACEFS/tracing_on"
	for option in hex bin raw verbose nocontext-info stacktrace nooverwrite; do
		[ -e "$TRACEFS/options/${option#no}" ] || continue
		case $option in
		no*) at_end "echo ${option#no} >$TRACEFS/trace_options" ;;
		*) at_end "echo no$option >$TRACEFS/trace_options" ;;
		esac
		echo "$option" >"$TRACEFS/trace_options"
	done
	mkdir "$TRACEFS/instances/theirs"
	at_end "rmdir $TRACEFS/instances/theirs"
	keep_state
	# shellcheck disable=SC2086 # words
	batch $EVERY
	work 23
	for tool in $EVERY; do
		land "$tool"
		case $tool in
		funcgraph) graph_verdict "trace option '(bin|hex|raw|verbose|nocontext-info)' is set" ;;
		*) verdict "$tool" ;;
		esac
	done
	unchanged 'all commands'
}
