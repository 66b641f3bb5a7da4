# shellcheck shell=sh
# patterns_test.sh - functions.sh: the pattern grammar, and what of it the kernel's own matching takes
# SPDX-License-Identifier: GPL-2.0-only
# runs: shells
# shellcheck disable=SC2016 # text that must not be expanded

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

mkdir -p "$T/proc" "$T/empty"
FIELDTRACE_PROC=$T/proc
export FIELDTRACE_PROC
# Files that a careless glob would match
cd "$T/empty" || exit
: >vfs_read
: >a

lines() { # NAME ARG...: the normalized lines, or the status
	lib functions -- ft_pattern_lines "$@"
	if [ "$rc" -ne 0 ]; then out="status $rc"; fi
}

is_lines() { # NAME WANT ARG...
	local name="$1" want="$2"

	shift 2
	lines "$@"
	tap_is "$name" "$out" "$want"
}

gives() { # FUNCTION NAME WANT ARG...: what it prints
	local call="$1" name="$2" want="$3"

	shift 3
	lib functions -- "$call" "$@"
	tap_is "$name" "$out" "$want"
}

### K46, K66: the grammar

is_lines 'a name' '+ glob - vfs_read' vfs_read
is_lines 'a glob is not expanded against files' '+ glob - vfs*' 'vfs*'
is_lines 'a question mark neither' '+ glob - ?' '?'
is_lines 'K46: two arguments' "+ glob - a${nl}+ glob - b" a b
is_lines 'K46: one argument of two words' "+ glob - a*${nl}+ glob - b" 'a* b'
is_lines 'tabs and newlines between words' "+ glob - a${nl}+ glob - b${nl}+ glob - c" "a${tab}b${nl}c"
is_lines 'K42: MODULE:FUNC' '+ glob modx bar' modx:bar
is_lines 'K42: :mod:MODULE' '+ glob modx *' :mod:modx
is_lines 'K42: *:mod:MODULE' '+ glob modx *' '*:mod:modx'
is_lines 'K42: GLOB:mod:MODULE' '+ glob modx b*' 'b*:mod:modx'
is_lines 'K42: FUNC [MODULE]' '+ glob modx bar' 'bar [modx]'
is_lines 'K42: as two arguments each' "+ glob modx bar${nl}+ glob - foo" 'bar [modx]' foo
is_lines 'K42: a list of what the kernel prints' "+ glob modx bar${nl}+ glob - foo${nl}+ glob mody baz" "bar [modx] foo baz [mody]"
is_lines 'left out' "- glob - a*" '!a*'
is_lines 'left out of a module' "- glob modx a*" '!a*:mod:modx'
is_lines 'a regex' '+ regex - ^a|b$' '/^a|b$/'
is_lines 'a regex of a module' '+ regex modx ^a' '/^a/:mod:modx'
is_lines 'a regex left out' '- regex - a.*' '!/a.*/'
is_lines 'a dash in a module is an underscore' '+ glob usb_storage *' :mod:usb-storage
is_lines 'a list of modules' '+ glob loop,snd_* *' ':mod:loop,snd-*'
is_lines 'a list of modules with a gap' 'status 2' 'a:mod:loop,,x'
is_lines 'a glob of modules' '+ glob snd_* *' ':mod:snd_*'
is_lines 'a dot and a dollar are part of names' "+ glob - foo.isra.0${nl}+ glob - \$x" 'foo.isra.0 $x'
is_lines 'a set' '+ glob - vfs_[rw]*' 'vfs_[rw]*'
is_lines 'a negated set' '+ glob - [!a]*' '[!a]*'

# What one awk reads otherwise than another, or with a warning of its own
for text in 'a\tb' '\w' 'a{1}b' '\x76fs' '^vfs_(read' '+' '[[:alpha:]]'; do
	lib functions -- ft_check_patterns "/$text/"
	tap_like "regex: 2 and the reason, one line: $text" "$rc $(printf '%s\n' "$err" | grep -c .) $err" \
		'^2 1 tool: not a regular expression that every awk reads alike: '
