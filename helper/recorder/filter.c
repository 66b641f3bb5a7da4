// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which functions: names and globs, addresses, the functions of a module that is
 * loaded or will be. And starting and stopping, because an ops without a filter
 * traces the whole kernel: it is never registered that way.
 */
#include <linux/err.h>
#include <linux/kobject.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ftrec.h"

#define MAX_WANTED	8

static struct ftrace_ops ops = FTREC_OPS(ftrec_call);
static unsigned int entries;		/* filter words and addresses taken */
static bool running;			/* ops is registered */
static bool waiting;			/* start as soon as there is an entry */
static char wanted[MAX_WANTED][MODULE_NAME_LEN];

#if FTREC_FILTER_IP
/*
 * add_ip: filter the traced place at IP or, on kernels that do not find it
 * themselves, at most SPAN bytes on. 0, or -EINVAL when there is none.
 */
static int add_ip(unsigned long ip, unsigned int span)
{
	unsigned int off;
	int err = -EINVAL;

	for (off = 0; off <= span && err == -EINVAL; off += 4)
		err = ftrace_set_filter_ip(&ops, ip + off, 0, 0);
	if (!err)
		entries++;
	return err;
}

/* add_ips: all of them; in one go where the kernel can. Returns how many were taken. */
static unsigned int add_ips(unsigned long *ips, unsigned int n, unsigned int span)
{
	unsigned int i, taken = 0;

#if FTREC_FILTER_IPS
	if (n && !ftrace_set_filter_ips(&ops, ips, n, 0, 0)) {
		entries += n;
		return n;
	}
#endif
	for (i = 0; i < n; i++)
		taken += !add_ip(ips[i], span);
	return taken;
}
#else
static int add_ip(unsigned long ip, unsigned int span)
{
	return -EOPNOTSUPP;
}
#endif

#if FTREC_FILTER_IP && defined(FTREC_CALLSITES)
/*
 * add_module: filter everything traceable in MOD, whose list of places the
 * kernel keeps. Those of its init code are taken only while that exists.
 */
static int add_module(struct module *mod)
{
	unsigned long *ips;
	unsigned int i, n = 0, taken;

	ips = kmalloc_array(mod->num_ftrace_callsites + 1, sizeof(*ips), GFP_KERNEL);
	if (!ips)
		return -ENOMEM;
	for (i = 0; i < mod->num_ftrace_callsites; i++)
		if (within_module_core(mod->ftrace_callsites[i], mod) ||
		    mod->state == MODULE_STATE_COMING)
			ips[n++] = mod->ftrace_callsites[i];
	taken = add_ips(ips, n, 16);
	kfree(ips);
	pr_info("module %s: %u functions\n", mod->name, taken);
	return taken ? 0 : -ENOENT;
}

/*
 * loaded_module: the module of that name, held, or NULL. There is no exported
 * way to ask but the kset that all modules' kobjects, ours included, are in;
 * holding the kobject keeps the module from being freed meanwhile.
 */
static struct module *loaded_module(const char *name)
{
	struct kobject *kobj = kset_find_obj(THIS_MODULE->mkobj.kobj.kset, name);
	struct module *mod;

	if (!kobj)
		return NULL;
	mod = container_of(kobj, struct module_kobject, kobj)->mod;
	if (mod && !try_module_get(mod))
		mod = NULL;
	kobject_put(kobj);
	return mod;
}
#else
static int add_module(struct module *mod)
{
	return -EOPNOTSUPP;
}

static struct module *loaded_module(const char *name)
{
	return NULL;
}
#endif

/* want: remember to filter NAME when it is loaded, now or again. */
static int want(const char *name)
{
	int i, free = -1;

	for (i = 0; i < MAX_WANTED; i++) {
		if (!strcmp(wanted[i], name))
			return 0;
		if (!wanted[i][0] && free < 0)
			free = i;
	}
	if (free < 0)
		return -ENOSPC;
	strcpy(wanted[free], name);
	return 0;
}

