/*---
 * tasks: [evbuffer_remove-109380]
 * tests:
 *   the number of bytes read is returned: 'Docstring in buffer.h: "the number of bytes read".'
 *   the bytes are those at the start: 'Docstring: "Reads data from an event buffer".'
 *   the bytes read are drained: 'Docstring: "drains the bytes read".'
 *   no more than is asked for is written: 'buffer.h: "the maximum size of the destination buffer".'
 *   the rest is read next: 'Docstring: "drains the bytes read".'
 *   of less data all is extracted: 'buffer.h: "only extract as many bytes as were available".'
 *   behind the bytes read nothing is written: 'buffer.h: "the number of bytes read".'
 *   just all there is can be read: 'buffer.h: "as many bytes as were available".'
 *   an empty buffer gives no bytes: 'buffer.h: "as many bytes as were available".'
 *   no bytes can be asked for: 'buffer.h: "the maximum size of the destination buffer".'
 *   the largest size is fine: 'buffer.h: "If more bytes are requested than are available".'
 *   several pieces are read in order: 'Docstring; evbuffers are lists of chunks (buffer.h).'
 *   a part of several pieces is read: 'Docstring: "drains the bytes read".'
 *   the end of a piece is no special place: 'Docstring: "drains the bytes read".'
 *   more data can be added afterwards: 'buffer.h: evbuffer_add after it.'
 *   a buffer whose start is frozen is an error: 'buffer.h: "-1 if we can not drain the buffer".'
 *   then the buffer stays whole: 'buffer.h, evbuffer_freeze: "Prevent calls that modify an evbuffer from succeeding".'
 *   a buffer whose end is frozen can be read: 'buffer.h, evbuffer_freeze: the front and the back are two things.'
 *   callbacks are told how much was removed: 'buffer.h: n_deleted, "number of bytes removed".'
 *   callbacks see the buffer without the bytes: 'buffer.h, evbuffer_add_cb: called when the buffer is modified.'
 *   nothing removed calls no callback: 'buffer.h: "invoked whenever data is added or removed".'
 *   memory that was lent is given back: 'buffer.h, evbuffer_add_reference: the cleanup "when no longer needed".'
 *   another thread never gets the same bytes: 'buffer.h, evbuffer_enable_locking: "safely used by multiple threads".'
 *   the lock is free afterwards: 'buffer.h, evbuffer_enable_locking.'
 *   the lock is free after an error too: 'buffer.h, evbuffer_enable_locking.'
 *   nothing is left in memory: 'buffer.h: evbuffer_free.'
 ---*/
#include "plus.h"
#include "event2/buffer.h"

static unsigned char data[20000], into[20000], stolen[3];
static size_t deleted, added, length, calls, cleaned;
static struct evbuffer *shared;
static int stole;

static void changed(struct evbuffer *b, const struct evbuffer_cb_info *info, void *arg) {
    calls++;
    deleted += info->n_deleted;
    added += info->n_added;
    length = evbuffer_get_length(b);
}

static void clean(const void *what, size_t size, void *arg) {
    cleaned += size;
}

static void steal(void) {
    stole = evbuffer_remove(shared, stolen, 3);
}

