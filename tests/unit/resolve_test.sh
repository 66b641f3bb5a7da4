# shellcheck shell=sh
# resolve_test.sh - resolve.awk and symbol_copies.awk: patterns to indexes and names, on recorded lists
# SPDX-License-Identifier: GPL-2.0-only
# runs: awks
# shellcheck disable=SC2016 # a $ in a name

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

D=$UNIT/data

resolved() { # LIST SYMS FORCE WANT PATTERN_LINE...: what resolve.awk says, with "index" and "names" as two views of its list
	local list="$1" syms="$2" force="$3" want="$4"

	shift 4
	if [ "$want" = index ]; then want=filter; fi
	{
		for line; do printf '%s\n' "$line"; done
		echo --
	} | awk_lib resolve -v want="$want" -v syms="$syms" -v force="$force" - "$list" | grep -v -e '^--$' -e '^f '
}

resolve() { # KEY WANT PATTERN_LINE...
	local key="$1"

	shift
	resolved "$D/$key/available_filter_functions" '' '' "$@"
}

line_of() { # KEY NAME [MODULE]: the first line number of exactly that entry
	grep -n -x -F -e "$2${3:+ [$3]}" "$D/$1/available_filter_functions" | head -n 1 | cut -d : -f 1
}

closest() { # LIST NAME
	awk_lib close -v text="$2" "$1"
}

for key in 5.10 6.1 6.12 7; do
	list=$D/$key/available_filter_functions
	want=$(line_of "$key" vfs_read)
	tap_is "$key: an index is the line number" "$(resolve "$key" index '+ glob - vfs_read')" "n 1${nl}i $want"
	n=$(grep -c '^vfs_' "$list")
	tap_is "$key: a glob takes all that begin so" "$(resolve "$key" index '+ glob - vfs_*' | sed -n 's/^n //p')" "$n"
	n=$(grep -c '\[loop\]' "$list")
	tap_is "$key: a module's functions" "$(resolve "$key" names '+ glob loop *' | grep -c ' \[loop\]$')" "$n"
	tap_is "$key: and nothing else" "$(resolve "$key" names '+ glob loop *' | grep -vc '\[loop\]$')" 1
	tap_is "$key: MODULE:FUNC" "$(resolve "$key" names '+ glob loop lo_release')" "n 1${nl}lo_release [loop]"
	tap_is "$key: another module does not have it" "$(resolve "$key" names '+ glob dummy lo_release' | head -n 1)" '? lo_release:mod:dummy'
	tap_is "$key: a regex is not anchored" "$(resolve "$key" names '+ regex - ^vfs_(read|write)$' | sed -n 's/^n //p')" 2
	tap_is "$key: left out, whatever the order" \
		"$(resolve "$key" names '- glob - vfs_*' '+ glob - vfs_*' '+ glob - kernel_clone')" "n 1${nl}kernel_clone"
	tap_is "$key: left out of one module only" \
		"$(resolve "$key" names '+ glob - vfs_read' '+ glob loop lo_release' '- glob loop *')" "n 1${nl}vfs_read"
	n=$(grep -vc "^__ftrace_invalid_address___" "$list")
	tap_is "$key: * takes no placeholder of a dropped function" "$(resolve "$key" names '+ glob - *' | sed -n 's/^n //p')" "$((n))"
	unlike "$key: and lists none" "$(resolve "$key" names '+ glob - *')" '__ftrace_invalid'
	# A listing for "@FILE" goes to file descriptor 3, apart from what is said about it.
	resolve "$key" listing '+ glob loop lo_*' 3>"$T/fd3" >"$T/said"
	tap_is "$key: the listing on descriptor 3" "$(cat "$T/fd3")" "$(grep '^lo_.*\[loop\]$' "$list")"
	tap_is "$key: and only there" "$(cat "$T/said")" "n $(grep -c '^lo_.*\[loop\]$' "$list")"
	# A name that two functions have is two entries, and both are meant.
	dup=$(awk '$1 !~ /^__ftrace/ { print $1 }' "$list" | sort | uniq -d | head -n 1)
	n=$(awk -v dup="$dup" '$1 == dup' "$list" | wc -l)
	tap_is "$key: $dup is there $((n)) times, all taken" "$(resolve "$key" names "+ glob - $dup" | sed -n 's/^n //p')" "$((n))"
	out=$(resolve "$key" names '+ glob - vfs_raed')
	tap_is "$key: a slip of the pen is a miss" "${out%%"$nl"*}" '? vfs_raed'
	tap_like "$key: and the close names begin with the nearest" "$(closest "$list" vfs_raed)" '^ vfs_read( |$)'
	tap_like "$key: the first letter may be the wrong one" "$(closest "$list" bfs_read)" '^ vfs_read( |$)'
	tap_is "$key: nothing is close" "$(closest "$list" __nosuch_xyz)" ''
