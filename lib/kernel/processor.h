#ifndef HP_KERNEL_PROCESSOR_H
#define HP_KERNEL_PROCESSOR_H

/*
 * Has the processor these vectors, and the system room for them?  Libc knows;
 * to ask the processor, as the compiler's builtin does at each start of the
 * program, takes longer than all else that a few lines want, since a virtual
 * machine is left for each question.
 */
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>

#include <stdbool.h>

/* CPU_FEATURE_ACTIVE, but that one shifts a 1 into the sign of an int. */
static inline bool
processor_has(unsigned feature)
{
	const struct cpuid_feature *leaf = __x86_get_cpuid_feature_leaf(
	    feature / 128);

	return leaf->active_array[feature % 128 / 32] >> feature % 32 & 1;
}

#define PROCESSOR_HAS(feature) processor_has(x86_cpu_##feature)
#else
#define PROCESSOR_HAS(feature) __builtin_cpu_supports(PROCESSOR_##feature)
#define PROCESSOR_AVX2 "avx2"
#define PROCESSOR_AVX512F "avx512f"
#define PROCESSOR_AVX512VL "avx512vl"
#define PROCESSOR_AVX512BW "avx512bw"
#define PROCESSOR_AVX512DQ "avx512dq"
#define PROCESSOR_BMI2 "bmi2"
#endif

#endif
