// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbols.c - names from a /proc/kallsyms and /proc/modules, saved or present
 *
 * A symbol costs 20 bytes and its name. kallsyms comes as two runs: the kernel
 * in order of address, then modules in any order. Only the second is sorted;
 * a look-up searches both, so nothing has to be merged.
 *
 * Addresses of another boot of the same kernel are moved first: the kernel's
 * by one distance, found from a symbol whose old address the region holds,
 * each module's by the distance of its base.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "tracemem.h"

#define NO_FUNCTION	(1u << 20)	/* farther from its symbol than any function is long */
#define CACHE		16384u

static struct symbol *syms;
static u32 nsym, room_sym, split;	/* split: where the second run begins */
static u32 *bucket;			/* first run: first symbol at or above low + (i << shift) */
static u32 nbucket, shift;
static char *names;
static u32 nname, room_name;
static struct module *mods;
static u32 nmod, room_mod;
static struct oldmod *given;		/* --old-modules */
static u32 ngiven, room_given;
static struct oldmod *moved;		/* of the trace, or given */
static u32 nmoved;
static bool overlap;
static u64 text_low, text_end;		/* kernel text here; end 0 = unknown */
static u64 last_core;			/* greatest address of a kernel symbol */
static u64 sym_text;			/* _text, of whatever type */
static u64 delta;			/* here - there */
static const char *state = "none";
static bool thumb, loaded;
static const char *symbols_build;	/* uname -v of the kernel of the symbols, NULL = not told */
static bool anyway;			/* names although they may be of another kernel */
static bool refused, unsure;
static u32 entry_off;			/* where in a function the tracer is called; */
static bool entry_known;		/* the same in all of them */

static struct {
	u64 addr;
	struct named n;
	bool used;
} cache[CACHE];

/* --- reading lines without holding the file ---------------------------------- */
struct lines {
	int fd;
	size_t at, have;
	const char *path;
	char buf[65536];
};

static struct lines in;

static void lines_open(const char *path)
{
	in.fd = open_read(path);
	in.at = in.have = 0;
	in.path = path;
}

/* The next line without its newline, or NULL. A line longer than the buffer is cut in two. */
static char *lines_next(void)
{
	for (;;) {
		char *start = in.buf + in.at;
		char *end = memchr(start, '\n', in.have - in.at);
		long n;

		if (end) {
			*end = 0;
			in.at = (size_t)(end - in.buf) + 1;
			return start;
		}
		memmove(in.buf, start, in.have - in.at);
		in.have -= in.at;
		in.at = 0;
		if (in.have == sizeof(in.buf) - 1)
			n = 0;
		else
			n = read_some(in.fd, in.buf + in.have, sizeof(in.buf) - 1 - in.have);
		if (n < 0)
			die_file("read", in.path);
		if (n) {
			in.have += (size_t)n;
			continue;
		}
		if (!in.have) {
			if (in.fd)
				close(in.fd);
			return NULL;
		}
		in.buf[in.have] = 0;
		in.have = 0;
		return in.buf;
	}
}

/* --- tables -------------------------------------------------------------------- */
static void *more_room(void *table, u32 n, u32 *room, size_t item)
{
	if (n < *room)
		return table;
	if (*room >= 1u << 26)
		die(EX_FAIL, "too many symbols", NULL);
	*room = *room ? *room * 2 : 256;
	return mem_grow(table, *room * item);
}

static struct module *module_named(const char *name, bool make)
{
	static u32 last;

	if (last < nmod && !strcmp(mods[last].name, name))
		return &mods[last];
	for (last = 0; last < nmod; last++)
		if (!strcmp(mods[last].name, name))
			return &mods[last];
	if (!make)
		return NULL;
	if (nmod == UINT16_MAX - 1)
		die(EX_FAIL, "too many modules", NULL);
	mods = more_room(mods, nmod, &room_mod, sizeof(*mods));
	memset(&mods[nmod], 0, sizeof(*mods));
	copy_text(mods[nmod].name, NAME_LEN, name, strlen(name));
	last = nmod;
	return &mods[nmod++];
}

