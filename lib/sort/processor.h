#ifndef HP_SORT_PROCESSOR_H
#define HP_SORT_PROCESSOR_H

/*
 * Has the processor these vectors, and the system room for them?  Libc knows;
 * to ask the processor, as the compiler's builtin does at each start of the
 * program, takes longer than all else that a few lines want, since a virtual
 * machine is left for each question.
 */
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define PROCESSOR_HAS(feature) CPU_FEATURE_ACTIVE(feature)
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
