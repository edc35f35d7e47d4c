#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A loop without end is stopped by its CPU time: on a loaded machine wall time says little. */
enum { CPU_SECONDS = 1, WALL_SECONDS = 10, MOST_TESTS = 200 };

struct test_case {
    const char *name;
    void (*run)(void);
};

static struct test_case cases[MOST_TESTS];
static int count;

/* The child tells its parent through this pipe; an empty message means that the test never came to its end. */
static int verdict_pipe[2];

void test_add(const char *name, void (*run)(void))
{
    if (count < MOST_TESTS)
        cases[count++] = (struct test_case){name, run};
}

static void say(const char *message)
{
    ssize_t written = write(verdict_pipe[1], message, strlen(message));
    _exit(written < 0 ? 3 : 0);
}

void test_fail(const char *file, int line, const char *format, ...)
{
    char message[400];
    int used = snprintf(message, sizeof message, "%s:%d: ", file, line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message + used, sizeof message - (size_t)used, format, arguments);
    va_end(arguments);
    say(message);
}

void check_int(const char *file, int line, const char *text, long long got, long long want)
{
    if (got != want)
        test_fail(file, line, "%s: %lld is not %lld", text, got, want);
}

void check_str(const char *file, int line, const char *text, const char *got, const char *want)
{
    if (got == NULL || want == NULL) {
        if (got != want)
            test_fail(file, line, "%s: one of them is NULL", text);
    } else if (strcmp(got, want) != 0) {
        test_fail(file, line, "%s: \"%s\" is not \"%s\"", text, got, want);
    }
}

static int run_one(const struct test_case *test)
{
    char message[400];
    size_t length = 0;
    int status = 0;
    fflush(stdout);
    if (pipe(verdict_pipe) != 0) {
        printf("FAIL %s: no pipe\n", test->name);
        return 0;
    }
    pid_t child = fork();
    if (child < 0) {
        printf("FAIL %s: no process\n", test->name);
        return 0;
    }
    if (child == 0) {
        close(verdict_pipe[0]);
        setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_SECONDS, CPU_SECONDS + 1});
        alarm(WALL_SECONDS);
        test->run();
        say("ok");
    }
    close(verdict_pipe[1]);
    while (length < sizeof message - 1) {
        ssize_t got = read(verdict_pipe[0], message + length, sizeof message - 1 - length);
        if (got <= 0)
            break;
        length += (size_t)got;
    }
    message[length] = '\0';
    close(verdict_pipe[0]);
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
        printf("FAIL %s: killed by signal %d\n", test->name, WTERMSIG(status));
        return 0;
    }
    if (strcmp(message, "ok") == 0) {
        printf("PASS %s\n", test->name);
        return 1;
    }
    for (char *c = message; *c != '\0'; c++)
        if (*c == '\n')
            *c = ' ';
    printf("FAIL %s: %s\n", test->name, length > 0 ? message : "left before its end");
    return 0;
}

static int wanted(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return 1;
    return argc < 2;
}

int main(int argc, char **argv)
{
    int ran = 0;
    int failed = 0;
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (int i = 0; i < count; i++)
            printf("%s\n", cases[i].name);
        return 0;
    }
    for (int i = 0; i < count; i++) {
        if (!wanted(cases[i].name, argc, argv))
            continue;
        ran++;
        failed += !run_one(&cases[i]);
    }
    printf("%d tests, %d failed\n", ran, failed);
    return ran == 0 ? 2 : failed > 0;
}
