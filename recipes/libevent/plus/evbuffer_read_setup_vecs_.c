/*---
 * tasks: [evbuffer_read_setup_vecs_-0859df]
 * tests:
 *   an empty buffer with space needs one vector: 'Docstring: "The number of buffers we are using".'
 *   the vector is at the free space: 'evbuffer-internal.h: "to point to the free memory and its extent".'
 *   exactly as much as is wanted is offered: 'Docstring: "we do not provide more than howmuch space".'
 *   the first chain is told: 'Docstring: "to hold the first chain we are reading into".'
 *   if not exact all the space is offered: 'Docstring: exact, "even if more space is available".'
 *   the space begins behind the data: 'evbuffer-internal.h: "point to the free memory".'
 *   the space begins behind data whose start was drained: 'evbuffer-internal.h: "free memory"; misalign.'
 *   less than the space of a chain is one vector: 'Docstring: howmuch, exact.'
 *   just the space of a chain is one vector: 'Docstring: "The number of buffers we are using".'
 *   one byte more is two vectors: 'Docstring: howmuch; "The number of buffers we are using".'
 *   two chains are filled one after the other: 'Docstring: "which space to use for reading data".'
 *   the second vector has just the rest: 'Docstring: "we do not provide more than howmuch".'
 *   if not exact the second vector has all its space: 'Docstring: exact.'
 *   a full chain is passed over: 'Docstring: "the first chain we are reading into".'
 *   three chains need three vectors: 'Docstring: "The number of buffers we are using".'
 *   no more vectors are used than there are: 'Docstring: "The length of vecs".'
 *   vectors that are not used stay as they are: 'Docstring: "The length of vecs".'
 *   memory that is read only is passed over: 'evbuffer-internal.h: EVBUFFER_IMMUTABLE, "read-only chain".'
 *   memory of another buffer is not offered: 'evbuffer-internal.h: EVBUFFER_IMMUTABLE; evbuffer_add_buffer_reference.'
 *   the buffer stays as it is: 'Docstring: "figure out which space to use"; callers count the bytes afterwards.'
 *   what is read goes into the buffer in order: 'Caller evbuffer_read.'
 *   what is read after what was there goes behind it: 'Caller evbuffer_read.'
 *   reserved space is used: 'Caller evbuffer_reserve_space, before evbuffer_commit_space.'
 ---*/
#include "plus.h"
#include "event2/buffer.h"
#include "event2/buffer_compat.h"
#include "evbuffer-internal.h"

static unsigned char data[20000], into[20000];
static struct evbuffer_iovec vecs[8];
static struct evbuffer_chain **chainp;

static size_t space(struct evbuffer_chain *c) {
    return c->buffer_len - c->misalign - c->off;
}

static void *end(struct evbuffer_chain *c) {
    return c->buffer + c->misalign + c->off;
}

static int setup(struct evbuffer *b, ev_ssize_t howmuch, int most, int exact) {
    for (int i = 0; i < 8; i++) {
        vecs[i].iov_base = vecs;
        vecs[i].iov_len = 12345678;
    }
    chainp = NULL;
    return evbuffer_read_setup_vecs_(b, howmuch, vecs, most, &chainp, exact);
}

static int unused(int from) {
    for (int i = from; i < 8; i++) if (vecs[i].iov_base != vecs || vecs[i].iov_len != 12345678) return 0;
    return 1;
}

/* A buffer whose first chain has FREE bytes left. */
static struct evbuffer *nearly_full(size_t left) {
    struct evbuffer *b = evbuffer_new();
    if (evbuffer_expand_fast_(b, 100, 4) || space(b->first) <= left) exit(2);
    if (evbuffer_add(b, data, space(b->first) - left) || b->first->next || space(b->first) != left) exit(2);
    return b;
}

