#!/bin/sh
# bundle.sh COMMAND - one self-contained file of a command on stdout: library and awk programs inside
# SPDX-License-Identifier: GPL-2.0-only
#
# The parts of the library that the command loads, and the awk programs that these call, take the place of the block that
# finds the library. For size, what the command cannot reach is left out (reach.awk), and so are comments and indentation
# (shfmt does that, since it knows what is a comment and what a string). What remains is the source, line by line.
set -u

top=$(cd "$(dirname "$0")/.." && pwd) || exit
tool=${1:-}
file=$top/bin/$tool

# loads FILE - the parts that a file loads, wherever it does; a list may go on behind a backslash
loads() {
	sed -n -e ':more' -e '/ft_load .*\\$/{N;s/\\\n//;b more' -e '}' -e 's/^[[:space:]]*ft_load //p' "$1"
}

# add_parts FILE - $parts: the paths of the parts that a file needs, and those need, in the order of loading
add_parts() {
	local name

	for name in $(loads "$1"); do
		case " $parts " in
		*" $top/lib/$name.sh "*) continue ;;
		esac
		parts="$parts $top/lib/$name.sh"
		add_parts "$top/lib/$name.sh"
	done
}

# start - what takes the place of the find-lib block and of fieldtrace.sh; tracemem is looked for beside the file. To awk the
# text of a program is an argument, which has to come behind the -v options and before the files
start() {
	cat <<-'END'
		self=$0
		case $self in
		*/*) ;;
		*) self=./$self ;;
		esac
		FT_LIB=${self%/*}
		FT_BUNDLE=1
		ft_load() { :; }

		ft_bundle_exec() {
			local text word value='' n=0

			text=$(ft_bundle_awk "$1")
			shift
			for word; do
				if [ "$n" = 0 ]; then set --; fi
				n=1
				if [ -n "$text$value" ] && [ "$word" != -v ]; then
					if [ -z "$value" ]; then set -- "$@" "$text" && text=''; fi
					value=''
				elif [ "$word" = -v ]; then
					value=1
				fi
				set -- "$@" "$word"
			done
			# shellcheck disable=SC2086
			exec "$ft_awk" $ft_awk_live "$@" ${text:+"$text"}
		}

	END
	sed -n '/^unset CDPATH/,/^umask/p' "$top/lib/fieldtrace.sh"
}

# strip - an awk program without comments, indentation and, on lines without a string or pattern, blanks around operators;
# its lines stay, since awk joins them by rules of its own
strip() {
	sed -E -e '/^[[:space:]]*#/d' -e 's/^[[:space:]]*//' -e '/^$/d' \
		-e '/["\/]/!{s/ ([-+*%!<>=]?=|[<>?:]|&&|[|][|]) /\1/g;s/, +/,/g;s/; /;/g' -e '}'
}

# quoted - stdin as one single-quoted shell word
quoted() {
	printf "'%s'" "$(sed "s/'/'\\\\''/g")"
}

# programs FILE - the awk programs that a text calls, by name
programs() {
	local name

	grep -oE 'ft_awk(_exec)? [a-z_]+' "$1" | sed 's/.* //' | sort -u | while read -r name; do
		if [ -f "$top/lib/$name.awk" ]; then printf '%s\n' "$name"; fi
	done
}

# awk_texts NAME... - the function that prints a program, behind the shared functions that any of them needs
awk_texts() {
	local name paths=''

	for name; do paths="$paths $top/lib/$name.awk"; done
	# shellcheck disable=SC2016,SC2086 # the bundle's own $1; our own names
	printf 'ft_bundle_awk() {\nprintf "%%s\\n" %s\ncase $1 in\n' \
		"$(awk -v kind=awk -v roots=$# -f "$top/tools/reach.awk" $paths "$top/lib/common.awk" | strip | quoted)"
	for name; do printf '%s) printf "%%s\\n" %s ;;\n' "$name" "$(strip <"$top/lib/$name.awk" | quoted)"; done
	printf 'esac\n}\n'
}

main() {
	if [ -z "$tool" ] || [ ! -f "$file" ]; then
		echo "bundle.sh: name a command: $(cd "$top/bin" && echo *)" >&2
		exit 2
	fi
	if ! command -v shfmt >/dev/null; then
		echo 'bundle.sh: shfmt is not installed (tests/deps.sh says how)' >&2
		exit 1
	fi
	work=$(mktemp -d) || exit
	trap 'rm -rf "$work"' EXIT
	parts=''
	add_parts "$top/lib/fieldtrace.sh"
	add_parts "$file"
	start >"$work/start"
	sed '1,/^# <<< find lib/d' "$file" >"$work/command"
	# shellcheck disable=SC2086 # our own names
	awk -f "$top/tools/reach.awk" "$work/start" $parts "$work/command" >"$work/all" || exit
	# shellcheck disable=SC2046
	awk_texts $(programs "$work/all") >"$work/awk"
	# The command's last line runs it: everything else goes before.
	{
		sed '$d' "$work/all"
		cat "$work/awk"
		tail -n 1 "$work/all"
	} >"$work/whole"
	shfmt -mn -ln posix "$work/whole" >"$work/small" || exit
	sed -n '1,/^# SPDX/p' "$file"
	printf '\n# One file, made by "make bundle TOOL=%s": its library is inside, without what this command does not call.\n' "$tool"
	cat "$work/small"
}

main "$@"