done

### @FILE

cat >"$T/list" <<'END'
# a comment
vfs_read

lo_open [loop]
  b   c
!d*
/^e/
END
printf 'last' >>"$T/list"
want="+ glob - vfs_read
+ glob loop lo_open
+ glob - b
+ glob - c
- glob - d*
+ regex - ^e
+ glob - last"
is_lines '@FILE: one a line, comments, blanks, no last newline' "$want" "@$T/list"
printf '@other\n' >"$T/list2"
is_lines '@FILE: no lists of lists' 'status 2' "@$T/list2"
lib functions -- ft_check_patterns "@$T/none"
tap_like '@FILE: one that cannot be read' "$rc $err" '^1 tool: cannot read /.*/none$'
printf 'vfs_read\r\n' >"$T/list3"
lines "@$T/list3"
unlike '@FILE: a carriage return is no part of a name' "$out" "$(printf '\r')"

### K66: hostile text: refused or as it is, never expanded, never run

ran=$T/ran
for text in '$(touch '"$ran"')' '`touch '"$ran"'`' ";touch $ran" "a;b" 'a|b' 'a&b' 'a>b' '"a"' "'a'" 'a\b' '~' '{a,b}' 'a=b' '%s%n'; do
	lines "$text"
	case $out in
	'status 2') tap_result 0 "K66: refused: $text" ;;
	*) tap_is "K66: as it is: $text" "$out" "$(for word in $text; do printf '+ glob - %s\n' "$word"; done)" ;;
	esac
