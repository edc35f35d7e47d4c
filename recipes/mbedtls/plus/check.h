/* One line of TAP for each test; the plan follows at the end. */
#ifndef PLUS_CHECK_H
#define PLUS_CHECK_H

#include <stdio.h>
#include <string.h>

static int checks;

static void check(const char *name, int passed) {
    printf("%s %d - %s\n", passed ? "ok" : "not ok", ++checks, name);
    fflush(stdout);
}

static int done(void) {
    printf("1..%d\n", checks);
    return 0;
}

/* Numbers that look random and are the same each time. */
static unsigned long long seed = 0x2545F4914F6CDD1DULL;

static unsigned int draw(void) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned int) (seed >> 33);
}

static int fill(void *unused, unsigned char *to, size_t size) {
    (void) unused;
    while (size-- > 0) *to++ = (unsigned char) draw();
    return 0;
}

#endif
