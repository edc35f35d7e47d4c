/* At a call of the function the process forks: one fork runs the candidate's body, another the gold's, on the same
 * state. The process itself then goes on with the gold's. */
#include "graft.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* So many calls of a process are all compared; then fewer and fewer. */
#define FIRST_CALLS 50
#define MOST_DIFFERENCES 3
/* Of all processes together. */
#define MOST_RESULTS (512 * 1024)
#define WAIT_SECONDS 15
#define FORK_MICROSECONDS 500
#define DIRTY_BYTES 8192
/* What was measured by a clock may differ the same way twice. */
#define CONFIRMATIONS 3

int graft_side = REAL;
struct report *graft_report;
unsigned long graft_memory;
/* The gold's two come first. */
struct report *graft_reports[CANDIDATE + MOST_CANDIDATES + 1];
struct shared *graft_shared;
static int owner, nested, is_busy, is_new, left_in_turn;
static long calls, next_call = 1;
static struct budget comparing;
static void **call_values;
static void *(*call_global)(int);
uintptr_t graft_frame;
static const char *shown = "?";

double graft_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int graft_may_spend(struct budget *budget) {
    long spent = __atomic_load_n(budget->spent, __ATOMIC_RELAXED);
    if (!budget->until) budget->until = spent + (budget->most - spent) / 2;
    return spent < budget->until;
}

int graft_tell(int candidate, long call, const char *what, const char *words) {
    char line[2048];
    struct stat found;
    int fd = open(GRAFT_RESULTS, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return 0;
    int is_room = !fstat(fd, &found) && found.st_size < MOST_RESULTS;
    int size = snprintf(line, sizeof line, "%d\t%s\t%ld\t%s\t%s\n", candidate, shown, call, what, words);
    if (size >= (int)sizeof line) {
        size = sizeof line;
        line[size - 1] = '\n';
    }
    for (int i = 0; i < size - 1; i++)
        if (line[i] == '\n') line[i] = ' ';
    if (is_room && what[0]) is_room = write(fd, line, (size_t)size) == size;
    close(fd);
    return is_room;
}

static int prepare(void) {
    static char path[512];
    int count = CANDIDATE_AGAIN + 1;
    if (owner == getpid()) return graft_reports[count - 1] != NULL;
    owner = getpid();
    int fd = open(GRAFT_RESULTS ".shared", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    void *shared = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *graft_shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0) close(fd);
    if (shared == MAP_FAILED) return 0;
    graft_shared = shared;
    comparing = (struct budget){&graft_shared->spent, NAMED(most_microseconds), 0};
    for (int i = 0; i < count; i++) {
        void *made = mmap(NULL, sizeof(struct report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        graft_reports[i] = made == MAP_FAILED ? NULL : made;
        if (!graft_reports[i]) return 0;
    }
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    if (size > 0) {
        path[size] = 0;
        shown = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    }
    FILE *sizes = fopen("/proc/self/statm", "re");
    if (!sizes || fscanf(sizes, "%lu", &graft_memory) != 1) return 0;
    fclose(sizes);
    graft_memory *= (unsigned long)sysconf(_SC_PAGESIZE);
    return graft_tell(-1, 0, "", "");
}

/* `status` is the fork's end as `wait` gives it, -1 when it didn't end; its report says how the body ended. */
int graft_forked(int side, int slot, int *status, unsigned seed) {
    struct report *into = graft_reports[slot];
    memset(into, 0, offsetof(struct report, called));
    long child = syscall(SYS_clone, 0, 0, 0, 0, 0);
    if (child == 0) {
        graft_side = side;
        graft_report = into;
        nested = 1;
        for (int i = 0; i <= CANDIDATE_AGAIN; i++)
            if (graft_reports[i] != into) munmap(graft_reports[i], sizeof(struct report));
        munmap(graft_shared, sizeof *graft_shared);
        if (graft_shut(seed != 0)) _exit(120);
        if (seed) graft_perturb(call_values, call_global, seed, into->changed, sizeof into->changed);
        graft_kept = graft_freed = 0;
        return 0;
    }
    *status = -1;
    if (child < 0) return 1;
    struct timespec pause = {0, 20000};
    struct rusage usage = {0};
    double until = graft_now() + WAIT_SECONDS;
    long ended;
    while ((ended = wait4((pid_t)child, status, __WALL | WNOHANG, &usage)) == 0 || (ended < 0 && errno == EINTR)) {
        if (graft_now() > until) {
            kill((pid_t)child, SIGKILL);
            while (wait4((pid_t)child, status, __WALL, &usage) < 0 && errno == EINTR) {
            }
            *status = -1;
            usage.ru_utime.tv_sec = WAIT_SECONDS;
            break;
        }
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 1000000) pause.tv_nsec += pause.tv_nsec / 2;
    }
    long spent = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    /* Making a fork costs its parent something too. */
    __atomic_fetch_add(seed ? &graft_shared->probing : &graft_shared->spent, spent + FORK_MICROSECONDS, __ATOMIC_RELAXED);
    return 1;
}

void graft_ending(const struct report *report, int status, char *words, size_t size) {
    if (status == -1 || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU ||
                                                     WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGKILL)))
        snprintf(words, size, "it doesn't end in time");
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        /* The filter's signal was blocked, as it is while a thread or a process is made. */
        snprintf(words, size, "it starts a thread or a process");
    else if (WIFSIGNALED(status))
        snprintf(words, size, "it ends by signal %d", WTERMSIG(status));
    else if (report->how == EXITED)
        snprintf(words, size, "it ends the process with status %d", report->number);
    else if (report->how == JUMPED)
        snprintf(words, size, "it leaves by a long jump");
    else if (report->how == LEFT)
        snprintf(words, size, "it makes system call %d", report->number);
    else if (report->how == RETURNED)
        snprintf(words, size, "it returns");
    else
        snprintf(words, size, "it doesn't return");
}

