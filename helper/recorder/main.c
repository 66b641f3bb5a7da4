// SPDX-License-Identifier: GPL-2.0-only
/*
 * ftrec: records function calls into a reserved region that survives a reset,
 * for kernels without a persistent ring buffer. See README.md.
 */
#include <linux/init.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ftrec.h"

static DEFINE_MUTEX(lock);
static bool live;		/* between init and exit: parameters act at once */

static char *addr = "0", *size = "0", *memtype = "wb", *boot_id = "", *text = "0";
static bool flush, overwrite;
module_param(addr, charp, 0444);
MODULE_PARM_DESC(addr, "physical address of the reserved region");
module_param(size, charp, 0444);
MODULE_PARM_DESC(size, "its size in bytes (K, M, G understood)");
module_param(memtype, charp, 0444);
MODULE_PARM_DESC(memtype, "wb (cached, default), wc (write-combining) or uc (uncached)");
module_param(flush, bool, 0444);
MODULE_PARM_DESC(flush, "1: write each record back to memory at once");
module_param(overwrite, bool, 0444);
MODULE_PARM_DESC(overwrite, "1: drop a trace in the region that was not dumped");
module_param(boot_id, charp, 0444);
MODULE_PARM_DESC(boot_id, "contents of /proc/sys/kernel/random/boot_id, for the header");
module_param(text, charp, 0444);
MODULE_PARM_DESC(text, "address of _text in /proc/kallsyms, for the header");

/*
 * with_lines: hand the lines in VALUE, a parameter being written, to EACH.
 * sysfs passes a long write on in pieces of a page: the last line of such a
 * piece is kept in TAIL for the next one. Returns 0 or the first error.
 */
static int with_lines(const char *value, char *tail, size_t tail_size,
		      int (*each)(char *line))
{
	size_t len = strlen(value);
	char *buf = kmalloc(strlen(tail) + len + 1, GFP_KERNEL);
	char *rest = buf, *cut, *line;
	int err = 0, err1;

	if (!buf)
		return -ENOMEM;
	strcpy(buf, tail);
	strcat(buf, value);
	tail[0] = '\0';
	cut = strrchr(buf, '\n');
	cut = cut ? cut + 1 : buf;
	if (len >= PAGE_SIZE - 1 && *cut) {
		if (strlen(cut) < tail_size)
			strcpy(tail, cut);
		else
			err = -E2BIG;
		*cut = '\0';
	}
	while ((line = strsep(&rest, "\n"))) {
		err1 = *line ? each(line) : 0;
		err = err ? err : err1;
	}
	kfree(buf);
	return err;
}

/* What the command line said to filter; parameters are parsed before init. */
static const char *early_filter, *early_module;
static bool early_enable;

/* filter: words as in ftrec_filter_words, added to what there is; "-" clears. */
static int set_filter(const char *value, ftrec_kp *kp)
{
	static char tail[256];
	int err;

	if (!live) {
		early_filter = value;
		return 0;
	}
	mutex_lock(&lock);
	err = live ? with_lines(value, tail, sizeof(tail), ftrec_filter_words) : -ENODEV;
	mutex_unlock(&lock);
	return err;
}

static int get_filter(char *out, ftrec_kp *kp)
{
	return sprintf(out, "%u\n", ftrec_filter_entries());
}
FTREC_PARAM(filter, set_filter, get_filter, 0600);
MODULE_PARM_DESC(filter, "functions: names, globs, 0xADDRESSES, !left-out; '-' clears. Reads as a count");

static int one_module(char *name)
{
	return ftrec_filter_module(strim(name));
}

/* module: a module's name, one a line: all its functions, whenever it is loaded. */
static int set_module(const char *value, ftrec_kp *kp)
{
	static char tail[MODULE_NAME_LEN];
	int err;

	if (!live) {
		early_module = value;
		return 0;
	}
	mutex_lock(&lock);
	err = live ? with_lines(value, tail, sizeof(tail), one_module) : -ENODEV;
	mutex_unlock(&lock);
	return err;
}
FTREC_PARAM(module, set_module, NULL, 0200);
MODULE_PARM_DESC(module, "record every function of this module, loaded or yet to come");

/* enable: 1 starts, 0 stops. Reads as 1 while recording. */
static int set_enable(const char *value, ftrec_kp *kp)
{
	bool on = value[0] == '1';
	int err = 0;

	if ((value[0] != '0' && !on) || (value[1] && value[1] != '\n'))
		return -EINVAL;
	if (!live) {
		early_enable = on;
		return 0;
	}
	mutex_lock(&lock);
	if (!live)
		err = -ENODEV;
	else if (on)
		err = ftrec_start();
	else
		ftrec_stop();
	mutex_unlock(&lock);
	return err;
}

static int get_enable(char *out, ftrec_kp *kp)
{
	return sprintf(out, "%d\n", ftrec_running());
}
FTREC_PARAM(enable, set_enable, get_enable, 0600);
MODULE_PARM_DESC(enable, "1: record, 0: stop");

/* one_line_of_modules: "name size references users state address ...". */
static int one_line_of_modules(char *line)
{
	char name[MODULE_NAME_LEN];
	unsigned long long base;
	unsigned int bytes;

	BUILD_BUG_ON(MODULE_NAME_LEN < 56);
	if (sscanf(line, "%55s %u %*s %*s %*s %llx", name, &bytes, &base) != 3)
		return -EINVAL;
	if (!base)
		return -EPERM;	/* kptr_restrict hides it from the writer */
	ftrec_region_module(name, base, bytes);
	return 0;
}

