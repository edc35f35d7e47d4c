/*---
 * tasks: [gu_fifo_pop_head-96b885]
 * tests:
 *   the next item is at the head: 'Docstring: "Advances FIFO head".'
 *   there is one item less: 'gu_fifo.h: gu_fifo_length, "how many items are in the queue".'
 *   the FIFO is unlocked: 'Docstring: "unlocks FIFO"; gu_fifo.h: "release FIFO".'
 *   other threads can lock it: 'Docstring: "unlocks FIFO".'
 *   the last item leaves an empty FIFO: 'gu_fifo.h: "Advance FIFO head pointer".'
 *   it can be filled again: 'gu_fifo.h: "as infinite as an ordinary linked list".'
 *   items come out as they went in: 'gu_fifo.h: Queue (FIFO).'
 *   the head comes round to the start: 'gu_fifo.c: "Increment and roll over".'
 *   rows that were emptied are given back: 'gu_fifo.h: "taking up minimum space when there are few items".'
 *   a row is kept while items are in it: 'gu_fifo.c: rows; the items in them.'
 *   a putter that waits goes on: 'gu_fifo_get_tail: "otherwise blocks"; put_wait is counted for that.'
 *   each putter that waits goes on: 'gu_fifo_get_tail: "otherwise blocks"; one item less for each.'
 *   the lowest length is noted: 'gu_fifo.h: gu_fifo_stats_get, q_len_min.'
 *   the highest and the average length stay: 'gu_fifo.h: "on average per push_tail()".'
 *   a closed FIFO is emptied: 'gu_fifo_get_head: items are fetched; gu_fifo.h: -ENODATA when closed.'
 *   who waits for the last item to go does go on: 'fifo_flush: "getters to signal every time item is removed".'
 *   items of any size are left: 'gu_fifo.h: unit.'
 *   all is given back at the end: 'gu_fifo.h: destructor.'
 ---*/
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include "galerautils.h"
#include "gu_fifo.h"
#include "ok.h"

/* Large blocks that are in use: rows have 1024 items at least. */
static long rows;

extern void *__libc_malloc(size_t size);
extern void __libc_free(void *at);

void *malloc(size_t size)
{
    void *at = __libc_malloc(size);
    if (at && size >= 4096) __sync_add_and_fetch(&rows, 1);
    return at;
}

void free(void *at)
{
    if (at && malloc_usable_size(at) >= 4096) __sync_sub_and_fetch(&rows, 1);
    __libc_free(at);
}

static void put(gu_fifo_t *q, int value)
{
    int *at = gu_fifo_get_tail(q);
    if (!at) return;
    *at = value;
    gu_fifo_push_tail(q);
}

static int take(gu_fifo_t *q)
{
    int err = 0, *at = gu_fifo_get_head(q, &err), value;
    if (!at) return err;
    value = *at;
    gu_fifo_pop_head(q);
    return value;
}

static volatile int done;

static void *lock(void *q)
{
    gu_fifo_lock(q);
    gu_fifo_release(q);
    done++;
    return NULL;
}

static void *putter(void *q)
{
    put(q, 777);
    __sync_add_and_fetch(&done, 1);
    return NULL;
}

static void *destroyer(void *q)
{
    gu_fifo_destroy(q);
    done++;
    return NULL;
}

/* Until so many have come to their end, or for a few seconds. */
static bool wait_for(int count)
{
    for (int i = 0; i < 4000 && done < count; i++) usleep(1000);
    return done >= count;
}

