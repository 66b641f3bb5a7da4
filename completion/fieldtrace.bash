# shellcheck shell=bash
# fieldtrace.bash - completion for bash: options out of each command's -h, names out of tracefs and /proc
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by a name that ends in .bash it serves the commands by their own names. Installed (or linked) into
# bash-completion's folder under the name of a command it serves that name, whatever prefix or suffix it has: the first
# line of the command's -h says which one it is.
#
# FIELDTRACE_TRACEFS and FIELDTRACE_PROC are honoured, as by the commands. Who may not read tracefs gets the functions
# out of /proc/kallsyms, and no events.

_fieldtrace_split() { # LINE -> words (done ones, unquoted), cur (unquoted), open (the quote that is open)
	local line=$1 i char word='' in=''

	words=()
	open=
	for ((i = 0; i < ${#line}; i++)); do
		char=${line:i:1}
		case $open$char in
		\'\' | \"\") open= ;;
		\' | \")
			open=$char
			in=1
			;;
		\'* | \"*) word+=$char ;;
		\\)
			i=$((i + 1))
			word+=${line:i:1}
			in=1
			;;
		' ' | $'\t')
			if [[ $in ]]; then words+=("$word"); fi
			word=
			in=
			;;
		*)
			word+=$char
			in=1
			;;
		esac
	done
	cur=$word
}

_fieldtrace_lead() { # -> lead: the part of $cur that readline keeps, since one of its word breaks stands at its end
	# Not @ and $, which it takes for the beginning of a word (rl_special_prefixes).
	lead=
	if [[ $open ]]; then return; fi
	local i

	for ((i = ${#cur}; i > 0; i--)); do
		if [[ ${COMP_WORDBREAKS//[@\$]/} == *"${cur:i-1:1}"* ]]; then
			lead=${cur:0:i}
			return
		fi
	done
}

_fieldtrace_reply() { # WORD...: those that $cur begins; one that ends in a colon goes on
	local word

	for word; do
		if [[ $word != "$cur"* ]]; then continue; fi
		COMPREPLY+=("${word:${#lead}}")
		if [[ $word == *: ]]; then compopt -o nospace 2>/dev/null; fi
	done
}

_fieldtrace_files() { # PREFIX f|d: files or folders, behind the prefix
	local word

	# Behind a prefix bash takes none for a file, and would put a backslash before the @.
	if [[ ! $1 ]]; then compopt -o filenames 2>/dev/null; fi
	while IFS= read -r word; do
		if [[ $1 && -d $word ]]; then
			word+=/
			compopt -o nospace 2>/dev/null
		fi
		word=$1$word
		COMPREPLY+=("${word:${#lead}}")
	done < <(compgen -"$2" -- "${cur#"$1"}")
}

### names

_fieldtrace_tracefs() { # -> tracefs: where it is, empty when it is nowhere
	local device dir type rest

	tracefs=${FIELDTRACE_TRACEFS:-}
	if [[ $tracefs ]]; then return; fi
	while read -r device dir type rest; do
		case $type in
		tracefs)
			tracefs=$dir
			return
			;;
		debugfs) tracefs=${tracefs:-$dir/tracing} ;;
		esac
	done 2>/dev/null <"$proc/mounts"
}

_fieldtrace_modules() {
	local name rest

	while read -r name rest; do printf '%s\n' "$name"; done 2>/dev/null <"$proc/modules"
}

_fieldtrace_symbols() { # NAME [MODULE]: functions that begin with NAME, of the module if there is one
	local list=$tracefs/available_filter_functions

	if [[ ! -r $list ]]; then list=$proc/kallsyms; fi
	# Without a letter to go by there would be tens of thousands.
	if [[ ! -r $list || ! $1$2 ]]; then return; fi
	FT_NAME=$1 FT_MODULE=${2:+[$2]} awk '
	BEGIN {
		name = ENVIRON["FT_NAME"]
		module = ENVIRON["FT_MODULE"]
	}
	# kallsyms: ADDRESS TYPE NAME [MODULE]; the list of functions: NAME [MODULE]
	$1 ~ /^[0-9a-f]+$/ && length($2) == 1 {
		if ($2 !~ /[tTwW]/) next
		$1 = $3
		$2 = $4
	}
	index($1, name) == 1 && (module == "" || $2 == module) && !seen[$1]++ { print $1 }' "$list" 2>/dev/null
}

_fieldtrace_functions() { # WORD: what may become of this word of a function pattern, whole, a line each
	local word=$1 sign='' name

	if [[ $word == !* ]]; then
		sign=!
		word=${word#!}
	fi
	case $word in
	*:mod:*) for name in $(_fieldtrace_modules); do printf '%s\n' "$sign${word%%:mod:*}:mod:$name"; done ;;
	:*) printf '%s:mod:\n' "$sign" ;;
	*:*) for name in $(_fieldtrace_symbols "${word#*:}" "${word%%:*}"); do printf '%s\n' "$sign${word%%:*}:$name"; done ;;
	'') printf '%s:mod:\n' "$sign" ;;
	*) for name in $(_fieldtrace_symbols "$word" ''); do printf '%s\n' "$sign$name"; done ;;
	esac
}

