/*---
 * tasks: [cliWriteConn-070294.4]
 * link: [cli_common.o]
 * goals: [src/redis-benchmark]
 * tests:
 *   each key gets twelve digits: 'createClient: __rand_int__ has twelve characters; the usage of redis-benchmark: "Use random keys".'
 *   a number is below the length of the keyspace: 'Usage: "-r <keyspacelen> ... The keys are within 0 and keyspacelen - 1".'
 *   numbers are filled with zeros from the left: 'Usage: "key:{tag}:__rand_int__ ... 12 digits".'
 *   all numbers of a small keyspace come: 'Usage: "random".'
 *   each place of a command gets its own number: 'createClient: randptr points to each of the strings.'
 *   a keyspace of 0 gives 0: 'config: randomkeys_keyspacelen.'
 *   a large keyspace uses its high digits: 'Usage: -r <keyspacelen>.'
 *   nothing beside the digits is changed: 'createClient: randptr points to strings of twelve characters.'
 *   a client without such keys is left alone: 'createClient: randlen 0.'
 *   it may be done again and again: 'writeHandler: for each request.'
 ---*/
#define main benchmark_main
#include "../redis-benchmark.c"
#undef main
#include "../testhelp.h"

static char text[200];
static char *places[4];
static struct _client c;

static void set(const char *command) {
    strcpy(text, command);
    c.randlen = 0;
    for (char *p = text; (p = strstr(p, "__rand_int__")) != NULL; p += 12) places[c.randlen++] = p;
    c.randptr = places;
}

/* The number at a place; -1 for what isn't twelve digits. */
static long long at(int place) {
    long long n = 0;
    for (int j = 0; j < 12; j++) {
        if (places[place][j] < '0' || places[place][j] > '9') return -1;
        n = n * 10 + places[place][j] - '0';
    }
    return n;
}

int main(void) {
    srandom(12345);
    config.randomkeys_keyspacelen = 10;
    int digits = 1, below = 1, filled = 1, own = 0, beside = 1, seen[10] = {0};
    for (int j = 0; j < 500; j++) {
        set("GET key:__rand_int__ or:__rand_int__!__rand_int__;");
        randomizeClientKey(&c);
        for (int k = 0; k < 3; k++) {
            digits &= at(k) >= 0;
            below &= at(k) >= 0 && at(k) < 10;
            filled &= !strncmp(places[k], "00000000000", 11);
            if (at(k) >= 0 && at(k) < 10) seen[at(k)]++;
        }
        own += at(0) != at(1) || at(1) != at(2);
        beside &= !strncmp(text, "GET key:", 8) && !strncmp(text + 20, " or:", 4) && text[36] == '!' && !strcmp(text + 49, ";");
    }
    int all = 1;
    for (int j = 0; j < 10; j++) all &= seen[j] > 50;
    test_cond("each key gets twelve digits", digits);
    test_cond("a number is below the length of the keyspace", below);
    test_cond("numbers are filled with zeros from the left", filled);
    test_cond("all numbers of a small keyspace come", all);
    test_cond("each place of a command gets its own number", own > 300);
    config.randomkeys_keyspacelen = 0;
    set("__rand_int__ __rand_int__"), randomizeClientKey(&c);
    test_cond("a keyspace of 0 gives 0", at(0) == 0 && at(1) == 0);
    config.randomkeys_keyspacelen = 2000000000;
    long long most = 0;
    for (int j = 0; j < 200; j++) {
        set("__rand_int__"), randomizeClientKey(&c);
        below &= at(0) >= 0 && at(0) < 2000000000;
        if (at(0) > most) most = at(0);
    }
    test_cond("a large keyspace uses its high digits", below && most > 1500000000);
    test_cond("nothing beside the digits is changed", beside);
    set("GET key"), randomizeClientKey(&c);
    test_cond("a client without such keys is left alone", !strcmp(text, "GET key"));
    config.randomkeys_keyspacelen = 1000000;
    set("__rand_int__");
    int changes = 0;
    long long before = -1;
    for (int j = 0; j < 50; j++) randomizeClientKey(&c), changes += at(0) != before && at(0) >= 0 && at(0) < 1000000, before = at(0);
    test_cond("it may be done again and again", changes > 45);
    test_report();
    return 0;
}
