/*---
 * tasks: [mbedtls_aesni_has_support-69bc98]
 * tests:
 *   the answer for AES is that of the processor: 'aesni.h: "1 if CPU has support for the feature, 0 otherwise".'
 *   the answer for CLMUL is that of the processor: 'aesni.h: "1 if CPU has support for the feature, 0 otherwise".'
 *   a later question gets the same answer: 'aesni.h: what the CPU supports does not change.'
 *   AES after CLMUL gets its own answer: 'aesni.h: \param what "The feature to detect".'
 *   CLMUL after AES gets its own answer: 'aesni.h: \param what "The feature to detect".'
 *   a feature is told from one that is not there: 'aesni.h: "0 otherwise".'
 *   the first question may be the absent feature: 'aesni.h: "0 otherwise"; then "1 if CPU has support".'
 *   the caller's registers are kept: 'aes.c, gcm.c: an ordinary function of C.'
 ---*/
#include <cpuid.h>
#include <sys/wait.h>
#include <unistd.h>
#include "mbedtls/aesni.h"
#include "check.h"

static unsigned int features, absent;

static int expected(unsigned int what) { return (features & what) != 0; }

/* The answers in a fresh process, where nothing was asked before. */
static int fresh(unsigned int first, unsigned int second, unsigned int third) {
    int status, pid = fork();
    if (pid == 0) {
        int a = mbedtls_aesni_has_support(first), b = mbedtls_aesni_has_support(second);
        int c = mbedtls_aesni_has_support(third);
        _exit(a == expected(first) && b == expected(second) && c == expected(third) ? 7 : 8);
    }
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

int main(void) {
    const unsigned int aes = MBEDTLS_AESNI_AES, clmul = MBEDTLS_AESNI_CLMUL;
    unsigned int eax, ebx, ecx = 0, edx;
    if (__get_cpuid(1, &eax, &ebx, &ecx, &edx)) features = ecx;
    for (int bit = 0; bit < 32 && absent == 0; bit++) {
        if (!(features & 1u << bit)) absent = 1u << bit;
    }
    int ok = fresh(aes, clmul, aes) && fresh(clmul, aes, clmul);
    check("AES after CLMUL gets its own answer", fresh(clmul, aes, aes) && fresh(clmul, clmul, aes));
    check("CLMUL after AES gets its own answer", fresh(aes, clmul, clmul) && fresh(aes, aes, clmul));
    check("a feature is told from one that is not there", absent == 0 || fresh(aes, absent, aes));
    check("the first question may be the absent feature", absent == 0 || fresh(absent, aes, clmul));
    check("the answer for AES is that of the processor", mbedtls_aesni_has_support(aes) == expected(aes));
    check("the answer for CLMUL is that of the processor", mbedtls_aesni_has_support(clmul) == expected(clmul));
    for (int i = 0; i < 100; i++) {
        ok &= mbedtls_aesni_has_support(aes) == expected(aes) && mbedtls_aesni_has_support(clmul) == expected(clmul);
    }
    check("a later question gets the same answer", ok);

    unsigned long before = 0x1234567812345678UL, after = 0;
    __asm__ volatile("mov %1, %%rbx\n\tmov %2, %%edi\n\tmov %%rsp, %%r12\n\tand $-16, %%rsp\n\t"
                     "call mbedtls_aesni_has_support\n\tmov %%r12, %%rsp\n\tmov %%rbx, %0"
                     : "=&m"(after) : "m"(before), "r"(clmul)
                     : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "memory", "cc");
    check("the caller's registers are kept", after == before);
    return done();
}