static void add_symbol(u64 addr, char type, const char *name, size_t len, const char *mod)
{
	struct symbol *s;

	if (*name == '.' && len > 1) {	/* PowerPC64 ELFv1: .name is the code of name */
		name++;
		len--;
	}
	if (len > 511)
		len = 511;
	while (room_name - nname < len + 1) {
		room_name = room_name ? room_name * 2 : 65536;
		if (room_name > 1u << 30)
			die(EX_FAIL, "too many symbols", NULL);
		names = mem_grow(names, room_name);
	}
	syms = more_room(syms, nsym, &room_sym, sizeof(*syms));
	s = &syms[nsym++];
	s->addr = addr;
	s->name = nname;
	s->len = (u8)(len < 255 ? len : 255);
	s->type = type;
	s->mod = 0;
	if (mod) {
		struct module *m = module_named(mod, true);

		s->mod = (u16)(m - mods + 1);
		if (!m->low || addr < m->low)
			m->low = addr;
	} else if (addr > last_core) {
		last_core = addr;
	}
	memcpy(names + nname, name, len);
	names[nname + len] = 0;
	nname += (u32)len + 1;
}

/* Symbols that say where the kernel's text is, of whatever type they are. */
static void landmark(u64 addr, const char *name)
{
	if (!strcmp(name, "_text"))
		sym_text = addr;
	if ((!strcmp(name, "_text") || !strcmp(name, "_stext")) && (!text_low || addr < text_low))
		text_low = addr;
	if ((!strcmp(name, "_etext") || !strcmp(name, "_einittext") || !strcmp(name, "_end")) &&
	    addr > text_end)
		text_end = addr;
	if (!strcmp(name, "vector_swi"))	/* only 32-bit ARM has it */
		thumb = true;
}

/*
 * "ADDRESS TYPE NAME", and "\t[MODULE]" behind it for a module's. Returns the
 * address, 0 for none. By hand: this is most of the time that a decoding takes.
 */
static u64 symbol_line(char *p)
{
	char *name, *mod = NULL, type;
	size_t len;
	u64 addr = 0;
	u32 digit;

	for (; (digit = hex_digit(*p)) < 16; p++)
		addr = addr << 4 | digit;
	if (*p++ != ' ' || !(type = *p++) || *p++ != ' ')
		return 0;
	for (name = p; (u8)*p > ' ' || (*p && *p != ' ' && *p != '\t'); p++)
		;
	len = (size_t)(p - name);
	if (*p) {
		*p++ = 0;
		mod = strchr(p, '[');
	}
	if (mod) {
		mod++;
		mod[strcspn(mod, "]")] = 0;
	} else if (*name == '_' || *name == 'v') {
		landmark(addr, name);
	}
	/* labels of the assembler and of mapping, not of functions: .L12, $x */
	if (len > 1 && (*name == '$' || (*name == '.' && name[1] == 'L') || (*name == 'L' && name[1] == '0' && len > 2 && (u8)name[2] < ' ')))
		return addr;
	if (addr && len && ((type | 0x20) == 't' || (type | 0x20) == 'w'))
		add_symbol(addr, type, name, len, mod && *mod ? mod : NULL);
	return addr;
}

static int by_addr(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	/* names are stored as they come: of equal addresses the first line is the first */
	return x->name < y->name ? -1 : x->name > y->name;
}

/* About a symbol a bucket: the search in the first run then takes a step or two. */
static void fill_buckets(void)
{
	u64 low = syms[0].addr, span = syms[split - 1].addr - low;

	for (shift = 0; span >> shift > split; shift++)
		;
	nbucket = (u32)(span >> shift) + 2;
	bucket = mem_get(nbucket * sizeof(*bucket));
	for (u32 i = 0, b = 0; b < nbucket; b++) {
		while (i < split && syms[i].addr < low + ((u64)b << shift))
			i++;
		bucket[b] = i;
	}
	bucket[nbucket - 1] = split;	/* its start may be past the last address there is */
}

