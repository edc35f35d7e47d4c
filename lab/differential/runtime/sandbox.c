/* What a fork's body asks of the system. Nothing leaves the process: an output is noted and said to have worked; what
 * can't be done twice ends the fork with a word. */
#include "graft.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#define RESULT(context) (context)->uc_mcontext.gregs[REG_RAX]
#define ARGUMENT(context, n) (context)->uc_mcontext.gregs[(const int[]){REG_RDI, REG_RSI, REG_RDX, REG_R10}[n]]
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#define RESULT(context) (context)->uc_mcontext.regs[0]
#define ARGUMENT(context, n) (context)->uc_mcontext.regs[n]
#else
#error "not applicable: this architecture"
#endif
#ifndef SYS_SECCOMP
#define SYS_SECCOMP 1
#endif

/* Read what the process or the system is, or change what ends with the fork. */
static const int harmless[] = {
    SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_futex, SYS_clock_gettime,
    SYS_clock_getres, SYS_gettimeofday, SYS_getpid, SYS_getppid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid,
    SYS_getegid, SYS_getrandom, SYS_sched_yield, SYS_sched_getaffinity, SYS_rt_sigaction, SYS_rt_sigprocmask,
    SYS_rt_sigreturn, SYS_sigaltstack, SYS_getrusage, SYS_times, SYS_uname, SYS_sysinfo, SYS_close, SYS_fstat,
    SYS_newfstatat, SYS_getcwd, SYS_getsockname, SYS_getpeername, SYS_getsockopt, SYS_getrlimit,
#ifdef SYS_stat
    SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_time,
#endif
};
/* Done and forgotten as far as the body can tell. */
static const int noted[] = {
    SYS_write, SYS_writev, SYS_pwrite64, SYS_sendto, SYS_sendmsg, SYS_fsync, SYS_fdatasync, SYS_epoll_ctl,
    SYS_setsockopt, SYS_shutdown, SYS_nanosleep, SYS_clock_nanosleep,
};
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
/* The upper half of the status with which the runtime itself ends a fork. */
#define OWN_EXIT 0x47724674u

/* Each under a name of its own: the lines of two forks are compared by name. */
static void note(const char *what, const void *bytes, size_t size) {
    char words[64];
    snprintf(words, sizeof words, "%s (%d)", what, ++graft_report->noted);
    graft_bytes(words, bytes, size);
}

static size_t note_parts(const struct iovec *parts, size_t count) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        note("what is written", parts[i].iov_base, parts[i].iov_len);
        size += parts[i].iov_len;
    }
    return size;
}

static void on_call(int signal, siginfo_t *info, void *raw) {
    ucontext_t *context = raw;
    int error = errno, number = info->si_syscall, is_noted = 0;
    char words[64];
    (void)signal;
    for (size_t i = 0; i < COUNT(noted); i++) is_noted |= noted[i] == number;
    if (number == SYS_exit_group || number == SYS_exit) graft_end(EXITED, (int)ARGUMENT(context, 0));
    if (!is_noted) graft_end(LEFT, number);
    long result = 0;
    int size = snprintf(words, sizeof words, "call %d, %ld", number, (long)ARGUMENT(context, 0));
    note("a call of the system", words, (size_t)size);
    if (number == SYS_write || number == SYS_pwrite64 || number == SYS_sendto) {
        result = (long)ARGUMENT(context, 2);
        note("what is written", (const void *)ARGUMENT(context, 1), (size_t)result);
    } else if (number == SYS_writev) {
        result = (long)note_parts((const struct iovec *)ARGUMENT(context, 1), (size_t)ARGUMENT(context, 2));
    } else if (number == SYS_sendmsg) {
        const struct msghdr *message = (const struct msghdr *)ARGUMENT(context, 1);
        result = (long)note_parts(message->msg_iov, message->msg_iovlen);
    }
    RESULT(context) = result;
    errno = error;
}

static struct sock_filter filter[256];
static unsigned short length;
static void put(uint16_t code, uint32_t k, uint8_t yes, uint8_t no) {
    filter[length++] = (struct sock_filter){code, yes, no, k};
}

int graft_shut(int is_probe) {
    static const int deadly[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL, SIGABRT,
                                 SIGTRAP, SIGXCPU, SIGPIPE, SIGALRM, SIGPROF};
    struct sigaction action;
    sigset_t all;
    memset(&action, 0, sizeof action);
    for (size_t i = 0; i < COUNT(deadly); i++) sigaction(deadly[i], &action, NULL);
    action.sa_sigaction = on_call;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSYS, &action, NULL);
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    struct rlimit cpu = {2, 3}, core = {0, 0};
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_CORE, &core);
    /* A changed length may ask for any time and any memory. */
    struct itimerval soon = {{0, 0}, {0, is_probe ? 200000 : 500000}};
    struct rlimit memory = {graft_memory + (1ul << 30), graft_memory + (1ul << 30)};
    setrlimit(RLIMIT_AS, &memory);
    setitimer(ITIMER_PROF, &soon, NULL);
    length = 0;
    put(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
    put(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
    put(BPF_RET | BPF_K, SECCOMP_RET_KILL, 0, 0);
    put(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
    for (size_t i = 0; i < COUNT(harmless); i++) {
        put(BPF_JMP | BPF_JEQ | BPF_K, harmless[i], 0, 1);
        put(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    }
    /* A signal to itself, as abort sends, and whether a stream is a terminal, as printf asks. */
    put(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 4);
    put(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args), 0, 0);
    put(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 0, 1);
    put(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    put(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
    put(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 4);
    put(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8, 0, 0);
    put(BPF_JMP | BPF_JEQ | BPF_K, TCGETS, 0, 1);
    put(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    put(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
    put(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 3);
    put(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 4, 0, 0);
    put(BPF_JMP | BPF_JEQ | BPF_K, OWN_EXIT, 0, 1);
    put(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    put(BPF_RET | BPF_K, SECCOMP_RET_TRAP, 0, 0);
    struct sock_fprog program = {length, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

void graft_end(int how, int number) {
    graft_report->number = number;
    graft_report->how = how;
    for (;;) syscall(SYS_exit_group, (long)((unsigned long)OWN_EXIT << 32));
}
