# shellcheck shell=sh
# completion_test.sh - completion/fieldtrace.bash: options, functions, events, modules, under any name
# SPDX-License-Identifier: GPL-2.0-only
# runs: once
# shellcheck disable=SC2016 # a program for bash, and texts that must not be expanded

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

# bash, for that is what completion is for; as it calls a completion function, with the line that was typed.
driver='
. "$1" || exit
compopt() { :; } # bash knows it during a completion only
COMP_LINE=$2
COMP_POINT=${#COMP_LINE}
command=${COMP_LINE%% *}
function=$(complete -p "${3:-${command##*/}}" 2>/dev/null)
function=${function#*-F }
"${function%% *}" "$command"
printf "%s\n" "${COMPREPLY[@]}"'

complete_as() { # FILE NAME LINE: what may stand at the end of the line, on one line
	bash --norc -c "$driver" bash "$1" "$3" "$2" 2>&1 | tr '\n' ' ' | sed 's/ *$//'
}

completes() { # LINE WANT: the whole answer
	tap_is "$1" "$(complete_as "$TOP/completion/fieldtrace.bash" '' "$TOP/bin/$1")" "$2"
}

offers() { # LINE WORD: one of the answers
	tap_like "$1: $2" " $(complete_as "$TOP/completion/fieldtrace.bash" '' "$TOP/bin/$1") " " $2 "
}

fake 7

### options, out of -h

completes 'funccount -' '-h -T -v -F -i -d -t -p -L -e'
for file in "$TOP"/bin/*; do
	name=${file##*/}
	options=$(sed -n 's/.*while getopts :*\([A-Za-z:]*\) .*/\1/p' "$file" | tr -d : | grep -o . | sort -u | tr '\n' ' ')
	if [ "$name" = crashtrace ]; then continue; fi
	tap_is "$name -: every option of its getopts" \
		"$(complete_as "$TOP/completion/fieldtrace.bash" '' "$file -" | tr ' ' '\n' | sed 's/^-//' | sort -u | tr '\n' ' ')" "$options"
done
offers 'crashtrace dump -' --format
offers 'crashtrace arm -' -w

### functions

completes 'funccount vfs_rea' 'vfs_readv vfs_read vfs_readlink'
completes 'functrace -d 5 vfs_readv vfs_write' 'vfs_writev vfs_write'
completes 'functrace -s !vfs_readl' '!vfs_readlink'
completes 'funcgraph "vfs_open vfs_readl' 'vfs_open vfs_readlink'
completes 'funcgraph -x vfs_readl' 'vfs_readlink'
completes 'funccount loop:lo_op' 'lo_open'
completes 'funccount lo_open:mod:' 'dummy loop'
completes 'funccount :' 'mod:'
completes 'funccount :mod:l' 'loop'
completes 'funccount ' ':mod:'
completes 'funccount $(id)' ''
completes 'funccount vfs_*' ''

### their values

completes 'funccount -e k' 'kprobe'
completes 'functrace -Hc mono' 'mono mono_raw'
completes 'functrace -d vfs_rea' ''
sleep 60 &
sleeper=$!
mkdir "$FIELDTRACE_PROC/$sleeper" 2>/dev/null
offers 'funccount -p ' "$sleeper"
kill "$sleeper"
rmdir "$FIELDTRACE_PROC/$sleeper" 2>/dev/null
: >"$T/list"
completes "functrace @$T/li" "@$T/list"
completes "modtrace -o $T/li" "$T/list"

### events, modules, subcommands

completes 'tpoint ti' 'timer:'
completes 'tpoint timer:timer_s' 'timer_start'
completes 'tpoint "timer:timer_s' 'timer:timer_start'
completes 'kprobe ' 'p: r:'
completes 'kprobe p:vfs_readl' 'vfs_readlink'
completes 'kprobe "p:mine vfs_readl' 'p:mine vfs_readlink'
completes 'kprobe -v r:vfs_readl' 'vfs_readlink'
completes 'modtrace ' 'dummy loop'
completes 'modtrace -c -t 5 lo' 'loop'
completes 'modtrace loop lo_op' 'lo_open'
completes 'fieldtrace ' 'check'
completes 'reset-ftrace ' ''
completes 'crashtrace d' 'dump disarm'
completes 'crashtrace arm -b m' 'module'
completes 'crashtrace arm -m w' 'wb wc'
completes 'crashtrace dump -F t' 'trace text trace.dat'
completes 'crashtrace dump --format j' 'json'
completes 'crashtrace arm :mod:l' 'loop'
completes 'crashtrace dump -n ' ''
completes "crashtrace dump $T/li" "$T/list"

### a name of its own: link under a prefix and a suffix

mkdir "$T/bin" "$T/completions"
ln -s "$TOP/bin/functrace" "$T/bin/ft-functrace2"
ln -s "$TOP/completion/fieldtrace.bash" "$T/completions/ft-functrace2"
tap_is 'by a name with prefix and suffix' \
	"$(complete_as "$T/completions/ft-functrace2" '' "$T/bin/ft-functrace2 vfs_readl")" vfs_readlink
tap_is 'which serves that name alone' "$(complete_as "$T/completions/ft-functrace2" functrace "$T/bin/ft-functrace2 vfs_readl" |
	grep -c vfs_readlink)" 0