static int is_decided(void) {
    for (int i = 0; i < NAMED(candidate_count); i++)
        if (graft_shared->differences[i] < MOST_DIFFERENCES) return 0;
    return 1;
}

/* A difference at first sight. */
static int is_alike(int candidate) {
    static char words[1024];
    const struct report *gold = graft_reports[GOLD], *is = graft_reports[CANDIDATE + candidate];
    return !graft_differs((const struct report *[]){gold, gold}, (const struct report *[]){is, is}, words, sizeof words);
}

int graft_confirmed(int candidate, unsigned seed, char *words, size_t size) {
    static char ends[4][80];
    struct report **all = graft_reports;
    struct timespec moment = {0, 3000000};
    int status, slots[] = {GOLD_AGAIN, CANDIDATE_AGAIN};
    for (int time = 0; time < CONFIRMATIONS; time++) {
        nanosleep(&moment, NULL);
        for (int i = 0; i < 2; i++) {
            if (!graft_forked(i ? CANDIDATE + candidate : GOLD, slots[i], &status, seed)) return -1;
            graft_ending(all[slots[i]], status, ends[2 + i], sizeof *ends);
        }
        if (!time) memcpy(ends, ends + 2, 2 * sizeof *ends);
        if (strcmp(ends[0], ends[2]) || strcmp(ends[1], ends[3])) return 0;
        if (strcmp(ends[0], ends[1])) {
            /* No clock makes that, and waiting for what doesn't end is dear. */
            snprintf(words, size, "its end: %s; now %s", ends[0], ends[1]);
            return 1;
        }
        if (!graft_differs((const struct report *[]){all[GOLD], all[GOLD_AGAIN]},
                                (const struct report *[]){all[CANDIDATE + candidate], all[CANDIDATE_AGAIN]}, words, size))
            return 0;
    }
    return 1;
}

int graft_is_outermost(void) { return graft_side != REAL && nested == 1; }

int graft_tell_calls(int candidate, long call, unsigned seed, const char *changed) {
    static char words[1024], first[1024], told[1400];
    struct report **all = graft_reports;
    int status;
    if (graft_shared->called[candidate] >= MOST_DIFFERENCES) return 0;
    if (!graft_calls_differ(all[GOLD], all[CANDIDATE + candidate], first, sizeof first)) return 0;
    if (!graft_forked(CANDIDATE + candidate, CANDIDATE_AGAIN, &status, seed)) return 1;
    if (!graft_forked(GOLD, GOLD_AGAIN, &status, seed)) return 1;
    if (graft_calls_differ(all[GOLD], all[GOLD_AGAIN], words, sizeof words)) return 0;
    if (graft_calls_differ(all[CANDIDATE + candidate], all[CANDIDATE_AGAIN], words, sizeof words)) return 0;
    graft_shared->called[candidate]++;
    snprintf(told, sizeof told, "%s%s%s%s", changed[0] ? "with " : "", changed, changed[0] ? ": " : "", first);
    graft_tell(candidate, call, "calls", told);
    return 0;
}

