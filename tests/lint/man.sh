# shellcheck shell=sh
# man.sh - checks of the manual pages against the commands; sourced by lint.sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: check_man, and for the self-check man_complaints ROOT: a line for each fault of the pages in ROOT/man against
# ROOT/bin and ROOT/helper/main.c; nothing when all is well. Options are compared as words, "p:" for one with a value
# and "h" for one without, each way round.

# Sections that every page of a command has, in the order of mdoc(7)'s convention.
MAN_SECTIONS='NAME SYNOPSIS DESCRIPTION OPTIONS FIELDS REQUIREMENTS OVERHEAD ENVIRONMENT EXIT_STATUS EXAMPLES SEE_ALSO'

man_split() { # GETOPTS: its options as sorted words
	printf '%s\n' "$1" | grep -o '[A-Za-z]:\{0,1\}' | sort -u
}

man_script_options() { # FILE: what its getopts takes
	man_split "$(sed -n 's/.*while getopts :*\([A-Za-z:]*\) .*/\1/p' "$1")"
}

man_help_letters() { # reads the text of -h: the option letters in it, its examples left out
	sed '/^eg,/,$d' | grep -oE '(^|[] [,|(])-[A-Za-z][A-Za-z:]*' | sed 's/.*-//' | grep -o '[A-Za-z]' | sort -u
}

man_section() { # PAGE NAME [SUBSECTION]: the lines of that part
	awk -v want="$2" -v sub_want="${3:-}" '
	/^[.]S[hs] / {
		name = substr($0, 5)
		gsub(/"/, "", name)
		if (/^[.]Sh/) {
			section = name
			part = ""
		} else
			part = name
		next
	}
	section == want && (sub_want == "" || part == sub_want)' "$1"
}

man_items() { # reads lines of a page: the options that have an item of their own; a long one as "-name" or "-name:"
	awk '$1 == ".It" && $2 == "Fl" {
		for (i = 2; i < NF; i++)
			if ($i == "Fl")
				print $(i + 1) ($(i + 2) == "Ar" ? ":" : "")
	}' | sort -u
}

man_synopsis() { # reads lines of a synopsis: the options in them; letters that stand together are one each
	awk '{
		for (i = 1; i < NF; i++) {
			if ($i != "Fl" && $i != ".Fl")
				continue
			word = $(i + 1)
			if ($(i + 2) == "Ar")
				print word ":"
			else
				while (word != "") {
					print substr(word, 1, 1)
					word = substr(word, 2)
				}
		}
	}' | sort -u
}

man_differ() { # WHERE_A A WHERE_B B: what is in one of the two lists only
	printf '%s\n' "$2" "---" "$4" | awk -v a="$1" -v b="$3" '
	$0 == "---" {
		second = 1
		next
	}
	$0 == "" { next }
	!second { one[$0] = 1 }
	second { two[$0] = 1 }
	END {
		for (word in one)
			if (!(word in two))
				print a " has -" word ", not so " b
		for (word in two)
			if (!(word in one))
				print b " has -" word ", not so " a
	}'
}

man_letters() { # WORDS: the same without their colons
	printf '%s\n' "$1" | tr -d :
}

man_command() { # ROOT NAME: a command with plain options
	local page="$1/man/$2.8" options help

	options=$(man_script_options "$1/bin/$2")
	help=$(sh "$1/bin/$2" -h 2>/dev/null | man_help_letters)
	man_differ "$2.8" "$(man_section "$page" OPTIONS | man_items)" "$2's getopts" "$options"
	man_differ "the synopsis of $2.8" "$(man_section "$page" SYNOPSIS | man_synopsis)" "$2's getopts" "$options"
	man_differ "$2 -h" "$help" "$2's getopts" "$(man_letters "$options")"
}

### subcommands

man_crash_options() { # FILE SUBCOMMAND: what do_SUBCOMMAND hands to its getopts
	man_split "$(sed -n "/^do_$2() /,/^}/s/^	options '*\([A-Za-z:]*\)'* .*/\1/p" "$1")"
}