/* symbols_load - read a kallsyms; ends when it has no addresses */
void symbols_load(const char *path)
{
	u64 any = 0, n = 0;
	char *line;

	lines_open(path);
	while ((line = lines_next())) {
		any |= symbol_line(line);
		n++;
	}
	if (n && !any)
		die(EX_PERM, path, " has only zero addresses: read it as root, with kernel.kptr_restrict below 2", NULL);
	if (!nsym)
		die(EX_FAIL, path, ": no text symbol in it", NULL);
	/* up to the first module: modules lie far off, and would make the buckets useless */
	for (split = 1; split < nsym && !syms[split].mod && syms[split].addr >= syms[split - 1].addr; split++)
		;
	sort(syms + split, nsym - split, sizeof(*syms), by_addr);
	fill_buckets();
	loaded = true;
	state = "as they are";
}

/* symbols_there - has a kallsyms been loaded? */
bool symbols_there(void)
{
	return loaded;
}

/* "NAME SIZE USES USERS STATE ADDRESS" of /proc/modules; false when it is no such line. */
static bool module_line(const char *line, char *name, u64 *size, u64 *base)
{
	const char *p = line;

	if (!copy_word(name, NAME_LEN, p))
		return false;
	p += strcspn(p, " ");
	p += *p == ' ';
	if (!parse_u64(&p, size) || *p != ' ')
		return false;
	for (int word = 0; word < 3; word++) {
		p += *p == ' ';
		p += strcspn(p, " ");
	}
	p += *p == ' ';
	return parse_hex(&p, base);
}

/* modules_load - read a /proc/modules of the boot of the symbols, or of the traced boot (old) */
void modules_load(const char *path, bool old)
{
	u32 zeros = 0;
	char name[NAME_LEN], *line;
	u64 size, base;

	lines_open(path);
	while ((line = lines_next())) {
		if (!module_line(line, name, &size, &base))
			continue;
		if (!base) {
			zeros++;
		} else if (old) {
			given = more_room(given, ngiven, &room_given, sizeof(*given));
			memset(&given[ngiven], 0, sizeof(*given));
			memcpy(given[ngiven].name, name, NAME_LEN);
			given[ngiven].base = base;
			given[ngiven++].size = size;
		} else {
			struct module *m = module_named(name, true);

			m->base = base;
			m->size = size;
		}
	}
	if (zeros)
		warn(path, ": no addresses in it (kernel.kptr_restrict): modules may be missing", NULL);
}

/*
 * loads_load - a table of modules with their life times: NAME BASE SIZE LOADED
 * UNLOADED, base in hexadecimal, times in seconds of the trace's clock or "-"
 */
void loads_load(const char *path)
{
	char *line;

	lines_open(path);
	while ((line = lines_next())) {
		struct oldmod m;
		const char *p = line;

		memset(&m, 0, sizeof(m));
		if (!copy_word(m.name, NAME_LEN, p))
			continue;
		p += strcspn(p, " ");
		p += *p == ' ';
		if (!parse_hex(&p, &m.base) || *p++ != ' ' || !parse_u64(&p, &m.size) || *p++ != ' ' ||
		    !parse_seconds(&p, &m.since) || *p++ != ' ' || !parse_seconds(&p, &m.until) || *p)
			die(EX_FAIL, path, ": not NAME BASE SIZE LOADED UNLOADED: '", m.name, " ...'", NULL);
		given = more_room(given, ngiven, &room_given, sizeof(*given));
		given[ngiven++] = m;
	}
}