/* Whether this is a fork, which goes on with a body. The candidates come first: none finds what the gold told. */
static int compare(long call) {
    static char was[80], is[MOST_CANDIDATES][80], words[1024];
    int status, count = NAMED(candidate_count);
    for (int i = 0; i < count; i++) {
        if (graft_shared->differences[i] >= MOST_DIFFERENCES) continue;
        if (!graft_forked(CANDIDATE + i, CANDIDATE + i, &status, 0)) return 1;
        graft_ending(graft_reports[CANDIDATE + i], status, is[i], sizeof is[i]);
    }
    if (!graft_forked(GOLD, GOLD, &status, 0)) return 1;
    graft_ending(graft_reports[GOLD], status, was, sizeof was);
    if (graft_reports[GOLD]->how != RETURNED && (graft_reports[GOLD]->how != EXITED || status == -1)) {
        graft_tell(-1, call, "left", was);
        left_in_turn++;
        return 0;
    }
    left_in_turn = 0;
    for (int i = 0; i < count; i++) {
        if (graft_shared->differences[i] >= MOST_DIFFERENCES) continue;
        int confirmed = !strcmp(was, is[i]) && is_alike(i) ? 0 : graft_confirmed(i, 0, words, sizeof words);
        if (confirmed < 0) return 1;
        graft_shared->differences[i] += confirmed && strcmp(was, is[i]) ? MOST_DIFFERENCES : confirmed;
        graft_tell(i, call, confirmed ? "differs" : "same", confirmed ? words : "");
        if (!strcmp(was, is[i]) && graft_tell_calls(i, call, 0, "")) return 1;
    }
    return graft_probe(call);
}

int NAMED(enter)(void **values, void *(*global)(int)) {
    if (graft_side != REAL) {
        nested++;
        return graft_side;
    }
    int error = errno;
    if (__atomic_exchange_n(&is_busy, 1, __ATOMIC_ACQUIRE)) return REAL;
    if (++calls >= next_call) {
        next_call = calls + 1 + (calls < FIRST_CALLS ? 0 : calls / 4) + (left_in_turn > 4 ? left_in_turn : 0);
        call_values = values;
        call_global = global;
        /* Where the body's frame will begin: above the two words that a call keeps. */
        graft_frame = (uintptr_t)__builtin_frame_address(0) + 2 * sizeof(void *);
        sigset_t all, before;
        sigfillset(&all);
        /* A handler that runs between two forks would change the state. */
        sigprocmask(SIG_SETMASK, &all, &before);
        is_new = prepare() && !is_decided() && graft_may_spend(&comparing) && compare(calls);
        sigprocmask(SIG_SETMASK, &before, NULL);
        if (is_new) {
            errno = error;
            graft_report->error_before = error;
            return graft_side;
        }
    }
    __atomic_store_n(&is_busy, 0, __ATOMIC_RELEASE);
    errno = error;
    return REAL;
}

/* A body that reads what it didn't set finds sevens: its frame takes the place of this one. */
void NAMED(ready)(void) {
    volatile unsigned char below[DIRTY_BYTES];
    if (!is_new) return;
    is_new = 0;
    for (size_t i = 0; i < sizeof below; i++) below[i] = '7';
}

/* What a body changed about signals, which no memory shows. */
static void tell_signals(void) {
    struct sigaction action;
    sigset_t blocked;
    char name[40], text[40];
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    for (int i = 1; i < 32; i++) {
        if (i == SIGSYS || i == SIGKILL || i == SIGSTOP || sigaction(i, NULL, &action)) continue;
        snprintf(name, sizeof name, "what signal %d does", i);
        snprintf(text, sizeof text, "%lx%s", (unsigned long)action.sa_handler, sigismember(&blocked, i) ? ", blocked" : "");
        graft_line(name, text);
    }
}

static void left(const char *thrown) {
    if (graft_side == REAL || --nested) return;
    graft_report->error = errno;
    graft_report->kept = graft_kept;
    graft_report->freed = graft_freed;
    fflush(stdout);
    if (thrown) graft_line("its exception", thrown);
    tell_signals();
    graft_walk(call_values, call_global, graft_frame);
    graft_end(RETURNED, 0);
}

void NAMED(leave)(void) { left(NULL); }

/* The type of the exception that is being handled; std::type_info holds its name behind a pointer. */
extern __attribute__((weak)) const struct {
    void *virtual_functions;
    const char *name;
} *__cxa_current_exception_type(void);

void NAMED(threw)(void) {
    const char *name = "of unknown type";
    if (__cxa_current_exception_type && __cxa_current_exception_type()) name = __cxa_current_exception_type()->name;
    left(name);
}

#define JUMP(name)                                                                 \
    extern __attribute__((weak, noreturn)) void __real_##name(void *where, int value); \
    void __attribute__((noreturn)) __wrap_##name(void *where, int value) {        \
        if (graft_side != REAL) graft_end(JUMPED, 0);                              \
        __real_##name(where, value);                                               \
    }
JUMP(longjmp)
JUMP(siglongjmp)
JUMP(_longjmp)
JUMP(__longjmp_chk)
