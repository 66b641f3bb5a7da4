# damage.awk - what damage.sh does to an image, by a seed
# SPDX-License-Identifier: GPL-2.0-only
# -v seed= -v size= bytes, -v base= of these in front of the region: lines WHAT AT LENGTH, one to three kinds of damage. -v n=: so many bytes of noise instead; -v pick=1
# -v names= -v n=: the n-th of a shuffled choice of the names.

function random(below) {
	x = x * 16807 % 2147483647
	return x % below
}

function damage(kind,    i, n) {
	if (kind == 0) { # single pages
		n = 1 + random(4)
		for (i = 0; i < n; i++)
			print "page", random(int(size / 4096)), 1
	} else if (kind == 1) { # a good part of it, as a boot loader would
		n = 1 + random(int(size / 4096) - 1)
		print "page", random(int(size / 4096) - n), n
	} else if (kind == 2) { # the beginning of a page, where headers are
		print "zero", base + 4096 * random(int((size - base) / 4096)), 8 + random(56)
	} else if (kind == 3) { # the first bytes of all
		print "zero", base + random(48), 1 + random(16)
	} else if (kind == 4) { # somebody else's data
		print "bytes", random(size - 4096), 1 + random(4096)
	} else if (kind == 5) {
		print "cut", 4096 + random(size - 4096), 0
	} else { # noise in the header: elsewhere in a ring, where nothing has a checksum, a byte or two cannot be told
		print "bytes", base + random(256), 1 + random(2)
	}
}

BEGIN {
	x = seed % 2147483646 + 1
	for (i = 0; i < 5; i++)
		random(2)
	if (pick) {
		count = split(names, name, " ")
		print name[(n + random(count)) % count + 1]
	} else if (n) {
		for (i = 0; i < n; i++)
			printf "%c", 1 + random(255)
	} else {
		for (i = random(3); i >= 0; i--)
			damage(random(7))
	}
}