/* symbols_trust - uname -v of the kernel of the symbols (NULL: not told); anyway: names even if they may be wrong */
void symbols_trust(const char *build, bool insist)
{
	symbols_build = build;
	anyway = insist;
}

/* --- moving ------------------------------------------------------------------------ */
static u64 address_of(const char *name)
{
	if (!strcmp(name, "_text"))
		return sym_text;
	for (u32 i = 0; i < nsym && name[0]; i++)
		if (!syms[i].mod && !strcmp(names + syms[i].name, name))
			return syms[i].addr;
	return 0;
}

/* Nobody knows whether the symbols are of the traced kernel: no names, unless that was insisted on. */
static void doubt(const char *why, const char *what, const char *end)
{
	unsure = anyway;
	refused = !anyway;
	state = anyway ? "unsure" : "refused";
	warn(why, what, end, anyway ? ": names may be wrong" :
	     ": no names (--delta says how far they moved; --symbols-anyway takes them as they are)", NULL);
}

static void find_delta(const struct trace *t)
{
	u64 here = t->text_addr ? address_of(t->anchor) : 0, there = t->text_addr;

	if (!here && t->anchor2_addr) {
		here = address_of(t->anchor2);
		there = t->anchor2_addr;
	}
	if (here) {
		delta = here - there;
		state = delta ? "moved" : "same addresses";
	} else if (t->text_addr || t->anchor2_addr) {
		doubt("the symbols have no '", t->anchor[0] ? t->anchor : t->anchor2, "'");
	} else if (t->layout != FTIMAGE_PLAIN && t->layout != FTIMAGE_PSTORE) {
		doubt("the region does not say where its kernel was", "", "");
	}
}

/* Where a module is in the symbols' boot: as the modules file says, else from its lowest symbol. */
static void place_module(struct oldmod *m)
{
	const struct module *here = module_named(m->name, false);

	m->now = 0;
	if (!here)
		return;
	if (!m->size)
		m->size = here->size;
	if (here->base)
		m->now = here->base;
	else if (here->low >= m->base && here->low - m->base < (m->size ? m->size : NO_FUNCTION))
		m->now = m->base;
	else if (here->low)
		m->now = here->low & ~4095ull;
}

static u64 end_of(const struct oldmod *m)
{
	return m->base + (m->size ? m->size : 16 * NO_FUNCTION);
}

/*
 * symbols_relocate - prepare look-ups of the trace's addresses. With have_delta
 * the kernel's distance is given and not looked for.
 */
void symbols_relocate(struct trace *t, bool have_delta, u64 by)
{
	const char *m = t->hint.machine;

	if (!strncmp(m, "arm", 3) || !strncmp(m, "mips", 4))
		thumb = true;
	else if (m[0])
		thumb = false;
	if (t->word == 8 && strncmp(m, "mips", 4))
		thumb = false;
	moved = ngiven ? given : t->mod;
	nmoved = ngiven ? ngiven : t->nmod;
	if (!loaded)
		return;
	if (have_delta) {
		delta = by;
		state = "distance given";
	} else {
		find_delta(t);
	}
	if (symbols_build && t->build[0] && strcmp(symbols_build, t->build)) {
		if (!anyway)
			die(EX_FAIL, "the symbols are of another kernel: the trace is of '", t->build,
			    "'; --symbols-anyway takes them all the same", NULL);
		doubt("the symbols are of another kernel", "", "");
	}
	for (u32 i = 0; i < nmoved; i++) {
		place_module(&moved[i]);
		overlap |= moved[i].until || moved[i].since;
	}
	for (u32 i = 0; i < nmoved && !overlap; i++)
		for (u32 k = 0; k < i && !overlap; k++)
			overlap = moved[i].base < end_of(&moved[k]) && moved[k].base < end_of(&moved[i]);
}

/* symbols_state - a word on how names were found; symbols_delta - the kernel's distance */
const char *symbols_state(void)
{
	return state;
}

