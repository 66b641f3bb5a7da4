# module.sh - from module names to patterns, and waiting for a module
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: ft_module_patterns, ft_wait_filter (of $modules and $patterns). Reads /proc/modules; writes set_ftrace_filter of the
# session's folder.

# What the functions here set, empty until then: the environment may have variables of these names.
modules=

ft_module_patterns() { # ARG... -> $modules (names) and $patterns (one a line, for ft_filter)
	# The first word is a module; a later one is a module if it is loaded, else it narrows the choice.
	local narrow='' name word chosen any

	modules=
	patterns=
	for word; do
		name=$(ft_underscores "$word")
		case $name in
		'' | *[!A-Za-z0-9_]*) ;;
		*)
			if [ -z "$modules" ] || ft_module_loaded "$name"; then
				modules="$modules $name"
				continue
			fi
			;;
		esac
		if [ -z "$modules" ]; then ft_usage_error "'$word' is no module name; the module comes first"; fi
		case $word in
		@*) ft_usage_error "$word: a list does not narrow a module; give it to functrace or funccount" ;;
		esac
		narrow="$narrow $word"
	done
	any=
	set -f
	for name in $modules; do any=$any${any:+,}$name; done
	chosen=
	for word in $narrow; do
		case $word in
		!*) ;;
		*)
			chosen=1
			# In any of the modules: it need not match in each.
			ft_add_pattern "$word:mod:$any"
			;;
		esac
	done
	if [ -z "$chosen" ]; then
		for name in $modules; do ft_add_pattern ":mod:$name"; done
	fi
	for word in $narrow; do
		case $word in
		!*) ft_add_pattern "$word" ;;
		esac
	done
	set +f
}

ft_add_pattern() { # PATTERN
	patterns="$patterns${patterns:+
}$1"
}

ft_wait_filter() {
	# A filter for modules that are not loaded yet. The kernel keeps ":mod:NAME" and applies it as the
	# module loads (4.13 up), but until then the list is empty, and an empty list traces everything: so
	# a function that runs only as the machine goes down stands in.
	local name list

	for name in kernel_halt kernel_power_off machine_halt machine_power_off kernel_restart ''; do
		if [ -n "$name" ] && ft_set set_ftrace_filter "$name"; then break; fi
	done
	if [ -z "$name" ]; then ft_die "$FT_EX_KERNEL" 'no function found to keep the filter closed until the module loads'; fi
	set -f
	for name in $patterns; do
		case $name in
		:mod:* | [!!]*:mod:*) ;;
		*) ft_usage_error "'$name' cannot be left out of a module that is not loaded yet" ;;
		esac
		case $name in
		/*) ft_usage_error "'$name': a regex cannot wait for a module; use a glob" ;;
		esac
		list=${name##*:mod:},
		while [ -n "$list" ]; do
			if ! ft_append "$ft_dir/set_ftrace_filter" "${name%:mod:*}:mod:${list%%,*}"; then
				ft_die "$FT_EX_KERNEL" "this kernel cannot wait for a module (4.13 up); load it first"
			fi
			list=${list#*,}
		done
	done
	set +f
	# Before 4.13 such a line is refused, or (before 2.6.33) accepted and forgotten. It is gone as well once its module
	# has come, which may be before we look.
	if ! grep -q ':mod:' "$ft_dir/set_ftrace_filter"; then
		for name in $modules; do # no glob: letters, digits and _
			if ! ft_module_loaded "$name"; then
				ft_die "$FT_EX_KERNEL" "this kernel cannot wait for a module (4.13 up); load it first"
			fi
		done
	fi
	ft_nfunc=0
	ft_way=waiting
}