done

# The numbers must not depend on the placeholders in between: they are lines of the file.
tap_like '6.1: placeholders stand before what was asked' "$(head -n "$(line_of 6.1 vfs_read)" "$D/6.1/available_filter_functions")" '^__ftrace_invalid'

cat >"$T/list" <<'END'
alpha
foo.isra.0
one.part.0
one.isra.0
one.constprop.0 [modx]
exact
exact.cold
bar [modx]
bar
END

small() { # WANT PATTERN_LINE...
	resolved "$T/list" '' '' "$@"
}

tap_is 'K41: one compiler variant is taken, and told' "$(small index '+ glob - foo')" "= foo foo.isra.0${nl}n 1${nl}i 2"
tap_is 'K41: several are listed, none taken' "$(small index '+ glob - one')" \
	"~ one one.part.0 one.isra.0 one.constprop.0${nl}n 0"
tap_is 'K41: a glob takes them all' "$(small index '+ glob - one*')" "n 3${nl}i 3 4 5"
tap_is 'K41: an exact name wins over its variants' "$(small index '+ glob - exact')" "n 1${nl}i 6"
tap_is 'a variant by its full name' "$(small names '+ glob - foo.isra.0')" "n 1${nl}foo.isra.0"
tap_is 'a dot in a glob is a dot' "$(small names '+ glob - exact?cold')" "n 1${nl}exact.cold"
tap_is 'K42: bar: the kernel'\''s and the module'\''s' "$(small index '+ glob - bar')" "n 2${nl}i 8 9"
tap_is 'K42: bar of modx' "$(small index '+ glob modx bar')" "n 1${nl}i 8"
tap_is 'a variant asked for in a module' "$(small names '+ glob modx one')" "= one one.constprop.0${nl}n 1${nl}one.constprop.0 [modx]"
tap_is 'a variant of another module does not count' "$(small names '+ glob mody one' | head -n 1)" '? one:mod:mody'
tap_is 'a variant that is left out' "$(small names '+ glob - foo' '- glob - foo*')" "= foo foo.isra.0${nl}n 0"
tap_is 'a set' "$(small names '+ glob - [ab]*')" "n 3${nl}alpha${nl}bar [modx]${nl}bar"
tap_is 'a set, negated' "$(small names '+ glob - [!abfo]*')" "n 2${nl}exact${nl}exact.cold"
tap_is 'twice the same is once' "$(small index '+ glob - alpha' '+ glob - al*')" "n 1${nl}i 1"
tap_is 'regex and module' "$(small names '+ regex modx ^b')" "n 1${nl}bar [modx]"
tap_is 'several modules: it need not match in each' "$(small names '+ regex nosuch,modx ^b')" "n 1${nl}bar [modx]"
tap_is 'several modules, one by a glob' "$(small names '+ glob nosuch,mod?* bar')" "n 1${nl}bar [modx]"
tap_is 'several modules: a name in none of them' "$(small names '+ regex mody,modx ^alpha$' | head -n 1)" '? /^alpha$/:mod:mody,modx'
tap_is 'two misses, both told' "$(small names '+ glob - zzz' '+ glob - yyy' | grep -c '^?')" 2
tap_is 'K69 a bracket in a pattern' "$(small names '+ glob - [')" "? [${nl}n 0"
tap_is 'K71: no index begins with 0' "$(resolve 6.1 index '+ glob - *' | grep '^i' | grep -c ' 0')" 0