man_crashtrace() { # ROOT: subcommand by subcommand
	local page="$1/man/crashtrace.8" file="$1/bin/crashtrace" name options help all='' common='S:'

	help=$(sh "$file" -h 2>/dev/null)

	# shellcheck disable=SC2013 # words
	for name in $(sed -n 's/^do_\([a-z]*\)() .*/\1/p' "$file"); do
		options=$(man_crash_options "$file" "$name")
		all="$all
$options"
		man_differ "crashtrace.8, $name," "$(man_section "$page" OPTIONS "$name" | man_items | grep -v '^-')" \
			"do_$name" "$options"
		man_differ "the synopsis of $name" "$(man_section "$page" SYNOPSIS | man_synopsis_of "$name")" \
			"do_$name" "$(printf '%s\n' "$options" "$common" | sort -u)"
		printf '%s\n' "$help" | sed '/^eg,/,$d' | grep -qw "$name" || echo "crashtrace -h does not name $name"
		# Without a tracefs, lest one that does not know -h does something.
		[ "$(FIELDTRACE_TRACEFS=/nonexistent sh "$file" "$name" -h 2>/dev/null)" = "$help" ] || echo "crashtrace $name -h is not the help of crashtrace"
	done
	man_differ 'crashtrace.8, every subcommand,' "$(man_section "$page" OPTIONS 'every subcommand' | man_items)" \
		"crashtrace's options()" "$(printf 'S:\nh\n')"
	man_differ 'crashtrace -h' "$(printf '%s\n' "$help" | man_help_letters)" "crashtrace's subcommands" \
		"$(man_letters "$(printf '%s\n' "$all" S h | sort -u)" | grep .)"
	# shellcheck disable=SC2013
	for name in $(sed -n '/^[.]Sh OPTIONS/,/^[.]Sh FIELDS/s/^[.]Ss //p' "$page"); do
		grep -q "^do_$name() " "$file" || case $name in
		every | subcommand) ;;
		*) echo "crashtrace.8 has a subcommand $name, not so crashtrace" ;;
		esac
	done
}

man_synopsis_of() { # SUBCOMMAND: reads a synopsis; the options of that subcommand
	awk -v want="$1" '
	/^[.]Nm/ { on = 0 }
	/^[.]Cm/ || /^[.]Nm.* Cm/ { on = $NF == want || $2 == want }
	on' | man_synopsis
}

man_helper_options() { # ROOT SUBCOMMAND: out of the table and the conditions of main.c; long ones as "-name"
	local upper

	upper=$(printf '%s\n' "$2" | tr '[:lower:]' '[:upper:]')
	{
		sed -n '/^} valued\[\] = {/,/^};/p' "$1/helper/main.c" | tr '\n' ' ' | sed 's/} *,/\
/g' | sed -n 's/.*{ *"-\([^"]*\)" *, *\([A-Z| ]*\),.*/\1 \2/p' |
			awk -v want="$upper" '{ for (i = 2; i <= NF; i++) if ($i == want) print $1 ":" }'
		sed -n "/^static void option(/,/^}/s/.*\(if (.*\)/\1/p" "$1/helper/main.c" | awk -v want="$upper" '
		!/o->command == / || $0 ~ ("o->command == " want ")") {
			while (match($0, /strcmp\(a, "-[^"]*"/)) {
				print substr($0, RSTART + 12, RLENGTH - 13)
				$0 = substr($0, RSTART + RLENGTH)
			}
		}'
	} | sort -u
}

man_tracemem() { # ROOT
	local page="$1/man/tracemem.8" name part has

	for name in info snapshot restore clear decode; do
		has=$({
			man_section "$page" OPTIONS "$name"
			man_section "$page" OPTIONS 'every subcommand'
			case $name in
			info | snapshot | decode) man_section "$page" OPTIONS hints ;;
			esac
		} | man_items)
		man_differ "tracemem.8, $name," "$has" "main.c" "$(man_helper_options "$1" "$name")"
		# What -h says, out of its strings: every option, and none that does not exist.
	done
	has=$(sed -n '/^static const char usage_/,/;$/p' "$1/helper/main.c" | sed 's/uname -[mr]//' |
		grep -oE '(^|[][" |,])--?[a-z][a-z-]*' | sed 's/^[^-]*-//' | sort -u)
	part=$(for name in info snapshot restore clear decode; do man_helper_options "$1" "$name"; done | tr -d : |
		grep -vE '^(-force|-output|-help)$' | sort -u)
	man_differ 'tracemem -h' "$has" main.c "$part"
	# A line of a string begins and ends with 1 and 3 characters that are not printed.
	sed -n '/^static const char usage_/,/;$/p' "$1/helper/main.c" | awk '
	/^static/ {
		name = substr($4, 1, index($4, "[") - 1)
		n = eg = 0
		next
	}
	{ sub(/;$/, ", ") }
	length($0) > 84 { print name ": long: " $0 }
	/^"eg,/ { eg = 1 }
	{ n++ }
	/, $/ && n > 24 { print name ": " n " lines" }
	/, $/ && !eg { print name ": no examples" }'
}

### all pages

man_lint() { # ROOT: mandoc, sections, cross references
	local page name section ref

	for page in "$1"/man/*.[1-8]; do
		name=${page##*/}
		mandoc -Tlint -W warning "$page" 2>&1 | sed "s|^mandoc: .*/man/||"
		grep -q 'SPDX-License-Identifier: GPL-2.0-only' "$page" || echo "$name: no licence"
		grep -q "^[.]Dt $(printf '%s\n' "${name%.*}" | tr '[:lower:]' '[:upper:]') ${name##*.}\$" "$page" || echo "$name: its .Dt names another page"
		sed -n 's/^[.]Xr \([^ ]*\) \([0-9]\).*/\1.\2/p' "$page" | sort -u | while read -r ref; do
			# Ours by its name: a command, the helper, the overview.
			case " $(man_ours "$1") " in
			*" ${ref%.*} "*) [ -f "$1/man/$ref" ] || echo "$name refers to $ref, which is not there" ;;
			esac
			[ "$ref" != "$name" ] || echo "$name refers to itself"
		done
		case $name in
		*.8) for section in $MAN_SECTIONS; do
			grep -qx "[.]Sh $(printf '%s\n' "$section" | tr _ ' ')" "$page" || echo "$name: no section $section"
		done ;;
		esac
	done
}

