/* At a call of the function the process forks: one fork runs the candidate's body, another the gold's, on the same
 * state. The process itself then goes on with the gold's. */
#include "graft.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* So many calls of a process are all compared; then fewer and fewer. */
#define FIRST_CALLS 100
#define MOST_SECONDS 4.0
#define MOST_DIFFERENCES 3
#define MOST_RESULTS (256 * 1024)
#define WAIT_SECONDS 15.0

int graft_side = REAL;
struct report *graft_report;
static struct report *reports[3];
static int owner, differences, nested, is_busy;
static long calls, next_call = 1;
static double spent;
static void **call_values;
static void *(*call_global)(int);
static uintptr_t call_frame;
static const char *shown = "?";

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int tell(long call, const char *what, const char *words) {
    char line[2048];
    struct stat found;
    int fd = open(GRAFT_RESULTS, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return 0;
    int is_room = !fstat(fd, &found) && found.st_size < MOST_RESULTS;
    int size = snprintf(line, sizeof line, "%s\t%d\t%ld\t%s\t%s\n", shown, owner, call, what, words);
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
    if (owner == getpid()) return reports[0] != NULL;
    owner = getpid();
    for (int i = 0; i < 3; i++) {
        void *made = mmap(NULL, sizeof(struct report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        reports[i] = made == MAP_FAILED ? NULL : made;
        if (!reports[i]) return 0;
    }
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    if (size > 0) {
        path[size] = 0;
        shown = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    }
    return tell(0, "", "");
}

/* In the fork 0; in the process the fork's end as `wait` gives it, -1 when it didn't end. `into` then says how the
 * body ended. */
static int forked(enum side side, struct report *into, int *status) {
    memset(into, 0, offsetof(struct report, text));
    long child = syscall(SYS_clone, 0, 0, 0, 0, 0);
    if (child == 0) {
        graft_side = side;
        graft_report = into;
        nested = 1;
        for (int i = 0; i < 3; i++)
            if (reports[i] != into) munmap(reports[i], sizeof(struct report));
        if (graft_shut()) _exit(120);
        graft_kept = graft_freed = 0;
        return 0;
    }
    *status = -1;
    if (child < 0) return 1;
    struct timespec pause = {0, 20000};
    double until = now() + WAIT_SECONDS;
    long ended;
    while ((ended = wait4((pid_t)child, status, __WALL | WNOHANG, NULL)) == 0 || (ended < 0 && errno == EINTR)) {
        if (now() > until) {
            kill((pid_t)child, SIGKILL);
            while (wait4((pid_t)child, status, __WALL, NULL) < 0 && errno == EINTR) {
            }
            *status = -1;
            break;
        }
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 1000000) pause.tv_nsec += pause.tv_nsec / 2;
    }
    return 1;
}

static void ending(const struct report *report, int status, char *words, size_t size) {
    if (status == -1 || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)))
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

/* Whether this is a fork, which goes on with a body. */
static int compare(long call) {
    char was[80], is[80], again[80], words[1024];
    struct timespec moment = {0, 3000000};
    int status;
    if (!forked(CANDIDATE, reports[0], &status)) return 1;
    ending(reports[0], status, is, sizeof is);
    if (!forked(GOLD, reports[1], &status)) return 1;
    ending(reports[1], status, was, sizeof was);
    if (reports[1]->how != RETURNED && (reports[1]->how != EXITED || status == -1)) {
        tell(call, "left", was);
        return 0;
    }
    if (!strcmp(was, is) && !graft_differs(reports[1], reports[0], reports[1], words, sizeof words)) {
        tell(call, "same", "");
        return 0;
    }
    /* Clocks go on. */
    nanosleep(&moment, NULL);
    if (!forked(GOLD, reports[2], &status)) return 1;
    ending(reports[2], status, again, sizeof again);
    if (strcmp(was, again)) {
        tell(call, "left", "it ends in another way when it runs again");
    } else if (strcmp(was, is)) {
        snprintf(words, sizeof words, "its end: %s; now %s", was, is);
        differences++;
        tell(call, "differs", words);
    } else if (graft_differs(reports[1], reports[0], reports[2], words, sizeof words)) {
        differences++;
        tell(call, "differs", words);
    } else {
        tell(call, "same", "");
    }
    return 0;
}

int NAMED(enter)(void **values, void *(*global)(int)) {
    if (graft_side != REAL) {
        nested++;
        return graft_side;
    }
    int error = errno;
    if (__atomic_exchange_n(&is_busy, 1, __ATOMIC_ACQUIRE)) return REAL;
    if (++calls >= next_call && spent < MOST_SECONDS && differences < MOST_DIFFERENCES) {
        next_call = calls < FIRST_CALLS ? calls + 1 : calls + 1 + calls / 4;
        call_values = values;
        call_global = global;
        call_frame = (uintptr_t)__builtin_frame_address(0);
        double begun = now();
        if (prepare() && compare(calls)) {
            errno = error;
            graft_report->error_before = error;
            return graft_side;
        }
        spent += now() - begun;
    }
    __atomic_store_n(&is_busy, 0, __ATOMIC_RELEASE);
    errno = error;
    return REAL;
}

void NAMED(leave)(void) {
    if (graft_side == REAL || --nested) return;
    graft_report->error = errno;
    graft_report->kept = graft_kept;
    graft_report->freed = graft_freed;
    fflush(stdout);
    graft_walk(call_values, call_global, call_frame);
    graft_end(RETURNED, 0);
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
