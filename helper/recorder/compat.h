/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between kernels (2.6.32 to today) and between architectures:
 * the only place that asks for either. Everything used is exported to modules.
 */
#ifndef FTREC_COMPAT_H
#define FTREC_COMPAT_H

#include <linux/version.h>
#include <linux/cache.h>
#include <linux/ftrace.h>
#include <linux/hardirq.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/sched.h>
#include <linux/trace_clock.h>

#define SINCE(a, b, c)	(LINUX_VERSION_CODE >= KERNEL_VERSION(a, b, c))

#if SINCE(5, 14, 0)
#include <linux/panic_notifier.h>
#endif
#if SINCE(3, 17, 0)
#include <linux/timekeeping.h>
#else
#include <linux/time.h>
#endif

/* The callback ftrace calls: four arguments since 3.7, pt_regs wrapped in 5.11. */
#if SINCE(5, 11, 0)
#define FTREC_CALLBACK(name)						\
	void name(unsigned long ip, unsigned long parent_ip,		\
		  struct ftrace_ops *ops, struct ftrace_regs *regs)
#elif SINCE(3, 7, 0)
#define FTREC_CALLBACK(name)						\
	void name(unsigned long ip, unsigned long parent_ip,		\
		  struct ftrace_ops *ops, struct pt_regs *regs)
#else
#define FTREC_CALLBACK(name)						\
	void name(unsigned long ip, unsigned long parent_ip)
#endif

/*
 * ring.c guards itself against recursion, so ftrace need not: 3.9 to 5.10 want
 * to be told, later kernels guard only on request. Before 3.4 our filter calls
 * do not exist; the global set_ftrace_filter then decides.
 */
#if SINCE(5, 11, 0)
#define FTREC_OPS(callback)	{ .func = callback }
#elif SINCE(3, 9, 0)
#define FTREC_OPS(callback)						\
	{ .func = callback, .flags = FTRACE_OPS_FL_RECURSION_SAFE }
#elif SINCE(3, 4, 0) || !SINCE(3, 0, 0)
#define FTREC_OPS(callback)	{ .func = callback }
#else
#define FTREC_OPS(callback)						\
	{ .func = callback, .flags = FTRACE_OPS_FL_GLOBAL }
#endif

#define FTREC_OWN_FILTER	SINCE(3, 4, 0)
#define FTREC_FILTER_IP		SINCE(3, 7, 0)
#define FTREC_FILTER_IPS	SINCE(5, 18, 0)

/* Does struct module still know its traceable places after loading? */
#if defined(CONFIG_FTRACE_MCOUNT_RECORD) || \
	(SINCE(6, 17, 0) && defined(CONFIG_DYNAMIC_FTRACE))
#define FTREC_CALLSITES		1
#endif

/*
 * How far behind a function's symbol its traced place may be. Since 5.18 the
 * kernel finds it from the symbol; before, only x86 had it right there.
 */
#if SINCE(5, 18, 0) || defined(CONFIG_X86)
#define FTREC_SYMBOL_SPAN	0
#else
#define FTREC_SYMBOL_SPAN	32
#endif

