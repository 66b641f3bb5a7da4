# Makefile - fieldtrace
# SPDX-License-Identifier: GPL-2.0-only
.POSIX:

TOOL =
CROSS_COMPILE =

all: helper

# The C helper; the commands themselves need no building.
helper:
	$(MAKE) -C helper helper CROSS_COMPILE=$(CROSS_COMPILE)

helper-static:
	$(MAKE) -C helper helper-static

# A real kernel in QEMU, and the toolkit at work in it. SHELL_ONLY=1: a shell there instead.
demo:
	@SHELL_ONLY=$(SHELL_ONLY) tests/demo/run.sh

# Everything: installs what it needs when run as root, else says what to install.
test:
	@tests/deps.sh && tests/run.sh

lint:
	@tests/lint/lint.sh

unit:
	@tests/unit/run.sh

vm:
	@tests/deps.sh && tests/vm/run.sh

# One self-contained file, to be pasted or fetched onto a target: make bundle TOOL=funccount >funccount
bundle:
	@tools/bundle.sh "$(TOOL)"

clean:
	$(MAKE) -C helper clean

.PHONY: all helper helper-static demo test lint unit vm bundle clean
