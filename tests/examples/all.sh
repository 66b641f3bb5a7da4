# shellcheck shell=sh
# all.sh NAME... - in the guest: these sessions, each between its marks
# SPDX-License-Identifier: GPL-2.0-only

PATH=/ft/bin:$PATH
export PATH
for name; do
	# A session that goes on after a reset goes on in its file.
	echo "=== begin $name"
	rm -rf "/tmp/$name" && mkdir -p "/tmp/$name" && cd "/tmp/$name" || exit
	# shellcheck disable=SC2016 # for that shell
	if R=/tmp/$name T=/tmp/$name ash -eu -c '. /tests/vm/guest/lib.sh; . /tests/examples/lib.sh; . "/tests/examples/$0.sh"' "$name"; then
		echo "=== end $name"
	else
		echo "failed: status $?"
		echo '=== failed'
	fi
	if [ -s "/tmp/$name/at_end" ]; then R=/tmp/$name T=/tmp/$name ash /tests/vm/guest/case.sh undo; fi
	cd /
done