u64 symbols_delta(void)
{
	return delta;
}

/* --- looking up ----------------------------------------------------------------------- */
static bool in_kernel(u64 addr)
{
	u64 low = text_low ? text_low : syms[0].addr;

	if (text_end)
		return addr >= low && addr < text_end;
	return addr >= low && addr - low < last_core - low + NO_FUNCTION;
}

/* The module of an old address: nearest base below it, then the latest that counts at this time. */
static const struct oldmod *module_of(u64 addr, u64 time)
{
	const struct oldmod *best = NULL;

	for (u32 i = 0; i < nmoved; i++) {
		const struct oldmod *m = &moved[i];

		if (addr < m->base || addr >= end_of(m) || (m->since && m->since > time) || (m->until && m->until <= time))
			continue;
		if (!best || m->since > best->since ||
		    (m->since == best->since && m->base > best->base))
			best = m;
	}
	return best;
}

/* Was there a module at this address at any time that we know of? */
static bool once_module(u64 addr)
{
	for (u32 i = 0; i < nmoved; i++)
		if (addr >= moved[i].base && moved[i].size && addr - moved[i].base < moved[i].size)
			return true;
	return false;
}

/* Nearest symbol at or below addr among [from, to), the first of its equals; to if none. */
static u32 nearest(u64 addr, u32 from, u32 to)
{
	u32 low = from, high = to;
	u64 b = (addr - syms[0].addr) >> shift;

	if (!from && addr >= syms[0].addr && b + 1 < nbucket) {
		low = bucket[b];
		high = bucket[b + 1];
	}
	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (syms[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == from)
		return to;
	for (low--; low > from && syms[low - 1].addr == syms[low].addr; low--)
		;
	return low;
}

static void name_of(u64 addr, struct named *n)
{
	/* modules are not inside the kernel, where nearly all look-ups go */
	u32 a = nearest(addr, 0, split), b = in_kernel(addr) ? nsym : nearest(addr, split, nsym);
	const struct symbol *s;

	if (a == split && b == nsym)
		return;
	if (a == split || (b != nsym && syms[b].addr > syms[a].addr))
		a = b;
	s = &syms[a];
	if (addr - s->addr >= NO_FUNCTION)
		return;
	if (!s->mod && !in_kernel(addr))
		return;
	if (s->mod) {
		const struct module *m = &mods[s->mod - 1];

		if (m->base && m->size && addr - m->base >= m->size)
			return;
		n->mod = m->name;
	}
	/* room in front of a function: nothing is ever called there */
	if (!strncmp(names + s->name, "__pfx_", 6) || !strncmp(names + s->name, "__cfi_", 6)) {
		n->mod = NULL;
		return;
	}
	n->name = names + s->name;
	n->len = s->len < 255 ? s->len : (u32)strlen(n->name);
	n->off = addr - s->addr;
	n->id = a + 1;
}

/* False when the answer may differ for the same address at another time. */
static bool look_up(u64 addr, u64 time, struct named *n)
{
	const struct oldmod *m;

	memset(n, 0, sizeof(*n));
	if (thumb)
		addr &= ~1ull;
	if (!loaded || refused)
		return true;
	if (in_kernel(addr + delta)) {
		name_of(addr + delta, n);
		return true;
	}
	m = module_of(addr, time);
	if (m && m->now) {
		name_of(addr - m->base + m->now, n);
		if (n->name && n->mod)
			return !overlap;
	}
	if (m) {
		n->name = NULL;
		n->mod = m->name;
		n->off = addr - m->base;
		return !overlap;
	}
	/* no list of modules: right only if nothing moved, and nothing else was there */
	if (!delta && !once_module(addr))
		name_of(addr, n);
	return !overlap;
}

/* resolve - the name of an address of the traced boot, as it was at that time; good until the next call */
const struct named *resolve(u64 addr, u64 time)
{
	static struct named once;
	u32 slot = (u32)(addr * 0x9e3779b97f4a7c15ull >> 50) % CACHE;

	if (cache[slot].used && cache[slot].addr == addr)
		return &cache[slot].n;
	if (!look_up(addr, time, &once))
		return &once;
	cache[slot].addr = addr;
	cache[slot].n = once;
	cache[slot].used = true;
	return &cache[slot].n;
}

/*
 * symbols_learn - find out from the kernel's own functions how far behind its
 * beginning a function calls the tracer, if all of them do at the same place
 */
void symbols_learn(struct trace *t)
{
	u32 count[64] = { 0 }, all = 0;
	struct rec r;

	entry_known = false;
	trace_rewind(t);
	for (u32 i = 0; loaded && i < t->nlane; i++) {
		for (u32 n = 0; n < 2048 && t->next(t, &t->lane[i], &r); n++) {
			const struct named *name;

			if (r.kind != K_FUNCTION && r.kind != K_GRAPH_ENTRY)
				continue;
			name = resolve(r.ip, r.time);
			if (!name->name || name->mod)
				continue;
			all++;
			if (name->off < 64)
				count[name->off]++;
		}
	}
	for (u32 i = 0; i < 64 && all >= 64; i++) {
		if (count[i] >= all - all / 64) {
			entry_off = i;
			entry_known = true;
		}
	}
	trace_rewind(t);
}

/*
 * resolve_entry - the same for where a function called the tracer. In a module
 * that must be where all of them do, or something else was there then.
 */
const struct named *resolve_entry(u64 addr, u64 time)
{
	static const struct named nothing;
	const struct named *n = resolve(addr, time);

	return entry_known && n->name && n->mod && n->off != entry_off ? &nothing : n;
}

/* symbols_unsure - are there names that may be wrong? */
bool symbols_unsure(void)
{
	return unsure && loaded;
}

static const struct oldmod *old_place(const char *name)
{
	for (u32 i = 0; i < nmoved; i++)
		if (moved[i].now && !strcmp(moved[i].name, name))
			return &moved[i];
	return NULL;
}

/* symbols_write - a kallsyms text with the addresses of the traced boot */
void symbols_write(struct out *o, unsigned int word)
{
	const struct oldmod *m = NULL;
	u16 mod = 0;

	for (u32 i = 0; i < nsym && !refused; i++) {
		const struct symbol *s = &syms[i];
		u64 addr = s->addr - delta;

		if (i && s->addr == s[-1].addr)
			continue;	/* an alias; the first has the name */
		if (s->mod) {
			if (s->mod != mod)
				m = old_place(mods[s->mod - 1].name);
			mod = s->mod;
			if (!m && delta)
				continue;	/* nobody knows where it was */
			addr = m ? s->addr - m->now + m->base : s->addr;
		}
		out_hex(o, word == 4 ? addr & 0xffffffff : addr, 2 * word);
		out_chr(o, ' ');
		out_chr(o, s->type);
		out_chr(o, ' ');
		out_word(o, names + s->name, strlen(names + s->name));
		if (s->mod) {
			out_str(o, "\t[");
			out_word(o, mods[s->mod - 1].name, strlen(mods[s->mod - 1].name));
			out_chr(o, ']');
		}
		out_chr(o, '\n');
	}
}

/* symbols_reset - forget everything (memory is the caller's to drop) */
void symbols_reset(void)
{
	syms = NULL;
	bucket = NULL;
	nbucket = shift = 0;
	names = NULL;
	mods = NULL;
	given = moved = NULL;
	nsym = room_sym = split = nname = room_name = nmod = room_mod = ngiven = room_given = nmoved = 0;
	text_low = text_end = last_core = sym_text = delta = 0;
	state = "none";
	overlap = thumb = loaded = anyway = refused = unsure = entry_known = false;
	symbols_build = NULL;
	memset(cache, 0, sizeof(cache));
}