/* ftrec_filter_module: filter all of module NAME, now if it is loaded, and at each load. */
int ftrec_filter_module(const char *name)
{
	struct module *mod;
	int err = 0;

	if (!FTREC_FILTER_IP)
		return -EOPNOTSUPP;
	if (!name[0] || strlen(name) >= MODULE_NAME_LEN)
		return -EINVAL;
	mod = loaded_module(name);
	if (mod) {
		if (mod->state == MODULE_STATE_LIVE)
			err = add_module(mod);
		module_put(mod);
	}
	return err ? err : want(name);
}

/* ftrec_filter_coming: MOD is being loaded; its functions, if wanted. 0 or -errno. */
int ftrec_filter_coming(struct module *mod)
{
	int i, err = 0;

	for (i = 0; i < MAX_WANTED; i++)
		if (!strcmp(wanted[i], mod->name) && !err)
			err = add_module(mod);
	if (waiting && entries)
		err = ftrec_start();
	return err;
}

/* add_pattern: a name, glob or (5.1 up) index number, or with NOT what to leave out. */
static int add_pattern(char *pattern, bool not)
{
#if FTREC_OWN_FILTER
	int err;

	if (not)
		return ftrace_set_notrace(&ops, (unsigned char *)pattern, strlen(pattern), 0);
	err = ftrace_set_filter(&ops, (unsigned char *)pattern, strlen(pattern), 0);
	if (!err)
		entries++;
	return err;
#else
	return -EOPNOTSUPP;
#endif
}

static int add_word(char *word)
{
	char *end;
	unsigned long ip;

	if (word[0] == '[')	/* the module, as the kernel prints it after a name */
		return 0;
	if (!strcmp(word, "-")) {
		ftrec_filter_clear();
		return 0;
	}
	if (word[0] == '!')
		return add_pattern(word + 1, true);
	if (strncmp(word, "0x", 2))
		return add_pattern(word, false);
	ip = simple_strtoul(word, &end, 16);
	return *end ? -EINVAL : add_ip(ip, FTREC_SYMBOL_SPAN);
}

/*
 * ftrec_filter_words: take each word of TEXT (blank, comma or newline between)
 * into the filter. A bad one does not stop the others; returns the first error.
 */
int ftrec_filter_words(char *text)
{
	char *word;
	int err, first = 0;

	while ((word = strsep(&text, " ,\t\n"))) {
		if (!*word)
			continue;
		err = add_word(word);
		if (err && !first) {
			pr_err("filter: '%s' refused (%d): no such function that can be traced\n",
			       word, err);
			first = err;
		}
	}
	return first;
}

/* ftrec_filter_clear: stop, and forget every word and module. */
void ftrec_filter_clear(void)
{
	ftrec_stop();
	memset(wanted, 0, sizeof(wanted));
	entries = 0;
#if FTREC_OWN_FILTER
	ftrace_set_filter(&ops, NULL, 0, 1);
	ftrace_set_notrace(&ops, NULL, 0, 1);
#endif
}

unsigned int ftrec_filter_entries(void)
{
	return entries;
}

/* ftrec_start: record; with nothing but modules yet to come, when they do. */
int ftrec_start(void)
{
	int i, err;

	if (running)
		return 0;
	if (FTREC_OWN_FILTER && !entries) {
		for (i = 0; i < MAX_WANTED; i++)
			waiting = waiting || wanted[i][0];
		if (!waiting)
			pr_err("no filter: not recording the whole kernel\n");
		return waiting ? 0 : -EINVAL;
	}
	ftrec_region_recording(true);
	err = register_ftrace_function(&ops);
	if (err)
		ftrec_region_recording(false);
	running = !err;
	waiting = false;
	return err;
}

/* ftrec_stop: no record is written any more when it returns. */
void ftrec_stop(void)
{
	waiting = false;
	if (!running)
		return;
	unregister_ftrace_function(&ops);
	running = false;
	ftrec_region_recording(false);
}

bool ftrec_running(void)
{
	return running;
}