done
tap_ok 'K66: nothing was run' test ! -e "$ran"
is_lines 'K66: a leading dash is a letter' '+ glob - -n' '-n'
long=a
while [ ${#long} -lt 10000 ]; do long=$long$long; done
is_lines 'K66: 10,000 characters' "+ glob - $long" "$long"
is_lines 'K66: a module that is none' 'status 2' 'a:mod:$(id)'
is_lines 'K66: an empty module' 'status 2' 'a:mod:'
is_lines 'K66: / alone' 'status 2' '/'
lib functions -- ft_check_patterns ''
tap_is 'an empty pattern: 2' "$rc" 2
lib functions -- ft_check_patterns ' '
tap_is 'a blank pattern: 2' "$rc" 2
lib functions -- ft_check_patterns
tap_is 'no pattern: 2' "$rc" 2
lib functions -- ft_check_patterns "$tab"
if [ "$rc" = 0 ]; then lib functions -- ft_pattern_lines "$tab"; fi
tap_is 'only white space is no pattern' "$rc$out" 2
lib functions -- ft_check_patterns '!a'
tap_is 'only left out: 2' "$rc" 2

### what goes to the kernel as it is

words() { # ARG...: ft_native_words of the lines
	ft_native_words "$(ft_pattern_lines "$@")" || echo "status $?"
	printf '%s' "$ft_words"
}
gives words 'native: a name' vfs_read vfs_read
gives words 'native: :mod:' :mod:modx :mod:modx
gives words 'native: *:mod: is the same' :mod:modx '*:mod:modx'
gives words 'native: a glob of a module keeps its star' 'b*:mod:modx' 'b*:mod:modx'
gives words 'native: MODULE:FUNC' bar:mod:modx modx:bar
gives words 'native: left out comes after' "a*${nl}!ab" 'a*' '!ab'
lib functions -- words '/a/'
tap_is 'a regex is not for the kernel' "$out" 'status 1'
lib functions -- words '!a' b
tap_like 'nothing is left out of nothing' "$out" '^status 1'
lib functions -- words 'a:mod:m*'
tap_like 'a glob of modules is not for every kernel' "$out" '^status 1'
lib functions -- words 'a:mod:m,n'
tap_like 'nor is a list of them' "$out" '^status 1'

### modules

printf 'loop 49152 0 - Live 0x0\nusb_storage 1 0 - Live 0x0\n' >"$T/proc/modules"
check() {
	ft_check_modules "$(ft_pattern_lines "$@")" && echo good
}
lib functions -- check :mod:loop usb-storage:x
tap_is 'modules that are loaded' "$out" good
lib functions -- check :mod:loo
tap_like 'K42: a module that is not: 7, with the close one' "$rc $err" "^7 .*no module 'loo' is loaded.* Close: loop"
lib functions -- check 'x:mod:loop,usb-storage'
tap_is 'a list of modules that are loaded' "$out" good
lib functions -- check 'x:mod:loop,nosuch'
tap_like 'a list with one that is not' "$rc $err" "^7 .*no module 'nosuch' is loaded"
lib functions -- check ':mod:nosuch*'
tap_is 'a glob of modules is not checked by name' "$out" good
rm "$T/proc/modules"
lib functions -- check :mod:loop
tap_like 'no modules at all: CONFIG_MODULES' "$rc $err" '^7 tool: .*CONFIG_MODULES'
loaded() {
	ft_module_loaded "$1" && echo yes
}
printf 'loop 1\n' >"$T/proc/modules"
lib functions -- loaded loop
tap_is 'ft_module_loaded' "$out" yes
lib functions -- loaded lo
tap_is 'ft_module_loaded: the whole name' "$out" ''

### small ones

lib functions -- ft_underscores a-b-c
tap_is 'ft_underscores' "$out" a_b_c
lib functions -- ft_underscores -
tap_is 'ft_underscores: the mark for none' "$out" -
lib functions -- ft_commas ' a b  c'
tap_is 'ft_commas' "$out" 'a, b, c'
text() {
	ft_nfunc=$1
	ft_functions_text
}
lib functions -- text 1
tap_is 'ft_functions_text: one' "$out" '1 function'
lib functions -- text 45
tap_is 'ft_functions_text: more' "$out" '45 functions'

### waiting for a module that comes before we look

wait_late() { # loaded by the time the filter is set: its functions are in it, and no ":mod:" is left
	ft_session_begin function
	ft_trace_off
	modules=' loop'
	patterns=:mod:loop
	ft_wait_filter
	grep -c '\[loop\]' "$ft_dir/set_ftrace_filter"
}
fake 7
lib functions events module -- wait_late
tap_is 'a module that came meanwhile is no kernel that cannot wait' "$rc $err" '0 '
tap_is 'and its functions are in the filter' "$out" "$(grep -c '\[loop\]' "$TRACEFS/available_filter_functions")"

### what grep can look for before awk has to

sought() {
	FT_TRACEFS=$T/sought
	ft_parse_patterns "$@"
	ft_fixed_parts
	printf '%s\n' "$ft_sought"
}
mkdir -p "$T/sought/instances"
gives sought 'a name: itself' vfs_raed vfs_raed
gives sought 'a glob: what it begins with' vfs_ 'vfs_*d'
gives sought 'one of two letters' ab ab
gives sought 'several, one left out' "vfs_raed${nl}read_" vfs_raed 'read_[zn]*' '!read_null'
gives sought 'a module: its bracket' '[' 'loop:lo_*'
gives sought 'a regex of a module as well' '[' '/ioctl/:mod:loop'
gives sought 'a regex: nothing' '' vfs_read '/^vfs/'
gives sought 'a glob without a beginning: nothing' '' vfs_read '*read'
gives sought 'a letter alone: nothing' '' 'v*'
names=$(awk 'BEGIN { for (i = 1; i <= 99; i++) print "f" i "_*" }')
gives sought '99 globs' "$(printf '%s\n' "$names" | tr -d '*')" "$names"
gives sought 'a list that is longer: nothing, for each is another search' '' "$names" "$(awk 'BEGIN { for (i = 1; i <= 99; i++) print "g" i "_*" }')"
rmdir "$T/sought/instances"
gives sought 'a module, on a kernel whose list may name none: nothing' '' :mod:loop
gives sought 'a name there' vfs_read vfs_read

tap_done
