#!/bin/sh
# lint.sh - checks of the source that need no kernel; TAP on stdout
# SPDX-License-Identifier: GPL-2.0-only
set -u

top=$(cd "$(dirname "$0")/../.." && pwd) || exit
# shellcheck source=../tap.sh
. "$top/tests/tap.sh" || exit
# shellcheck source=man.sh
. "$top/tests/lint/man.sh" || exit
cd "$top" || exit
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT

tab=$(printf '\t')
# What git knows, and outside a checkout (a release) whatever is there.
files() { # PATTERN...
	git ls-files -co --exclude-standard -- "$@" 2>/dev/null | while IFS= read -r file; do
		if [ -f "$file" ]; then printf '%s\n' "$file"; fi
	done
}
shell_files() {
	files bin lib/*.sh tools tests examples .ci | while IFS= read -r file; do
		case $file in
		*.sh) printf '%s\n' "$file" ;;
		*.*) ;;
		*) if head -n 1 "$file" | grep -q '^#!.*sh'; then printf '%s\n' "$file"; fi ;;
		esac
	done | grep -v '/data/'
}

report() { # NAME TEXT: passes when TEXT is empty, else shows it
	if [ -z "$2" ]; then
		tap_result 0 "$1"
	else
		tap_result 1 "$1"
		tap_note "$2"
	fi
}

check_format() {
	# shellcheck disable=SC2046 # names without blanks
	report 'shfmt: shell files are formatted' "$(shfmt -d -ln posix $(shell_files | grep -v '^\.ci/') 2>&1 | head -n 40)"
	# shellcheck disable=SC2046
	report 'shellcheck: shell files are clean' "$(shellcheck -x $(shell_files) 2>&1 | head -n 40)"
}

code() { # FILE: "FILE:LINE:CODE" without comments, help and quoted texts, which may say anything
	sed -e "/^usage='/,/'\$/s/.*//" -e 's/^[[:space:]]*#.*//' -e 's/[[:space:]]#.*//' \
		-e "s/'[^']*'/''/g" -e 's/"[^"]*"/""/g' "$1" | awk -v file="$1" '{ print file ":" FNR ":" $0 }'
}

check_completion() {
	report 'completion for bash is formatted and clean' \
		"$(
			shfmt -d -ln bash completion/*.bash 2>&1 | head -n 40
			shellcheck completion/*.bash 2>&1 | head -n 40
		)"
	report 'completion for bash names its licence' \
		"$(grep -L 'SPDX-License-Identifier: GPL-2.0-only' completion/*.bash)"
}

check_portability() {
	local kind regex why file

	for kind in sh awk; do
		files bin lib/*."$kind" | while IFS= read -r file; do
			case $kind:$file in
			awk:bin/*) ;;
			*) code "$file" ;;
			esac
		done >"$work/$kind"
	done
	while IFS=$tab read -r kind regex why; do
		case $kind in
		sh | awk) report "portability ($kind): $why" "$(grep -E -e "^[^:]*:[0-9]+:.*($regex)" -e "^[^:]*:[0-9]+:($regex)" "$work/$kind")" ;;
		esac
	done <tests/lint/portability.tsv
}

find_lib_block() { # FILE
	sed -n '/^# >>> find lib/,/^# <<< find lib/p' "$1"
}

check_commands() {
	local file name help options letter missing first

	first=$(find_lib_block bin/fieldtrace)
	report 'find-lib: the block is there' "$([ -n "$first" ] || echo 'bin/fieldtrace has none')"
	for file in bin/*; do
		name=${file##*/}
		report "$name: executable" "$([ -x "$file" ] || echo "$file")"
		report "$name: the find-lib block is the same as the others'" "$([ "$(find_lib_block "$file")" = "$first" ] || echo differs)"
		report "$name: line 2 says its name and purpose" "$(sed -n 2p "$file" | grep -qE "^# $name - .+" || sed -n 2p "$file")"
		report "$name: line 3 is the licence" "$(sed -n 3p "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-only' || sed -n 3p "$file")"
		report "$name: ends in main" "$([ "$(tail -n 1 "$file")" = 'main "$@"' ] || tail -n 1 "$file")"
		report "$name: has cases on real kernels" "$(grep -qsE "(run|ft|ft_bg) $name( |\$)" tests/vm/cases/*.sh || echo "none in tests/vm/cases")"
		report "$name: has a worked session" "$([ -e "examples/$name.txt" ] && [ -e "tests/examples/$name.sh" ] || echo "no examples/$name.txt, or no script that makes it")"
		report "$name: has its line in the README" "$(grep -q "^| .$name. |" README.md || echo "no row")"
		help=$(sh "$file" -h 2>/dev/null)
		report "$name: -h exits 0 and prints on stdout" "$([ -n "$help" ] || echo 'nothing printed')"
		report "$name: -h fits 24 lines of 80 columns" "$(printf '%s\n' "$help" | awk 'length($0) > 80 { print "long: " $0 } END { if (NR > 24) print NR " lines" }')"
		report "$name: -h ends in examples" "$(printf '%s\n' "$help" | grep -q '^eg,' || echo 'no "eg,"')"
		options=$(sed -n 's/.*while getopts :*\([A-Za-z:]*\) .*/\1/p' "$file" | head -n 1)
		missing=
		for letter in $(printf '%s\n' "$options" | grep -o '[A-Za-z]'); do
			printf '%s\n' "$help" | grep -qE -- "(-[A-Za-z]*$letter|[[-][A-Za-z]*$letter)" || missing="$missing -$letter"
		done
		report "$name: -h names every option" "$missing"
		missing=
		for letter in $(printf '%s\n' "$help" | grep -oE '^ *(usage: )?[a-z-]+ \[-[A-Za-z]+\]' | sed 's/.*\[-//' | grep -o '[A-Za-z]'); do
			case $options in
			*"$letter"*) ;;
			*) missing="$missing -$letter" ;;
			esac
		done
		report "$name: every option of its usage is taken" "$missing"
	done
}