man_ours() { # ROOT: the names of our pages, on one line
	local file

	for file in "$1"/bin/*; do printf '%s ' "${file##*/}"; done
	echo tracemem
}

man_complaints() { # ROOT
	local name

	for name in $(man_ours "$1"); do
		if [ ! -f "$1/man/$name.8" ]; then
			echo "no page $name.8"
			continue
		fi
		case $name in
		crashtrace) man_crashtrace "$1" ;;
		tracemem) man_tracemem "$1" ;;
		*) man_command "$1" "$name" ;;
		esac
	done
	[ -f "$1/man/fieldtrace.7" ] || echo 'no page fieldtrace.7'
	for name in "$1"/man/*.8; do
		name=${name##*/}
		case " $(man_ours "$1") " in
		*" ${name%.8} "*) ;;
		*) echo "$name is the page of no command" ;;
		esac
	done
	man_lint "$1"
}

### the check itself must be able to fail

man_spoil() { # FILE SED_SCRIPT: $work/man-copy, a copy of what the checks read, with that file spoiled so
	rm -rf "$work/man-copy"
	mkdir -p "$work/man-copy/helper" && cp -R bin lib man "$work/man-copy/" && cp helper/main.c "$work/man-copy/helper/"
	sed "$2" "$1" >"$work/man-copy/$1"
}

man_catches() { # WHAT ERE CHECK NAME FILE SED_SCRIPT: passes when CHECK complains about the spoiled copy with a line like ERE
	man_spoil "$5" "$6"
	report "the check of the pages can fail: $1" "$("$3" "$work/man-copy" "$4" | grep -qE "$2" || echo "no complaint like: $2")"
}

check_man() {
	if ! command -v mandoc >/dev/null; then
		report 'mandoc is there (tests/deps.sh installs it)' 'not found'
		return
	fi
	report 'man: every command has its page, true to its options, and every page is clean' "$(man_complaints .)"
	man_catches 'an option that the page lacks' "getopts has -s, not so functrace.8" \
		man_command functrace man/functrace.8 '/^[.]It Fl s$/d'
	man_catches 'an option that the command lacks' 'functrace.8 has -Z' \
		man_command functrace man/functrace.8 's/^[.]It Fl s$/.It Fl Z/'
	man_catches 'a value that the page forgets' 'getopts has -d:' \
		man_command functrace man/functrace.8 's/^[.]It Fl d Ar secs/.It Fl d/'
	man_catches 'an option that the synopsis lacks' 'not so the synopsis of kprobe' \
		man_command kprobe man/kprobe.8 's/^[.]Op Fl c Ar clock//'
	man_catches 'an option that -h lacks' 'getopts has -H, not so functrace -h' \
		man_command functrace bin/functrace 's/^  -H        .*//;s/\[-hHsf\]/[-hsf]/'
	man_catches 'an option of a subcommand' 'do_arm has -w, not so crashtrace.8' \
		man_crashtrace '' man/crashtrace.8 's/^[.]It Fl w$//'
	man_catches 'a subcommand that -h lacks' 'does not name refresh' \
		man_crashtrace '' bin/crashtrace 's/| refresh | save/| save/;s/^  refresh .*//'
	man_catches 'a subcommand without -h' 'crashtrace status -h is not' man_crashtrace '' bin/crashtrace \
		'/^do_status() /,/^}/s/^	options .*/	used=0/'
	man_catches 'an option of the helper' 'main.c has --since:, not so tracemem.8' \
		man_tracemem '' man/tracemem.8 's/^[.]It Fl -since.*//'
	man_catches "an option that the helper's -h lacks" 'main.c has --since, not so tracemem -h' \
		man_tracemem '' helper/main.c 's/^"  --since .*/""/'
	man_catches "a helper's -h without examples" 'usage_decode: no examples' man_tracemem '' helper/main.c \
		'/^static const char usage_decode/,/;$/s/^"eg,/"so,/'
	man_catches 'a page that is not there' 'refers to kprobe.7, which is not there' \
		man_lint '' man/tpoint.8 's/^[.]Xr kprobe 8/.Xr kprobe 7/'
	man_catches 'a section that is not there' 'no section SEE_ALSO' man_lint '' man/tpoint.8 's/^[.]Sh SEE ALSO/.Sh SEE/'
	man_catches 'what mandoc warns about' 'WARNING|ERROR' man_lint '' man/tpoint.8 's/^[.]El//'
}
