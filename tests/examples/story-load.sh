# shellcheck shell=sh
# story-load.sh - a module takes long to load
# SPDX-License-Identifier: GPL-2.0-only

title 'A module that misbehaves at load'
cat >rc.modules <<-'END'
	# what this board needs
	insmod /modules/dummy.ko numdummies=200
END
say 'Booting stops for a while where a module is loaded, and nothing is printed. A module can be traced before it is there: modtrace waits for it and has its very first function. The boot script of this board is rc.modules.'
at_end 'unload dummy'
(
	sleep 5
	ash rc.modules
) &
loading=$!
lines=16 live 20 modtrace -w dummy
wait "$loading"
say 'The same few functions, over and over. How often?'
unload dummy
(
	sleep 5
	ash rc.modules
) &
loading=$!
lines=12 live 20 modtrace -c -w dummy
wait "$loading"
say 'dummy_setup runs once for each network device that is made: two hundred of them. Who wants so many?'
show grep -n dummy rc.modules
unload dummy
say 'Somebody once did, for a test. And what does one device cost? A graph of the init function shows the time of each; with the number mended it is gone.'
echo 'insmod /modules/dummy.ko numdummies=3' >rc.modules
(
	sleep 5
	ash rc.modules
) &
loading=$!
lines=14 live 15 modtrace -g -w dummy
wait "$loading"