check_text() {
	# shellcheck disable=SC2046
	report 'no line over 140 columns' "$(awk 'length($0) > 140 { print FILENAME ":" FNR }' $(files bin lib/*.sh lib/*.awk tools Makefile))"
	# shellcheck disable=SC2046
	report 'no trailing blanks' "$(grep -nE '[[:blank:]]+$' $(files bin lib tools tests/*.sh tests/vm/*.sh tests/vm/guest tests/lint Makefile README.md CONTRIBUTING.md) |
		grep -v "^lib/fieldtrace.sh:[0-9]*:IFS='" | head -n 20)"
	# shellcheck disable=SC2046
	report 'every source file names its licence' "$(for file in $(files bin lib/*.sh lib/*.awk helper tools tests/*.sh tests/vm tests/unit tests/crash tests/lint/*.sh Makefile | grep -E '\.(sh|awk|c|h)$|^bin/|Makefile'); do
		head -n 6 "$file" | grep -q SPDX-License-Identifier || echo "$file"
	done)"
	report 'no host name of a mirror, no pinned kernel' "$(git grep -nIE '(deb|ftp|archive|security|snapshot)\.debian\.org|linux-image-[0-9]+\.[0-9]+\.[0-9]+-[0-9]' -- . ':!tests/unit/data' ':!tests/lint' 2>/dev/null | head -n 20)"
}

check_globals() {
	# What the environment may say is what the README lists; and what every shell has.
	awk -f tests/lint/names.awk bin/* lib/*.sh >"$work/names"
	report 'every global is set at a head, and every local before it is read' "$(awk -f tests/lint/globals.awk -v \
		allowed="$(grep -o 'FIELDTRACE_[A-Z_]*' README.md | sort -u | tr '\n' ' ') KSH_VERSION BASH_VERSION TMPDIR OPTIND OPTARG IFS lib self libdir" "$work/names")"
}

check_writes() {
	# The unit tests put a fake kernel in the place of ft_write and ft_append: nothing else may write a control file.
	# shellcheck disable=SC2046
	report 'control files are written by ft_write and ft_append only' \
		"$(grep -nE '>>?[[:space:]]*"?[$][{]?(FT_TRACEFS|ft_dir)' $(files bin lib/*.sh))"
}

check_globs() {
	# An unquoted word is split, and expanded against the files of the folder that a user happens to be in.
	# shellcheck disable=SC2046
	report 'an unquoted word stands behind set -f, or says why it is no glob' \
		"$(awk -f tests/lint/globs.awk $(files bin lib/*.sh))"
}

check_plan() {
	report 'tests/vm/plan is what the rule gives (tests/vm/run.sh -n >tests/vm/plan)' \
		"$(tests/vm/run.sh -n 2>&1 | diff - tests/vm/plan | head -n 10)"
	report 'the plan: every case on two kernels, every topic under every shell' "$(awk -F '\t' '
		NR == 1 { for (i = 2; i <= NF; i++) if ($i ~ /[+]/) shell[i] = $i; else if ($i ~ /^(2|3|4)[.]/) old[i] = 1; next }
		{
			kernels = 0
			topic = $1; sub(/:.*/, "", topic); topics[topic] = 1
			for (i = 2; i <= NF; i++) if ($i == "x") { if (i in shell) met[topic, i] = 1; else if (!(i in old)) kernels++ }
			if (kernels < 2) print $1 ": " kernels " kernels"
		}
		END { for (topic in topics) if (topic != "storm") for (i in shell) if (!((topic, i) in met)) print topic " never under " shell[i] }' tests/vm/plan)"
}

check_applets() {
	# Approximate: the first word of a command, where it is a program and not a function, a builtin or a variable.
	local known word unknown

	known=" $(grep -v '^#' lib/applets | tr '\n' ' ') . : [ { } break case cd command continue do done echo elif else esac eval exec exit export fi for if in local printf read return set shift test then trap umask unset until wait while true false ! "
	unknown=
	# shellcheck disable=SC2046,SC2013
	for word in $(for file in $(files bin lib/*.sh); do code "$file"; done | sed -e 's/^[^:]*:[0-9]*://' -e 's/^[[:space:]]*[a-z0-9* |]*)//' | grep -oE '(^|[;&|({]|then|do|else|if|!|\|\||&&)[[:space:]]*(command -v )?(awk|sed|grep|egrep|cat|cut|tr|head|tail|sort|uniq|ls|cp|mv|rm|mkdir|rmdir|mktemp|date|dd|dmesg|id|kill|mount|umount|ps|sleep|sync|uname|gzip|zcat|insmod|rmmod|modprobe|stat|touch|basename|dirname|expr|tee|xargs|find|env|od|hexdump|seq|chmod|ln|readlink|nohup|setsid|cmp|diff|printf)\b' | grep -oE '[a-z]+$' | sort -u); do
		case $known in
		*" $word "*) ;;
		*) unknown="$unknown $word" ;;
		esac
	done
	report 'lib/applets lists every program that is called' "$unknown"
}

check_format
check_completion
check_portability
check_commands
check_text
check_globals
check_writes
check_globs
check_plan
check_applets
check_man
tap_done