int main(void) {
    plus_start();
    plus_fill(data, 0, sizeof(data));
    struct evbuffer *b = evbuffer_new();
    if (evbuffer_expand_fast_(b, 100, 4)) exit(2);
    int n = setup(b, 100, 4, 1);
    ok("an empty buffer with space needs one vector", n == 1);
    ok("the vector is at the free space", vecs[0].iov_base == b->first->buffer);
    ok("exactly as much as is wanted is offered", vecs[0].iov_len == 100);
    ok("the first chain is told", chainp == &b->first);
    n = setup(b, 100, 4, 0);
    ok("if not exact all the space is offered",
       n == 1 && vecs[0].iov_base == b->first->buffer && vecs[0].iov_len == space(b->first) && chainp == &b->first);
    evbuffer_add(b, data, 30);
    n = setup(b, 100, 4, 1);
    ok("the space begins behind the data",
       n == 1 && vecs[0].iov_base == end(b->first) && vecs[0].iov_len == 100 && chainp == &b->first);
    evbuffer_drain(b, 20);
    n = setup(b, 100, 4, 1);
    ok("the space begins behind data whose start was drained",
       n == 1 && vecs[0].iov_base == end(b->first) && vecs[0].iov_len == 100 && b->first->misalign == 20);
    evbuffer_free(b);

    b = nearly_full(10);
    if (evbuffer_expand_fast_(b, 100, 4) || !b->first->next) exit(2);
    struct evbuffer_chain *one = b->first, *two = one->next;
    size_t length = evbuffer_get_length(b), off = one->off;
    struct evbuffer_chain **with_data = b->last_with_datap;
    n = setup(b, 5, 4, 1);
    ok("less than the space of a chain is one vector",
       n == 1 && vecs[0].iov_base == end(one) && vecs[0].iov_len == 5 && unused(1));
    n = setup(b, 10, 4, 1);
    ok("just the space of a chain is one vector",
       n == 1 && vecs[0].iov_base == end(one) && vecs[0].iov_len == 10 && unused(1));
    n = setup(b, 11, 4, 1);
    ok("one byte more is two vectors", n == 2 && vecs[0].iov_len == 10 && vecs[1].iov_len == 1);
    n = setup(b, 100, 4, 1);
    ok("two chains are filled one after the other",
       n == 2 && vecs[0].iov_base == end(one) && vecs[1].iov_base == end(two) && chainp == &b->first);
    ok("the second vector has just the rest", vecs[0].iov_len == 10 && vecs[1].iov_len == 90);
    n = setup(b, 100, 4, 0);
    ok("if not exact the second vector has all its space",
       n == 2 && vecs[0].iov_len == 10 && vecs[1].iov_len == space(two));
    ok("the buffer stays as it is",
       evbuffer_get_length(b) == length && one->off == off && two->off == 0 && b->last_with_datap == with_data &&
       b->first == one && b->last == two && !two->next);
    size_t much = 10 + space(two) + 500;
    if (evbuffer_expand_fast_(b, much, 4) || !two->next) exit(2);
    struct evbuffer_chain *three = two->next;
    n = setup(b, much, 4, 1);
    ok("three chains need three vectors",
       n == 3 && vecs[1].iov_len == space(two) && vecs[2].iov_base == end(three) && vecs[2].iov_len == 500 &&
       unused(3));
    n = setup(b, much, 2, 1);
    ok("no more vectors are used than there are", n == 2 && vecs[0].iov_len == 10 && vecs[1].iov_len == space(two));
    ok("vectors that are not used stay as they are", unused(2));
    evbuffer_free(b);

    b = nearly_full(0);
    if (evbuffer_expand_fast_(b, 50, 4) || !b->first->next) exit(2);
    n = setup(b, 50, 4, 1);
    ok("a full chain is passed over", n == 1 && vecs[0].iov_base == end(b->first->next) && vecs[0].iov_len == 50 &&
       chainp == &b->first->next);
    evbuffer_free(b);

    b = evbuffer_new();
    evbuffer_add_reference(b, data, 5, NULL, NULL);
    if (evbuffer_expand_fast_(b, 60, 4) || !b->first->next) exit(2);
    n = setup(b, 60, 4, 1);
    ok("memory that is read only is passed over", n == 1 && vecs[0].iov_base == end(b->first->next) &&
       vecs[0].iov_len == 60 && chainp == &b->first->next);
    evbuffer_free(b);
    struct evbuffer *source = evbuffer_new();
    b = evbuffer_new();
    evbuffer_add(source, data, 5);
    evbuffer_add_buffer_reference(b, source);
    if (evbuffer_expand_fast_(b, 60, 4) || !b->first->next) exit(2);
    n = setup(b, 60, 4, 1);
    ok("memory of another buffer is not offered", n == 1 && vecs[0].iov_base == end(b->first->next) &&
       vecs[0].iov_len == 60 && chainp == &b->first->next);
    evbuffer_free(b);
    evbuffer_free(source);

    int s[2];
    plus_sockets(s);
    b = evbuffer_new();
    size_t from = 0, to = 0;
    int good = 1;
    for (int i = 1; i < 60; i++) {
        size_t size = i * 37 % 500 + 1;
        (void)!write(s[1], data + from, size);
        from += size;
        int took = 0;
        while (took < (int)size && good) {
            n = evbuffer_read(b, s[0], i % 3 ? -1 : 100);
            good = n > 0;
            took += n;
        }
        if (i % 7 == 0) evbuffer_expand(b, 3000);
    }
    n = evbuffer_remove(b, into, sizeof(into));
    ok("what is read goes into the buffer in order", good && n == (int)from && plus_bytes(into, 0, from));
    evbuffer_free(b);
    good = 1;
    for (int left = 0; left < 40; left += 13) {
        b = nearly_full(left);
        to = evbuffer_get_length(b);
        (void)!write(s[1], data + to, 2000);
        n = evbuffer_read(b, s[0], 2000);
        good &= n == 2000 && evbuffer_get_length(b) == to + 2000;
        evbuffer_add(b, data + to + 2000, 100);
        good &= evbuffer_remove(b, into, sizeof(into)) == (int)to + 2100 && plus_bytes(into, 0, to + 2100);
        evbuffer_free(b);
    }
    ok("what is read after what was there goes behind it", good);
    b = nearly_full(10);
    to = evbuffer_get_length(b);
    n = evbuffer_reserve_space(b, 2000, vecs, 2);
    from = to;
    for (int i = 0; i < n && i < 2; i++) {
        if (vecs[i].iov_len > to + 2000 - from) vecs[i].iov_len = to + 2000 - from;
        memcpy(vecs[i].iov_base, data + from, vecs[i].iov_len);
        from += vecs[i].iov_len;
    }
    good = n > 0 && from == to + 2000 && evbuffer_commit_space(b, vecs, n) == 0;
    ok("reserved space is used",
       good && evbuffer_remove(b, into, sizeof(into)) == (int)from && plus_bytes(into, 0, from));
    return plus_end();
}