_fieldtrace_events() { # WORD: systems, then the events of one
	local event

	if [[ ! -r $tracefs/available_events ]]; then return; fi
	FT_NAME=$1 awk '
	index($0, ENVIRON["FT_NAME"]) == 1 {
		if (ENVIRON["FT_NAME"] !~ /:/) sub(/:.*/, ":")
		if (!seen[$0]++) print
	}' "$tracefs/available_events" 2>/dev/null
}

_fieldtrace_clocks() {
	local clocks=''

	read -r clocks 2>/dev/null <"$tracefs/trace_clock"
	clocks=${clocks//[\[\]]/}
	printf '%s\n' "${clocks// /$'\n'}"
}

_fieldtrace_pids() {
	local dir

	for dir in "$proc"/[0-9]*; do
		if [[ -d $dir ]]; then printf '%s\n' "${dir##*/}"; fi
	done
}

_fieldtrace_words() { # COMMAND ARG...: reply with the lines that it prints
	local line

	while IFS= read -r line; do _fieldtrace_reply "$line"; done < <("$@")
}

_fieldtrace_patterns() { # COMMAND: the last word of $cur, which in a quoted list stands behind others, through COMMAND
	local before='' word=$cur line

	if [[ $cur == *' '* ]]; then
		before="${cur% *} "
		word=${cur##* }
	fi
	while IFS= read -r line; do _fieldtrace_reply "$before$line"; done < <("$1" "$word")
}

### options

_fieldtrace_kind() { # OPTION -> kind: what -h calls its value; empty for one that takes none
	local pattern="(^|[][ (|,])$1(, --[a-z-]+)? +([^ ,)"$'\n'"]+)"

	kind=
	if [[ $1 != *[!A-Za-z-]* && $help =~ $pattern ]]; then kind=${BASH_REMATCH[3]}; fi
	kind=${kind%[]:]}
	# Behind one that takes none stands what it does, in some word that is none of these.
	case $kind in
	secs | top | depth | us | kb | N | SECONDS | RELEASE | '[-]N' | N,WORD,*) kind=any ;;
	PID | TID | clock | engine | func | function | file | FILE | DIR | F | NAME | *\|*) ;;
	*) kind= ;;
	esac
}

_fieldtrace_value() { # reply with values of $kind
	case $kind in
	PID | TID) _fieldtrace_words _fieldtrace_pids ;;
	clock) _fieldtrace_words _fieldtrace_clocks ;;
	engine) _fieldtrace_reply profile kprobe trace ;;
	func | function) _fieldtrace_patterns _fieldtrace_functions ;;
	file | FILE) _fieldtrace_files '' f ;;
	DIR) _fieldtrace_files '' d ;;
	F) _fieldtrace_reply text trace json trace.dat ;;
	NAME*) ;;
	*\|*) _fieldtrace_words printf '%s\n' "${kind//|/$'\n'}" ;;
	esac
}