int main(void)
{
    limit();
    gu_fifo_t *q = gu_fifo_create(2048, sizeof(int));
    int err, *at;
    for (int i = 1; i <= 3; i++) put(q, i);
    at = gu_fifo_get_head(q, &err);
    bool first = at && *at == 1;
    gu_fifo_pop_head(q);
    const long two = gu_fifo_length(q);
    pthread_t thread;
    pthread_create(&thread, NULL, lock, q);
    const bool unlocked = wait_for(1);
    ok("other threads can lock it", unlocked);
    if (!unlocked) return 1;
    pthread_join(thread, NULL);
    at = gu_fifo_get_head(q, &err);
    ok("the next item is at the head", first && at && *at == 2);
    gu_fifo_pop_head(q);
    ok("there is one item less", two == 2 && gu_fifo_length(q) == 1);
    gu_fifo_lock(q);
    gu_fifo_release(q);
    put(q, 4);
    ok("the FIFO is unlocked", gu_fifo_length(q) == 2 && take(q) == 3);
    bool last = take(q) == 4;
    ok("the last item leaves an empty FIFO", last && gu_fifo_length(q) == 0);
    put(q, 5);
    ok("it can be filled again", gu_fifo_length(q) == 1 && take(q) == 5 && gu_fifo_length(q) == 0);
    bool order = true;
    for (int i = 0; i < 1000; i++) put(q, i * 3 + 1);
    order = gu_fifo_length(q) == 1000;
    for (int i = 0; i < 1000; i++) order = take(q) == i * 3 + 1 && order;
    ok("items come out as they went in", order && gu_fifo_length(q) == 0);
    bool round = true;
    for (int i = 0; i < 9000; i++) {
        put(q, i);
        put(q, -i);
        round = take(q) == i && take(q) == -i && round;
    }
    for (int i = 0; i < 500; i++) put(q, i);
    for (int i = 500; i < 7000; i++) {
        put(q, i);
        round = take(q) == i - 500 && round;
    }
    for (int i = 6500; i < 7000; i++) round = take(q) == i && round;
    ok("the head comes round to the start", round && gu_fifo_length(q) == 0);
    gu_fifo_close(q);
    gu_fifo_destroy(q);

    long before = rows;
    q = gu_fifo_create(2048, sizeof(int));
    for (int i = 0; i < 2048; i++) put(q, i);
    const long full = rows;
    bool kept = true;
    for (int i = 0; i < 1023; i++) kept = take(q) == i && kept;
    kept = kept && rows == full;
    at = gu_fifo_get_head(q, &err);
    kept = kept && *at == 1023;
    gu_fifo_pop_head(q);
    bool given = rows == full - 1;
    for (int i = 1024; i < 2047; i++) kept = take(q) == i && kept;
    ok("a row is kept while items are in it", kept && rows == full - 1);
    take(q);
    ok("rows that were emptied are given back", given && rows == full - 2);
    gu_fifo_close(q);
    gu_fifo_destroy(q);
    bool all = rows == before;

    q = gu_fifo_create(2048, sizeof(int));
    for (int i = 0; i < 2048; i++) put(q, i);
    done = 0;
    pthread_create(&thread, NULL, putter, q);
    usleep(20000);
    bool waits = done == 0;
    take(q);
    bool woken = wait_for(1);
    ok("a putter that waits goes on", waits && woken && gu_fifo_length(q) == 2048);
    if (!woken) return 1;
    pthread_join(thread, NULL);
    pthread_t more[3];
    done = 0;
    for (int i = 0; i < 3; i++) pthread_create(&more[i], NULL, putter, q);
    usleep(20000);
    waits = done == 0;
    for (int i = 0; i < 3; i++) take(q);
    woken = wait_for(3);
    ok("each putter that waits goes on", waits && woken && gu_fifo_length(q) == 2048);
    if (!woken) return 1;
    for (int i = 0; i < 3; i++) pthread_join(more[i], NULL);
    /* That queue stays as it is: a full one that went round shares a row between its head and its tail. */
    before = rows;

    q = gu_fifo_create(2048, sizeof(int));
    for (int i = 0; i < 10; i++) put(q, i);
    gu_fifo_stats_flush(q);
    int now, max, min, max_before, min_before;
    double average, average_before;
    gu_fifo_stats_get(q, &now, &max_before, &min_before, &average_before);
    put(q, 10);
    put(q, 11);
    gu_fifo_stats_get(q, &now, &max_before, &min, &average_before);
    for (int i = 0; i < 6; i++) take(q);
    gu_fifo_stats_get(q, &now, &max, &min, &average);
    bool lowest = now == 6 && min == 6 && min_before == 10;
    for (int i = 0; i < 3; i++) put(q, i);
    take(q);
    int after;
    gu_fifo_stats_get(q, &now, &after, &min, &average_before);
    ok("the lowest length is noted", lowest && now == 8 && min == 6);
    ok("the highest and the average length stay", max_before == 12 && max == 12 && after == 12 && average == 10.5);
    while (gu_fifo_length(q)) take(q);
    put(q, 1);
    put(q, 2);
    gu_fifo_close(q);
    bool closed = take(q) == 1 && take(q) == 2 && take(q) == -ENODATA;
    gu_fifo_open(q);
    put(q, 3);
    ok("a closed FIFO is emptied", closed && take(q) == 3);
    put(q, 4);
    put(q, 5);
    done = 0;
    pthread_create(&thread, NULL, destroyer, q);
    usleep(20000);
    waits = done == 0;
    bool rest = take(q) == 4;
    usleep(20000);
    waits = waits && done == 0;
    rest = rest && take(q) == 5;
    woken = wait_for(1);
    ok("who waits for the last item to go does go on", waits && rest && woken);
    if (!woken) return 1;
    pthread_join(thread, NULL);

    struct big {
        long a[9];
        char c;
    } *item;
    q = gu_fifo_create(3000, sizeof(struct big));
    bool sizes = true;
    for (int i = 0; i < 3000; i++) {
        item = gu_fifo_get_tail(q);
        memset(item, i, sizeof *item);
        item->a[8] = i;
        gu_fifo_push_tail(q);
    }
    for (int i = 0; i < 3000; i++) {
        item = gu_fifo_get_head(q, &err);
        sizes = sizes && item && item->a[8] == i && item->c == (char)i;
        gu_fifo_pop_head(q);
    }
    ok("items of any size are left", sizes && gu_fifo_length(q) == 0);
    gu_fifo_close(q);
    gu_fifo_destroy(q);
    ok("all is given back at the end", all && rows == before);
    return plan();
}