int main(void) {
    plus_start();
    plus_fill(data, 0, sizeof(data));
    struct evbuffer *b = evbuffer_new();
    evbuffer_add(b, data, 100);
    memset(into, 0xee, 300);
    int n = evbuffer_remove(b, into, 60);
    ok("the number of bytes read is returned", n == 60);
    ok("the bytes are those at the start", plus_bytes(into, 0, 60));
    ok("the bytes read are drained", evbuffer_get_length(b) == 40);
    ok("no more than is asked for is written", into[60] == 0xee && into[99] == 0xee);
    memset(into, 0xee, 300);
    n = evbuffer_remove(b, into, 200);
    ok("the rest is read next", plus_bytes(into, 60, 40));
    ok("of less data all is extracted", n == 40 && evbuffer_get_length(b) == 0);
    ok("behind the bytes read nothing is written", into[40] == 0xee && into[199] == 0xee);
    evbuffer_add(b, data, 70);
    n = evbuffer_remove(b, into, 70);
    ok("just all there is can be read", n == 70 && plus_bytes(into, 0, 70) && evbuffer_get_length(b) == 0);
    memset(into, 0xee, 300);
    n = evbuffer_remove(b, into, 10);
    ok("an empty buffer gives no bytes", n == 0 && into[0] == 0xee);
    evbuffer_add(b, data, 20);
    n = evbuffer_remove(b, into, 0);
    ok("no bytes can be asked for", n == 0 && into[0] == 0xee && evbuffer_get_length(b) == 20);
    n = evbuffer_remove(b, into, EV_SIZE_MAX);
    ok("the largest size is fine", n == 20 && plus_bytes(into, 0, 20) && into[20] == 0xee);

    for (int i = 0; i < 20; i++) evbuffer_add_reference(b, data + i * 50, 50, clean, NULL);
    n = evbuffer_remove(b, into, 120);
    ok("a part of several pieces is read", n == 120 && plus_bytes(into, 0, 120) && evbuffer_get_length(b) == 880);
    n = evbuffer_remove(b, into, 30);
    int good = n == 30 && plus_bytes(into, 120, 30);
    n = evbuffer_remove(b, into, 50);
    ok("the end of a piece is no special place", good && n == 50 && plus_bytes(into, 150, 50));
    n = evbuffer_remove(b, into, 800);
    ok("several pieces are read in order", n == 800 && plus_bytes(into, 200, 800) && evbuffer_get_length(b) == 0);
    ok("memory that was lent is given back", cleaned == 1000);
    good = 1;
    size_t from = 0, to = 0;
    for (int i = 1; i < 100; i++) {
        evbuffer_add(b, data + to, i * 53 % 190);
        to += i * 53 % 190;
        n = evbuffer_remove(b, into, i * 31 % 170);
        size_t most = i * 31 % 170;
        good &= n == (int)(most < to - from ? most : to - from) && plus_bytes(into, from, n);
        from += n;
    }
    ok("more data can be added afterwards", good && evbuffer_get_length(b) == to - from);
    evbuffer_drain(b, to);

    evbuffer_add(b, data, 50);
    evbuffer_add_cb(b, changed, NULL);
    evbuffer_freeze(b, 1);
    n = evbuffer_remove(b, into, 20);
    ok("a buffer whose start is frozen is an error", n == -1);
    good = evbuffer_get_length(b) == 50 && calls == 0;
    evbuffer_unfreeze(b, 1);
    evbuffer_freeze(b, 0);
    n = evbuffer_remove(b, into, 10);
    ok("then the buffer stays whole", good && plus_bytes(into, 0, 10));
    ok("a buffer whose end is frozen can be read", n == 10 && evbuffer_get_length(b) == 40);
    evbuffer_unfreeze(b, 0);
    n = evbuffer_remove(b, into, 25);
    ok("callbacks are told how much was removed", n == 25 && calls == 2 && deleted == 35 && added == 0);
    ok("callbacks see the buffer without the bytes", length == 15);
    evbuffer_remove(b, into, 0);
    evbuffer_remove(b, into, 15);
    evbuffer_remove(b, into, 15);
    ok("nothing removed calls no callback", calls == 3 && deleted == 50);
    evbuffer_free(b);

    long live = plus_live_blocks;
    b = evbuffer_new();
    for (int i = 0; i < 10; i++) evbuffer_add(b, data + i * 700, 700);
    n = evbuffer_remove(b, into, 6000);
    evbuffer_free(b);
    ok("nothing is left in memory", n == 6000 && plus_live_blocks == live);

    plus_use_locks();
    shared = evbuffer_new();
    plus_watched = plus_lock_new(EVTHREAD_LOCKTYPE_RECURSIVE);
    evbuffer_enable_locking(shared, plus_watched);
    evbuffer_add(shared, data, 100);
    plus_other_thread = steal;
    n = evbuffer_remove(shared, into, 40);
    int all = n == 40 && stole == 3 && evbuffer_get_length(shared) == 57 &&
              ((plus_bytes(into, 0, 40) && plus_bytes(stolen, 40, 3)) ||
               (plus_bytes(stolen, 0, 3) && plus_bytes(into, 3, 40)));
    int freed = plus_watched->depth == 0;
    n = evbuffer_remove(shared, into, 100);
    ok("another thread never gets the same bytes", all && n == 57 && plus_bytes(into, 43, 57));
    ok("the lock is free afterwards", freed && plus_watched->depth == 0);
    evbuffer_add(shared, data, 100);
    evbuffer_freeze(shared, 1);
    n = evbuffer_remove(shared, into, 10);
    freed = plus_watched->depth == 0;
    evbuffer_unfreeze(shared, 1);
    evbuffer_remove(shared, into, 0);
    ok("the lock is free after an error too", n == -1 && freed && plus_watched->depth == 0);
    return plus_end();
}