_fieldtrace_options() { # reply with the options that $help names
	# shellcheck disable=SC2016 # awk's own
	_fieldtrace_words awk '
	/^eg,/ { examples = 1 }
	/^usage:/ { examples = 0 }
	!examples {
		while (match($0, /(^|[][ (|,])--?[A-Za-z][A-Za-z:-]*/)) {
			word = substr($0, RSTART, RLENGTH)
			$0 = substr($0, RSTART + RLENGTH)
			sub(/^[^-]*/, "", word)
			gsub(/:/, "", word)
			if (word ~ /^--/) {
				if (!seen[word]++) print word
				continue
			}
			for (i = 2; i <= length(word); i++)
				if (!seen[letter = "-" substr(word, i, 1)]++) print letter
		}
	}' <<<"$help"
}

### commands

_fieldtrace_operands() { # reply with what $role takes beside options; $plain: the operands before this one
	case $role:${plain[0]:-} in
	tpoint:*) _fieldtrace_words _fieldtrace_events "$cur" ;;
	kprobe:*)
		case $cur in
		'' | p | r) _fieldtrace_reply p: r: ;;
		*' '*) _fieldtrace_patterns _fieldtrace_functions ;;
		[pr]*:*) _fieldtrace_probe ;;
		esac
		;;
	modtrace:) _fieldtrace_words _fieldtrace_modules ;;
	modtrace:*)
		_fieldtrace_words _fieldtrace_modules
		_fieldtrace_words _fieldtrace_symbols "$cur" "${plain[0]//-/_}"
		;;
	fieldtrace:) _fieldtrace_reply check ;;
	reset-ftrace:* | fieldtrace:*) ;;
	crashtrace:) _fieldtrace_reply check plan arm status dump disarm refresh save restore bisect ;;
	crashtrace:dump | crashtrace:save | crashtrace:restore) _fieldtrace_files '' f ;;
	crashtrace:arm | crashtrace:plan | crashtrace:bisect) _fieldtrace_pattern ;;
	crashtrace:*) ;;
	tracemem:) _fieldtrace_reply info snapshot restore clear decode ;;
	tracemem:*) _fieldtrace_files '' f ;;
	*) _fieldtrace_pattern ;;
	esac
}

_fieldtrace_pattern() { # a function pattern, or @FILE
	case $cur in
	@*) _fieldtrace_files @ f ;;
	*) _fieldtrace_patterns _fieldtrace_functions ;;
	esac
}

_fieldtrace_probe() { # p:SYMBOL
	local head=${cur%%:*}: name

	while IFS= read -r name; do _fieldtrace_reply "$head$name"; done < <(_fieldtrace_functions "${cur#"$head"}")
}

_fieldtrace_option_kind() { # WORD -> kind, of the last of several letters
	case $1 in
	--*) _fieldtrace_kind "$1" ;;
	*) _fieldtrace_kind "-${1: -1}" ;;
	esac
}

_fieldtrace() { # COMMAND: called by bash
	local proc=${FIELDTRACE_PROC:-/proc} words cur open lead help role plain=() kind='' tracefs word
	# As it was typed: never evaluated, only a ~ is put in place.
	local command=${1/#~\//$HOME/}

	COMPREPLY=()
	_fieldtrace_split "${COMP_LINE:0:COMP_POINT}"
	_fieldtrace_lead
	help=$("$command" -h 2>/dev/null) || return
	role=${help#usage: }
	role=${role%%[!a-z-]*}
	# The helper's options are told by subcommand; what decode shares with info, by info.
	if [[ $role == tracemem && ${words[1]:-} == [a-z]* ]]; then
		word=$("$command" "${words[1]}" -h 2>/dev/null) && help=$word
		if [[ ${words[1]} == decode ]]; then help+=$'\n'$("$command" info -h 2>/dev/null); fi
	fi
	_fieldtrace_tracefs
	for word in "${words[@]:1}"; do
		if [[ $kind ]]; then
			kind=
		elif [[ $word == -* ]]; then
			_fieldtrace_option_kind "$word"
		else
			plain+=("$word")
		fi
	done
	if [[ $kind ]]; then
		_fieldtrace_value
	elif [[ $cur == -* ]]; then
		_fieldtrace_options
	else
		_fieldtrace_operands
	fi
}

case ${BASH_SOURCE[0]##*/} in
*.bash)
	complete -F _fieldtrace funccount funcgraph functrace tpoint kprobe modtrace crashtrace reset-ftrace fieldtrace tracemem
	;;
*) complete -F _fieldtrace -- "${BASH_SOURCE[0]##*/}" ;;
esac
