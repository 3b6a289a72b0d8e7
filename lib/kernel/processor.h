#ifndef HP_KERNEL_PROCESSOR_H
#define HP_KERNEL_PROCESSOR_H

/*
 * Detects the vector instructions of x86-64 that the sort has loops for.
 * Functions that use them are declared with AVX2_FUNCTION or AVX512_FUNCTION,
 * so the rest of the program runs on any processor. Call such a function only
 * if processor_has_avx2 or processor_has_avx512 returns true. Then the
 * processor has the instructions and the system saves their registers.
 *
 * This uses what libc found out when the process started. The compiler's
 * builtin would execute CPUID again. In a virtual machine that takes longer
 * than sorting a few lines.
 */
#include <stdbool.h>

#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>

/*
 * Returns whether the processor has a feature. Use this function instead of the
 * macro CPU_FEATURE_ACTIVE, which shifts a 1 into the sign bit of an int.
 */
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

#define AVX2_FUNCTION __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define AVX512_FUNCTION \
	__attribute__(( \
	    target("avx512f,avx512vl,avx512bw,avx512dq,bmi,bmi2,popcnt")))

static inline bool
processor_has_avx2(void)
{
	return PROCESSOR_HAS(AVX2) && PROCESSOR_HAS(BMI2);
}

static inline bool
processor_has_avx512(void)
{
	return PROCESSOR_HAS(AVX512F) && PROCESSOR_HAS(AVX512VL) &&
	    PROCESSOR_HAS(AVX512BW) && PROCESSOR_HAS(AVX512DQ) &&
	    PROCESSOR_HAS(BMI2);
}

#endif