/* modules: the text of /proc/modules, for the table in the region. */
static int set_modules(const char *value, ftrec_kp *kp)
{
	static char tail[1024];
	int err = -ENODEV;

	mutex_lock(&lock);
	if (live)
		err = with_lines(value, tail, sizeof(tail), one_line_of_modules);
	mutex_unlock(&lock);
	return err;
}
FTREC_PARAM(modules, set_modules, NULL, 0200);
MODULE_PARM_DESC(modules, "write /proc/modules here: addresses for the table in the region");

static int get_records(char *out, ftrec_kp *kp)
{
	u64 sum = 0;
	int cpu;

	if (live)
		for_each_possible_cpu(cpu)
			sum += ftrec_ring_records(&per_cpu(ftrec_ring, cpu));
	return sprintf(out, "%llu\n", (unsigned long long)sum);
}
FTREC_PARAM(records, NULL, get_records, 0400);
MODULE_PARM_DESC(records, "written since load");

static int get_missed(char *out, ftrec_kp *kp)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(ftrec_ring, cpu).missed;
	return sprintf(out, "%lu\n", sum);
}
FTREC_PARAM(missed, NULL, get_missed, 0400);
MODULE_PARM_DESC(missed, "calls not recorded since load (recursion)");

/* Keeps the region's module table, and starts on modules that were waited for. */
static int module_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct module *mod = data;

	mutex_lock(&lock);
	if (live && event == MODULE_STATE_COMING) {
		ftrec_region_module(mod->name, ftrec_module_base(mod), ftrec_module_text(mod));
		ftrec_filter_coming(mod);
	} else if (live && event == MODULE_STATE_GOING) {
		ftrec_region_module_gone(mod->name);
	}
	mutex_unlock(&lock);
	return NOTIFY_DONE;
}

/* At a panic there is time to save what is still in the cache; at a reset there is not. */
static int panic_event(struct notifier_block *nb, unsigned long event, void *data)
{
	ftrec_region_clean();
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = { .notifier_call = module_event };
static struct notifier_block panic_notifier = { .notifier_call = panic_event };

/* number: VALUE as a whole, in base BASE (0: with K, M, G); 0 or -EINVAL. */
static int number(const char *name, const char *value, int base, u64 *result)
{
	char *end;

	*result = base ? simple_strtoull(value, &end, base) : memparse(value, &end);
	if (*value && !*end)
		return 0;
	pr_err("%s=%s is not a number\n", name, value);
	return -EINVAL;
}

/* read_setup: the parameters of the region, checked; 0 or -EINVAL. */
static int read_setup(struct ftrec_setup *setup)
{
	static const char types[][3] = { "wb", "wc", "uc" };	/* FTREC_MEM_* */
	u64 at, bytes;
	u32 type = 0;

	if (number("addr", addr, 0, &at) || number("size", size, 0, &bytes) ||
	    number("text", text, 16, &setup->text_addr))
		return -EINVAL;
	while (type < ARRAY_SIZE(types) && strcmp(memtype, types[type]))
		type++;
	if (type == ARRAY_SIZE(types)) {
		pr_err("memtype=%s is none of wb, wc, uc\n", memtype);
		return -EINVAL;
	}
	if (flush && type == FTREC_MEM_WB && !FTREC_CAN_CLEAN) {
		pr_err("flush=1: no way to clean the cache on this architecture; use memtype=uc\n");
		return -EINVAL;
	}
	setup->addr = at;
	setup->size = bytes;
	if (setup->addr != at || setup->size != bytes) {
		pr_err("the region is out of this machine's reach\n");
		return -EINVAL;
	}
	setup->mem_type = type;
	setup->flush = flush;
	setup->overwrite = overwrite;
	setup->boot_id = boot_id;
	return 0;
}

/* arm_early: what the command line asked for; 0 or -errno. */
static int arm_early(void)
{
	int err = 0;

	if (early_filter)
		err = set_filter(early_filter, NULL);
	if (!err && early_module)
		err = set_module(early_module, NULL);
	if (!err && early_enable)
		err = set_enable("1", NULL);
	return err;
}

/* shut: stop, forget the filter, let go of the region; parameters do nothing from here on. */
static void shut(void)
{
	mutex_lock(&lock);
	live = false;
	ftrec_filter_clear();
	mutex_unlock(&lock);
	atomic_notifier_chain_unregister(&panic_notifier_list, &panic_notifier);
	unregister_module_notifier(&module_notifier);
	ftrec_region_close();
}

static int __init ftrec_init(void)
{
	struct ftrec_setup setup;
	int err = read_setup(&setup);

	BUILD_BUG_ON(sizeof(struct ftrec_header) != 512);
	BUILD_BUG_ON(offsetof(struct ftrec_header, check) != FTREC_CHECKED);
	BUILD_BUG_ON(sizeof(struct ftrec_module) != 80);
	BUILD_BUG_ON(sizeof(struct ftrec_area) != 64);
	BUILD_BUG_ON(sizeof(struct ftrec_record64) != 32);
	BUILD_BUG_ON(sizeof(struct ftrec_record32) != 24);

	if (!err)
		err = ftrec_region_open(&setup);
	if (err)
		return err;
	register_module_notifier(&module_notifier);
	atomic_notifier_chain_register(&panic_notifier_list, &panic_notifier);
	live = true;
	err = arm_early();
	if (err) {
		shut();
		return err;
	}
	pr_info("%s at %s, memtype %s%s: %u records on each of %u CPUs\n", size, addr,
		memtype, flush ? " flushed" : "", ftrec_geometry.capacity, num_possible_cpus());
	return 0;
}

static void __exit ftrec_exit(void)
{
	shut();
}

module_init(ftrec_init);
module_exit(ftrec_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("fieldtrace: function calls into RAM that survives a reset");