/* Parameters with functions of their own behind them. */
#if SINCE(2, 6, 36)
typedef const struct kernel_param ftrec_kp;
#define FTREC_PARAM(name, setter, getter, mode)				\
	static const struct kernel_param_ops name##_param = {		\
		.set = setter, .get = getter,				\
	};								\
	module_param_cb(name, &name##_param, NULL, mode)
#else
typedef struct kernel_param ftrec_kp;
#define FTREC_PARAM(name, setter, getter, mode)				\
	module_param_call(name, setter, getter, NULL, mode)
#endif

/* ftrec_clock: nanoseconds, this CPU's, from any context. */
static __always_inline u64 ftrec_clock(void)
{
#if SINCE(3, 10, 0)
	return trace_clock_local();
#else
	return cpu_clock(raw_smp_processor_id());
#endif
}

/* ftrec_wall: nanoseconds since 1970; not for the callback. */
static inline u64 ftrec_wall(void)
{
#if SINCE(3, 17, 0)
	return ktime_get_real_ns();
#else
	struct timespec ts;

	getnstimeofday(&ts);
	return (u64)ts.tv_sec * 1000000000ULL + ts.tv_nsec;
#endif
}

/* The text of a module as /proc/modules gives its address. */
static inline unsigned long ftrec_module_base(const struct module *mod)
{
#if SINCE(6, 4, 0)
	return (unsigned long)mod->mem[MOD_TEXT].base;
#elif SINCE(4, 5, 0)
	return (unsigned long)mod->core_layout.base;
#else
	return (unsigned long)mod->module_core;
#endif
}

static inline unsigned int ftrec_module_text(const struct module *mod)
{
#if SINCE(6, 4, 0)
	return mod->mem[MOD_TEXT].size;
#elif SINCE(4, 5, 0)
	return mod->core_layout.text_size;
#else
	return mod->core_text_size;
#endif
}

/*
 * ftrec_is_ram: does any of it belong to the kernel's memory? Old kernels do
 * not export the question: there, a page the allocator may hand out is one.
 */
static inline int ftrec_is_ram(phys_addr_t addr, size_t size)
{
#if SINCE(4, 6, 0)
	return region_intersects(addr, size, IORESOURCE_SYSTEM_RAM,
				 IORES_DESC_NONE) != REGION_DISJOINT;
#else
	unsigned long pfn = addr >> PAGE_SHIFT;
	unsigned long end = (addr + size) >> PAGE_SHIFT;

	for (; pfn < end; pfn++)
		if (pfn_valid(pfn) && !PageReserved(pfn_to_page(pfn)))
			return 1;
	return 0;
#endif
}

/*
 * ftrec_is_taken: is it, for all we can see, a device's or a driver's? Firmware
 * tables call a reserved range Reserved, so on x86 only that, legacy persistent
 * memory and what no table knows (beyond mem=) will do.
 */
static inline int ftrec_is_taken(phys_addr_t addr, size_t size)
{
#if SINCE(5, 3, 0) && defined(CONFIG_X86)
	if (region_intersects(addr, size, IORESOURCE_MEM, IORES_DESC_NONE) !=
	    REGION_DISJOINT &&
	    region_intersects(addr, size, IORESOURCE_MEM, IORES_DESC_RESERVED) !=
	    REGION_INTERSECTS &&
	    region_intersects(addr, size, IORESOURCE_MEM,
			      IORES_DESC_PERSISTENT_MEMORY_LEGACY) != REGION_INTERSECTS)
		return 1;
#endif
#if SINCE(4, 6, 0)
	return region_intersects(addr, size, IORESOURCE_MEM | IORESOURCE_BUSY,
				 IORES_DESC_NONE) != REGION_DISJOINT;
#else
	return 0;
#endif
}

/* Cached mapping of what is not RAM to the kernel; released by ftrec_unmap_wb. */
static inline void *ftrec_map_wb(phys_addr_t addr, size_t size)
{
#if SINCE(4, 6, 0)
	return memremap(addr, size, MEMREMAP_WB);
#elif defined(CONFIG_ARM)
	return (void __force *)ioremap_cached(addr, size);
#elif defined(CONFIG_PPC)
	return (void __force *)ioremap_prot(addr, size, pgprot_val(PAGE_KERNEL));
#elif defined(CONFIG_X86) || defined(CONFIG_ARM64)
	return (void __force *)ioremap_cache(addr, size);
#else
	return NULL;
#endif
}

static inline void ftrec_unmap_wb(void *base)
{
#if SINCE(4, 6, 0)
	memunmap(base);
#else
	iounmap((void __iomem __force *)base);
#endif
}

/*
 * ftrec_clean_line: write one cache line back to memory. On arm this reaches
 * the end of the inner caches only; an outer L2 (PL310) keeps its copy.
 */
#if defined(CONFIG_X86)
#define FTREC_CAN_CLEAN		1
static __always_inline void ftrec_clean_line(void *p)
{
#if SINCE(4, 1, 0)
	clwb(p);
#else
	clflush(p);
#endif
}
#elif defined(CONFIG_ARM64)
#define FTREC_CAN_CLEAN		1
static __always_inline void ftrec_clean_line(void *p)
{
	asm volatile("dc cvac, %0" : : "r" (p) : "memory");
}
#elif defined(CONFIG_CPU_V7)
#define FTREC_CAN_CLEAN		1
static __always_inline void ftrec_clean_line(void *p)
{
	asm volatile("mcr p15, 0, %0, c7, c10, 1" : : "r" (p) : "memory");
}
#elif defined(CONFIG_PPC)
#define FTREC_CAN_CLEAN		1
static __always_inline void ftrec_clean_line(void *p)
{
	asm volatile("dcbst 0, %0" : : "r" (p) : "memory");
}
#else
#define FTREC_CAN_CLEAN		0
static __always_inline void ftrec_clean_line(void *p)
{
}
#endif

/* No line is shorter than this, whatever the CPU turns out to be. */
#define FTREC_LINE	(L1_CACHE_BYTES < 32 ? L1_CACHE_BYTES : 32)

/*
 * ftrec_function: where kallsyms has the function behind a pointer to it (64-bit
 * PowerPC of the first ABI points to a descriptor, Thumb sets bit 0).
 */
static inline unsigned long ftrec_function(const void *function)
{
#if defined(CONFIG_PPC64) && (!defined(_CALL_ELF) || _CALL_ELF != 2)
	return *(const unsigned long *)function;
#elif defined(CONFIG_THUMB2_KERNEL)
	return (unsigned long)function & ~1UL;
#else
	return (unsigned long)function;
#endif
}

#endif
