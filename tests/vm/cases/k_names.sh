# shellcheck shell=sh
# k_names.sh - process names made of blanks, brackets, colons and what looks like more columns, in every stream
# SPDX-License-Identifier: GPL-2.0-only
# concerns: functrace funcgraph tpoint kprobe
# requires: tracer:function_graph, kprobe_events, instances, ends

. /tests/vm/guest/every.sh

# A name has at most 15 characters. These break a reader that splits at blanks, or that takes the first PID it sees.
# shellcheck disable=SC2016 # names, not commands
hostile_names() {
	cat <<-'END'
		tmux: server
		a-1 [000] .... 
		) 5 | x(); }
		$(id)`id`;*
		   -1  [001]
		=> <-x: y
		%s%n\n"'
	END
}

case_comm() { # K29: the name stands whole before the right PID, the columns after it are the usual, and nothing is run
	# limit: 180
	hostile_names >names
	mkdir name.d
	# One writer a name, all at the same time; each writes once.
	n=0
	while IFS= read -r name; do
		n=$((n + 1))
		worker "$name" "name.d/$n"
		echo "$worker" >>pids
	done <names
	for tool in functrace funcgraph tpoint kprobe; do
		mkdir -p "$tool"
		case $tool in
		functrace) ft_bg functrace -d 600 write_null >"$tool/out" 2>"$tool/err" ;;
		funcgraph) ft_bg funcgraph -P -m 1 -d 600 write_null >"$tool/out" 2>"$tool/err" ;;
		tpoint) ft_bg tpoint -d 600 syscalls:sys_enter_write 'count == 7' >"$tool/out" 2>"$tool/err" ;;
		kprobe) ft_bg kprobe -d 600 p:write_null >"$tool/out" 2>"$tool/err" ;;
		esac
		echo "$bg_pid" >"$tool/pid"
	done
	launched functrace funcgraph tpoint kprobe
	n=0
	while IFS= read -r name; do
		n=$((n + 1))
		echo 'echo sixsix >/dev/null' >"name.d/$n"
	done <names
	# shellcheck disable=SC2046 # words
	wait $(cat pids)
	for tool in functrace funcgraph tpoint kprobe; do
		land "$tool"
		is "$tool: status" "$rc" 0
		n=0
		while IFS= read -r name <&3; do
			n=$((n + 1))
			pid=$(sed -n "${n}p" pids)
			# The graph also has lines that say who comes after whom on a CPU.
			line=$(grep -F -e "-$pid " out | grep -e write_null -e sys_write | head -n 1)
			name=$(printf '%.15s' "$name")
			case $tool in
			# The graph cuts a name at seven characters, as the kernel does.
			funcgraph) want="$(printf '%.7s' "$name")-$pid " ;;
			*) want="$name-$pid " ;;
			esac
			case $line in
			*"$want"*) asserted ;;
			*) fail "$tool: no line of '$name', PID $pid: $line" ;;
			esac
			case $tool in
			functrace) matches "$tool: '$name'" "${line##*"$want"}" '^ *\[00[01]\] [^ ]+ +[0-9]+\.[0-9]{6}: write_null <-' ;;
			tpoint) matches "$tool: '$name'" "${line##*"$want"}" '^ *\[00[01]\] [^ ]+ +[0-9]+\.[0-9]{6}: sys_write\(' ;;
			kprobe) matches "$tool: '$name'" "${line##*"$want"}" '^ *\[00[01]\] [^ ]+ +[0-9]+\.[0-9]{6}: write_null: \(' ;;
			funcgraph) matches "$tool: '$name'" "${line##*"$want"}" '^ *\| .*\|  write_null\(\)(;| \{)$' ;;
			esac
		done 3<names
	done
}
