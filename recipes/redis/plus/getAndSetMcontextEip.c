/*---
 * tasks: [744001044C7F2F92]
 * instead: [src/debug.o]
 * tests:
 *   the current instruction is returned: 'Docstring: "Returns the current eip".'
 *   without a new value nothing is changed: 'Docstring: "set it to the given new value (if its not NULL)".'
 *   a new value is set: 'Docstring: "and set it to the given new value".'
 *   with a new value the old one is returned: 'Docstring: "Returns the current eip and set it".'
 *   the old value can be put back: 'Caller sigsegvHandler: "Restore old eip".'
 *   no other register is changed: 'Docstring: it sets the eip.'
 *   in a signal handler it is where the signal struck: 'Caller sigsegvHandler: "Crashed running the instruction at".'
 *   after the handler the thread goes on at the address that was set: 'Docstring: set; it is the program counter.'
 ---*/
#include "../debug.c"
#include "../testhelp.h"
#include <setjmp.h>

#if defined(__x86_64__)
#define PC(uc) ((uc)->uc_mcontext.gregs[REG_RIP])
#elif defined(__aarch64__)
#define PC(uc) ((uc)->uc_mcontext.pc)
#endif

static sigjmp_buf before;
static volatile int landed;
static void *struck, *fault;

static void landing(void) {
    landed = 1;
    siglongjmp(before,1);
}

static void onSignal(int sig, siginfo_t *info, void *context) {
    (void)sig;
    struck = getAndSetMcontextEip(context,NULL);
    fault = info->si_addr;
    getAndSetMcontextEip(context,(void*)landing);
}

int main(void) {
    static ucontext_t uc, same;
    memset(&uc,0,sizeof(uc));
    getcontext(&uc);
    void *a = (void*)0x12345678, *b = (void*)0x7fff00112233;
    PC(&uc) = (uintptr_t)a;
    memcpy(&same,&uc,sizeof(uc));
    void *got = getAndSetMcontextEip(&uc,NULL);
    test_cond("the current instruction is returned", got == a);
    test_cond("without a new value nothing is changed", memcmp(&same,&uc,sizeof(uc)) == 0);
    got = getAndSetMcontextEip(&uc,b);
    test_cond("a new value is set", (void*)PC(&uc) == b && getAndSetMcontextEip(&uc,NULL) == b);
    test_cond("with a new value the old one is returned", got == a);
    PC(&uc) = (uintptr_t)a;
    test_cond("no other register is changed", memcmp(&same,&uc,sizeof(uc)) == 0);
    getAndSetMcontextEip(&uc,b);
    got = getAndSetMcontextEip(&uc,a);
    test_cond("the old value can be put back", got == b && memcmp(&same,&uc,sizeof(uc)) == 0);

    struct sigaction act;
    memset(&act,0,sizeof(act));
    act.sa_flags = SA_SIGINFO|SA_NODEFER|SA_RESETHAND;
    act.sa_sigaction = onSignal;
    sigaction(SIGILL,&act,NULL);
    sigaction(SIGTRAP,&act,NULL);
    fflush(stdout);
    if (sigsetjmp(before,1) == 0) __builtin_trap();
    /* An illegal instruction's own address is told with the signal. */
    test_cond("in a signal handler it is where the signal struck", struck != NULL && struck == fault);
    test_cond("after the handler the thread goes on at the address that was set", landed);
    test_report();
    return 0;
}