# One rule for what the compiler added
printf '%s\n' thin.llvm.1234 'hash$a1b2c3' cp.constprop.0 cp.constprop.0.cold only.cold both.cold both.isra.0 '$x' >"$T/list"
tap_is 'variant: foo.llvm.123' "$(small names '+ glob - thin')" "= thin thin.llvm.1234${nl}n 1${nl}thin.llvm.1234"
tap_is 'variant: foo$HASH' "$(small names '+ glob - hash')" "= hash hash\$a1b2c3${nl}n 1${nl}hash\$a1b2c3"
tap_is 'variant: a part of it that is cold is none beside it' "$(small names '+ glob - cp')" "= cp cp.constprop.0${nl}n 1${nl}cp.constprop.0"
tap_is 'variant: alone it is one' "$(small names '+ glob - only')" "= only only.cold${nl}n 1${nl}only.cold"
tap_is 'variant: whichever comes first' "$(small names '+ glob - both')" "= both both.isra.0${nl}n 1${nl}both.isra.0"

# Close names: what begins with the wrong one, shortest first; then the nearest
printf '%s\n' bio_alloc_clone bio_alloc_bioset bio_kmalloc inet_csk_accept inet_csk_acceptor bio_alloc_clone >"$T/list"
tap_is 'close: names that begin with it come first' "$(closest "$T/list" bio_alloc)" ' bio_alloc_clone bio_alloc_bioset'
tap_is 'close: a first letter' "$(closest "$T/list" tnet_csk_accept)" ' inet_csk_accept inet_csk_acceptor'
printf '%s\n' 'ff00 t vfs_read	[m]' 'ff01 d vfs_reed' >"$T/syms"
tap_is 'close: in kallsyms, functions only' "$(awk_lib close -v text=vfs_raed -v symbols=1 "$T/syms")" ' vfs_read'

# Where there is no list of traceable functions, kallsyms is the list
printf '%s\n' 'ff00 T vfs_read' 'ff01 t vfs_write' 'ff02 d vfs_data' 'ff03 t $x' 'ff04 t vfs_mod	[m]' 'ff05 t vfs_bpf	[bpf]' >"$T/syms"
tap_is 'symbols: text only, with modules' \
	"$(printf '%s\n' '+ glob - vfs_*' -- | awk_lib resolve -v want=names -v symbols=1 - "$T/syms" | tr '\n' ';')" \
	'n 3;--;vfs_read;vfs_write;vfs_mod [m];'

### the way of kernels whose list says no modules: kallsyms tells

sed 's/ \[.*//' "$D/5.10/available_filter_functions" >"$T/bare"
by_syms() { # PATTERN_LINE...
	resolved "$T/bare" "$T/syms" '' names "$@"
}

cp "$D/5.10/kallsyms" "$T/syms"
awk '{ print $3 }' "$T/syms" >"$T/names"
n=$(grep '\[loop\]' "$D/5.10/available_filter_functions" | cut -d ' ' -f 1 | grep -c -x -F -f "$T/names")
tap_is 'kallsyms way: the module'\''s functions' "$(by_syms '+ glob loop *' | grep -c ' \[loop\]$')" "$n"
tap_is 'kallsyms way: a function of the kernel' "$(by_syms '+ glob - vfs_read')" "n 1${nl}vfs_read"
tap_is 'kallsyms way: it says where the modules come from' "$(by_syms '+ glob loop lo_release')" "n 1${nl}k${nl}lo_release [loop]"
tap_like 'kallsyms way: data symbols of the module are none' "$(cat "$T/syms")" ' [bdBD] .*\[loop\]'
cat >"$T/syms" <<'END'
ffffffffc0000000 t alpha	[__builtin__kprobes]
ffffffffc0000000 t exact	[bpf]
ffffffffc0000000 t bar	[__builtin__ftrace]
ffffffffc0000000 t foo.isra.0	[modx]
ffffffffc0000000 d one.part.0	[modx]
END
printf '%s\n' alpha exact bar foo.isra.0 one.part.0 >"$T/bare"
tap_is 'K69: brackets that are no module' "$(by_syms '+ glob modx *')" "n 1${nl}k${nl}foo.isra.0 [modx]"
tap_is 'K69: bpf is none' "$(by_syms '+ glob bpf *' | head -n 1)" '? *:mod:bpf'
: >"$T/syms"
printf '%s\n' alpha >"$T/bare"
tap_is 'kallsyms way: an empty kallsyms' "$(by_syms '+ glob - alpha' '+ glob modx *')" "? *:mod:modx${nl}n 1${nl}k${nl}alpha"

