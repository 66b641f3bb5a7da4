# shellcheck shell=sh
# k_text_test.sh - hostile names, definitions and filters given to every command (K66): nothing is run or expanded
# SPDX-License-Identifier: GPL-2.0-only
# runs: whole
# shellcheck disable=SC2016 # text that must not be expanded

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

# A word of each kind. Whatever would run a command makes the file $ran.
ran=$T/ran
long=$(printf '%10000s' '' | tr ' ' a)
hostile() { # the texts, a line each, newlines as \n
	cat <<-END
		\$(echo >$ran)
		\`echo >$ran\`
		x;echo >$ran
		x|tee $ran&
		a"b'c
		'
		a\\b
		a%sb%n
		*/../*
		/etc/pass*
		~root
		-rf
		--
		x\\necho >$ran
		[é]{
	END
	printf '%s\n' "$long"
}

unescape() { # TEXT -> $text: with \n as a newline
	case $1 in
	*'\n'*) text=${1%%'\n'*}$nl${1#*'\n'} ;;
	*) text=$1 ;;
	esac
}

short_of() { # TEXT: for the name of a test
	printf '%s\n' "$1" | head -n 1 | cut -c 1-30
}

judge() { # NAME: the run was refused in words of its own, ran nothing, left nothing
	case $rc in
	1 | 2 | 7 | 8) ;;
	*) tap_is "$1: refused" "$rc $err" '1, 2, 7 or 8' ;;
	esac
	case $err in
	"${1%% *}: "*) tap_result 0 "$1: $rc, and a message" ;;
	*) tap_is "$1: the command's own message" "$err" "${1%% *}: ..." ;;
	esac
	if [ -e "$ran" ]; then
		tap_is "$1: nothing was run" ran 'not run'
		rm -f "$ran"
	fi
}

fake 7
# What a glob would find, if it were one.
mkdir "$T/cwd"
cd "$T/cwd" || exit
: >vfs_read
: >loop
before=$(fake_state)
hostile >"$T/hostile"
while IFS= read -r line; do
	unescape "$line"
	name=$(short_of "$line")
	run funccount -d 0.05 -- "$text"
	judge "funccount $name"
	run functrace -d 0.05 -- "$text"
	judge "functrace $name"
	run funcgraph -d 0.05 -- "$text"
	judge "funcgraph $name"
	run tpoint -d 0.05 "sched:$text"
	judge "tpoint sched:$name"
	run kprobe -d 0.05 "p:${text#-}"
	case $text in
	*'*'* | *'['*) ;; # a glob of functions is one of its forms
	*) judge "kprobe p:$name" ;;
	esac
	run modtrace -d 0.05 -- "$text"
	judge "modtrace $name"
	run reset-ftrace -- "$text"
	judge "reset-ftrace $name"
	run fieldtrace -- "$text"
	judge "fieldtrace $name"
done <"$T/hostile"
text="\$(echo >$ran) \`echo >$ran\`;*"
for option in -d -p -c -b -L; do
	run functrace "$option" "$text" vfs_read
	judge "functrace $option"
done
run funcgraph -d 0.05 -x "$text" vfs_read
judge 'funcgraph -x'
run modtrace -d 0.05 loop "$text"
judge 'modtrace with a module'
run modtrace -o "$T/\$(echo >ran)" loop
tap_is 'modtrace -o: a name like any other' "$rc $(head -n 1 "$T/\$(echo >ran)")" "0 $(grep -m 1 '\[loop\]' "$TRACEFS/available_filter_functions")"
tap_is 'only our own two files are here' "$(echo *)" 'loop vfs_read'
state_is 'K66: all undone'

### a filter is the kernel's to judge, and reaches it as it is, but for a newline

while IFS= read -r line; do
	unescape "$line"
	name=$(short_of "$line")
	: >"$FAKE/log"
	run tpoint -d 0.05 sched:sched_switch "$text"
	case $line in
	*'\n'*) tap_is "filter $name: refused" "$rc" 2 ;;
	-*) ;;
	*) tap_is "filter $name: as it is" "$(writes | sed -n 's,^events/sched/sched_switch/filter ,,p' | head -n 1)" "$text" ;;
	esac
done <"$T/hostile"
tap_ok 'K66: no filter was run' test ! -e "$ran"
state_is 'K66: all undone after the filters'

tap_done