tap_is 'every command is served' \
	"$(bash --norc -c '. "$1"; complete -p' bash "$TOP/completion/fieldtrace.bash" | sed -n 's/.*-F _fieldtrace //p' | sort | tr '\n' ' ')" \
	"$({ ls "$TOP/bin" && echo tracemem; } | sort | tr '\n' ' ')"

### the helper, by its usage

cat >"$T/bin/tracemem" <<END
#!/bin/sh
case \$1 in
decode) name=decode ;;
info | snapshot) name=hints ;;
*) name=text ;;
esac
sed -n "/^static const char usage_\$name/,/;\$/p" "$TOP/helper/main.c" | sed -n 's/^"\(.*\)\\\\n";*\$/\1/p'
END
chmod +x "$T/bin/tracemem"
tap_is 'tracemem d' "$(complete_as "$TOP/completion/fieldtrace.bash" '' "$T/bin/tracemem d")" decode
tap_is 'tracemem decode --s' "$(complete_as "$TOP/completion/fieldtrace.bash" '' "$T/bin/tracemem decode --s")" '--symbols --symbols-build --symbols-anyway --since --salvage --summary'
tap_is 'tracemem decode --pl' "$(complete_as "$TOP/completion/fieldtrace.bash" '' "$T/bin/tracemem decode --pl")" --plain
tap_is 'tracemem decode --symbols' "$(complete_as "$TOP/completion/fieldtrace.bash" '' "$T/bin/tracemem decode --symbols $T/li")" "$T/list"
tap_is 'tracemem decode --format' "$(complete_as "$TOP/completion/fieldtrace.bash" '' "$T/bin/tracemem decode --format tr")" 'trace trace.dat'
tap_is 'tracemem restore -' "$(complete_as "$TOP/completion/fieldtrace.bash" '' "$T/bin/tracemem restore -" | tr ' ' '\n' | grep -c -x -e -f)" 1

### nothing typed is run; nobody's tracefs

tap_is 'what stands for the command is not evaluated' \
	"$(complete_as "$TOP/completion/fieldtrace.bash" funccount '$(echo>ran)/funccount vfs_re')$(ls ran 2>/dev/null)" ''
rm "$TRACEFS/available_filter_functions" "$TRACEFS/available_events"
completes 'funccount vfs_readl' 'vfs_readlink'
completes 'tpoint ti' ''
FIELDTRACE_PROC=$T/none
export FIELDTRACE_PROC
completes 'funccount vfs_readl' ''
completes 'modtrace ' ''

tap_done