### globs: fewer words, and exactly the same functions

words() { # LIST SYMS PATTERN_LINE...: the words of "globs", one a line
	local list="$1" syms="$2"

	shift 2
	{
		for line; do printf '%s\n' "$line"; done
		echo --
	} | awk_lib resolve -v want=globs -v syms="$syms" - "$list" | sed -n 's/^f //p' | tr ' ' '\n'
}

taken() { # LIST: the names that the words on stdin take, as the kernel reads them: a name, or a beginning and a star
	awk 'FNR == NR { if (sub(/[*]$/, "")) front[$1] = length($1); else name[$1] = 1; next }
		{ hit = $1 in name; for (p in front) if (substr($1, 1, front[p]) == p) hit = 1; if (hit) print $1 }' - "$1" | sort -u
}

same_functions() { # TEXT LIST SYMS MOST PATTERN_LINE...: the words take what "names" lists, and are at most so many
	local text="$1" list="$2" syms="$3" most="$4" got

	shift 4
	got=$(words "$list" "$syms" "$@")
	tap_is "globs: $text" "$(printf '%s\n' "$got" | taken "$list")" \
		"$(resolved "$list" "$syms" '' names "$@" | sed -n '/^. /d; /^k$/d; s/ .*//; p' | sort -u)"
	tap_ok "globs: $text: at most $most words" test "$(printf '%s\n' "$got" | grep -c .)" -le "$most"
}

for key in 5.10 6.1 6.12 7; do
	list=$D/$key/available_filter_functions
	same_functions "$key: a module" "$list" '' 8 '+ glob loop *'
	same_functions "$key: a glob" "$list" '' 1 '+ glob - vfs_*'
	same_functions "$key: a part of one" "$list" '' 999 '+ regex - ^vfs_.*[dk]$' '+ glob - tcp_*' '- glob - tcp_v4*'
done
cat >"$T/list" <<'END'
a_b_one
a_b_two
a_c [m]
a_b
__x_one [m]
__x_two [m]
___
_
b_
twice_one [m]
twice_one
twice_two [m]
n_o [m]
END
same_functions 'odd names' "$T/list" '' 99 '+ glob m *'
tap_is 'globs: which' "$(words "$T/list" '' '+ glob m *' | tr '\n' ' ')" 'a_c __x_* twice_* n_o '
tap_is 'globs: a name alone stays one' "$(words "$T/list" '' '+ glob - a_b')" a_b
tap_is 'globs: the longer prefix where the shorter is foreign' "$(words "$T/list" '' '+ regex - ^a_b_')" 'a_b_*'
sed 's/ \[.*//' "$D/5.10/available_filter_functions" >"$T/bare"
same_functions 'modules from kallsyms' "$T/bare" "$D/5.10/kallsyms" 999 '+ glob loop *'

### symbol_copies.awk

copies() { # SYMBOL FILE
	awk_lib symbol_copies -v symbol="$1" "$2"
}
cat >"$T/syms" <<'END'
ffffffff81000010 t dup
ffffffff81000020 T dup
ffffffff81000030 d dup
ffffffffc0000030 t dup	[modx]
0000000000000000 t hid
END
tap_is 'K48: every copy with its address' "$(copies dup "$T/syms")" ' 0xffffffff81000010, 0xffffffff81000020, 0xffffffffc0000030 [modx]'
tap_is 'K57: a hidden address is said to be hidden' "$(copies hid "$T/syms")" ' address hidden (kptr_restrict)'
tap_is 'none' "$(copies none "$T/syms")" ''
tap_is 'recorded: once' "$(copies vfs_read "$D/6.1/kallsyms" | grep -c '^ 0xffffffff[0-9a-f]*$')" 1

tap_done
