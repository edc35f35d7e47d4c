/*---
 * tasks: [gcache.RingBuffer.discard_seqnos-efcd85.2]
 * tests:
 *   an empty range is discarded: 'gcache_rb_store.hpp: "true when successfully discards all seqnos in range".'
 *   released buffers are discarded: 'gcache_rb_store.hpp: "true when successfully discards all seqnos in range".'
 *   they are no longer in the map: 'Docstring: "discard all seqnos"; seqno2ptr.'
 *   their buffers are empty: 'gcache_rb_store.hpp, discard: SEQNO_ILL is asserted; buffer_is_empty.'
 *   their space is free: 'gcache_rb_store.hpp: discard adds the size.'
 *   the end of the range stays: 'Signature: iterators; discard_seqno gives the one after as end.'
 *   a buffer in use ends it: 'gcache_rb_store.hpp: "true when successfully discards all".'
 *   those before it are gone: 'Callers: discard_seqno is called again for more space.'
 *   it stays and so do those behind it: 'BH_is_released: a buffer in use is not discarded.'
 *   a first one in use changes nothing: 'BH_is_released: a buffer in use is not discarded.'
 *   when it was released the rest is discarded: 'Callers: get_new_buffer tries again.'
 *   all of them can be discarded: 'Signature: the end of the map is an end.'
 *   holes are skipped: 'gu_deqmap.hpp: "Holes are tolerated".'
 *   a range within the map leaves holes: 'gu_deqmap.hpp: "do not remove elements from the middle, just unset them".'
 *   a range at the end shortens the map: 'gu_deqmap.hpp: erase, pop_back.'
 *   discard_seqno goes up to its seqno: 'gcache_rb_store.hpp: "discards all seqnos up to s".'
 *   discard_seqno of the last goes to the end: 'gcache_rb_store.hpp: find of what is not there is the end.'
 *   buffers in memory are given to their store: 'gcache_mem_store.hpp: discard; oracle.'
 *   buffers in pages are given to their store: 'gcache_page_store.hpp: discard; oracle.'
 *   a page is deleted with its last buffer: 'gcache_page_store.hpp: free_page_ptr, cleanup.'
 *   other buffers of a page keep it: 'gcache_page_store.hpp: free_page_ptr.'
 *   the ring does not count buffers elsewhere: 'gcache_rb_store.hpp: discard is for the buffers of the ring.'
 *   all three kinds can be mixed: 'gcache_bh.hpp: StorageType.'
 *   a full ring makes room of them: 'Callers: get_new_buffer.'
 *   a full ring with a first one in use makes none: 'Callers: get_new_buffer, "can not free any more space".'
 *   emptying a buffer unsets its seqno: 'Docstring: "mark buffer as empty"; buffer_is_empty.'
 *   emptying a buffer leaves the rest of it: 'Docstring: "mark buffer as empty"; callers go on with size, flags, ctx.'
 *   emptying an empty buffer leaves it empty: 'Docstring: "mark buffer as empty".'
 ---*/
#include <stdlib.h>
#include <sstream>
#include <string>
#include "../../gcache/src/gcache_rb_store.cpp"
#include "ok.h"

using namespace gcache;

static std::string dir;

static unsigned size_of(unsigned payload)
{
    return MemOps::align_size(payload + sizeof(BufferHeader));
}

/* A ring, and buffers with seqnos in it or in other stores. */
struct Ring {
    seqno2ptr_t map;
    gu::UUID gid;
    RingBuffer rb;

    explicit Ring(size_t size) : map(SEQNO_NONE), gid(), rb(dir + "/ring", size, map, gid, 0, false) {}
    ~Ring() { ::unlink((dir + "/ring").c_str()); }

    BufferHeader *give(void *at, seqno_t seqno, bool released)
    {
        BufferHeader *const bh = ptr2BH(at);
        bh->seqno_g = seqno;
        bh->seqno_d = seqno - 1;
        map.insert(seqno, static_cast<const void *>(at));
        if (released) release(bh);
        return bh;
    }

    BufferHeader *add(seqno_t seqno, bool released = true, unsigned payload = 16)
    {
        return give(rb.malloc(size_of(payload)), seqno, released);
    }

    void release(BufferHeader *bh)
    {
        BH_release(bh);
        if (bh->store == BUFFER_IN_RB) rb.free(bh);
    }

    bool discard(seqno_t first, seqno_t end) { return rb.discard_seqnos(map.find(first), map.find(end)); }

    /* What is free by its own account. */
    long room() const
    {
        std::ostringstream os;
        os << rb;
        const std::string text = os.str();
        const size_t at = text.find("free   : ");
        return at == std::string::npos ? -1 : atol(text.c_str() + at + 9);
    }

    bool has(seqno_t seqno) { return map.find(seqno) != map.end() && *map.find(seqno) != NULL; }
};

int main()
{
    limit();
    /* The thread that deletes pages logs into the middle of a line of results. */
    if (!freopen("/dev/null", "w", stderr)) return 1;
    char name[] = "/tmp/plus-ringXXXXXX", here[] = "plus-ringXXXXXX";
    dir = mkdtemp(name) ? name : mkdtemp(here) ? here : ".";
    const long unit = size_of(16);
    {
        Ring r(4000);
        BufferHeader *one = r.add(1), *two = r.add(2), *three = r.add(3), *four = r.add(4), *five = r.add(5);
        const long before = r.room();
        ok("an empty range is discarded", r.rb.discard_seqnos(r.map.begin(), r.map.begin()) && r.map.size() == 5 &&
           r.rb.discard_seqnos(r.map.end(), r.map.end()) && r.room() == before && one->seqno_g == 1);
        const bool done = r.rb.discard_seqnos(r.map.begin(), r.map.find(4));
        ok("released buffers are discarded", done);
        ok("they are no longer in the map", r.map.index_begin() == 4 && r.map.size() == 2 && !r.has(1) && !r.has(3));
        ok("their buffers are empty", one->seqno_g == SEQNO_ILL && two->seqno_g == SEQNO_ILL &&
           three->seqno_g == SEQNO_ILL && buffer_is_empty(one));
        ok("their space is free", r.room() == before + 3 * unit);
        ok("the end of the range stays", r.has(4) && r.has(5) && four->seqno_g == 4 && five->seqno_g == 5 &&
           four->seqno_d == 3 && r.map.index_end() == 6);
        const bool all = r.rb.discard_seqnos(r.map.begin(), r.map.end());
        ok("all of them can be discarded", all && r.map.empty() && five->seqno_g == SEQNO_ILL &&
           r.room() == before + 5 * unit);
    }
    {
        Ring r(4000);
        BufferHeader *one = r.add(1), *two = r.add(2, true, 40), *three = r.add(3, false), *four = r.add(4);
        const long before = r.room();
        const bool ended = !r.rb.discard_seqnos(r.map.begin(), r.map.end());
        ok("a buffer in use ends it", ended);
        ok("those before it are gone", r.map.index_begin() == 3 && one->seqno_g == SEQNO_ILL &&
           two->seqno_g == SEQNO_ILL && r.room() == before + unit + (long)size_of(40));
        ok("it stays and so do those behind it", r.has(3) && r.has(4) && three->seqno_g == 3 && four->seqno_g == 4 &&
           !BH_is_released(three) && r.map.size() == 2);
        const long now = r.room();
        ok("a first one in use changes nothing", !r.rb.discard_seqnos(r.map.begin(), r.map.end()) && r.room() == now &&
           r.map.size() == 2 && three->seqno_g == 3 && four->seqno_g == 4 && r.map.index_begin() == 3);
        r.release(three);
        ok("when it was released the rest is discarded", r.rb.discard_seqnos(r.map.begin(), r.map.end()) &&
           r.map.empty() && r.room() == now + 2 * unit && three->seqno_g == SEQNO_ILL && four->seqno_g == SEQNO_ILL);
    }
    {
        Ring r(4000);
        const seqno_t seqnos[] = {10, 11, 15, 16, 20, 22};
        for (int i = 0; i < 6; i++) r.add(seqnos[i]);
        const long before = r.room();
        bool holes = r.discard(10, 16) && r.map.index_begin() == 16 && r.room() == before + 3 * unit && r.has(16) &&
                     r.has(22);
        holes = holes && r.rb.discard_seqnos(r.map.begin(), r.map.end()) && r.map.empty() &&
                r.room() == before + 6 * unit;
        r.add(30);
        r.add(33, false);
        r.add(39);
        holes = holes && !r.rb.discard_seqnos(r.map.begin(), r.map.end()) && r.map.index_begin() == 33 && r.has(39) &&
                r.map.index_end() == 40;
        ok("holes are skipped", holes);
    }
    {
        Ring r(4000);
        BufferHeader *first = r.add(1, false), *two = r.add(2), *three = r.add(3), *four = r.add(4), *five = r.add(5);
        const long before = r.room();
        const bool within = r.discard(2, 4);
        ok("a range within the map leaves holes", within && r.map.index_begin() == 1 && r.map.index_end() == 6 &&
           !r.has(2) && !r.has(3) && r.has(1) && r.has(4) && r.has(5) && two->seqno_g == SEQNO_ILL &&
           three->seqno_g == SEQNO_ILL && first->seqno_g == 1 && four->seqno_g == 4 && r.room() == before + 2 * unit);
        const bool end = r.rb.discard_seqnos(r.map.find(4), r.map.end());
        ok("a range at the end shortens the map", end && r.map.index_end() == 2 && r.map.size() == 1 && r.has(1) &&
           five->seqno_g == SEQNO_ILL && r.room() == before + 4 * unit);
    }
    {
        Ring r(4000);
        for (int i = 1; i < 8; i++) r.add(i);
        const bool up = r.rb.discard_seqno(3) && r.map.index_begin() == 4 && r.rb.discard_seqno(4) &&
                        r.map.index_begin() == 5;
        ok("discard_seqno goes up to its seqno", up && r.has(5) && r.has(7));
        ok("discard_seqno of the last goes to the end", r.rb.discard_seqno(7) && r.map.empty());
    }
    {
        Ring r(4000);
        MemStore mem(10000, r.map, 0);
        r.give(mem.malloc(100), 1, true);
        r.give(mem.malloc(300), 2, true);
        BufferHeader *three = r.give(mem.malloc(500), 3, false);
        const long before = r.room();
        const bool some = !r.rb.discard_seqnos(r.map.begin(), r.map.end()) && mem._allocd() == 500 &&
                          r.map.index_begin() == 3 && three->seqno_g == 3;
        r.release(three);
        ok("buffers in memory are given to their store", some && r.rb.discard_seqno(3) && mem._allocd() == 0 &&
           r.map.empty() && r.room() == before);
    }
    {
        Ring r(4000);
        const unsigned size = size_of(200);
        PageStore pages(dir, 0, 3 * size, 0, false);
        MemStore mem(10000, r.map, 0);
        for (int i = 1; i < 5; i++) r.give(pages.malloc(size), i, true);
        Page *const page = static_cast<Page *>(ptr2BH(r.map.front())->ctx);
        const long before = r.room();
        const bool begun = pages.total_pages() == 2 && page->used() == 3 && r.rb.discard_seqno(1);
        ok("buffers in pages are given to their store", begun && page->used() == 2 && r.map.index_begin() == 2);
        ok("other buffers of a page keep it", r.rb.discard_seqno(2) && page->used() == 1 && pages.total_pages() == 2);
        const bool last = r.rb.discard_seqno(3) && pages.total_pages() == 1;
        ok("a page is deleted with its last buffer", last && r.rb.discard_seqnos(r.map.begin(), r.map.end()) &&
           pages.total_pages() == 0 && r.map.empty());
        ok("the ring does not count buffers elsewhere", r.room() == before);

        BufferHeader *ring = r.add(7);
        r.give(mem.malloc(120), 8, true);
        r.give(pages.malloc(size), 9, true);
        BufferHeader *more = r.add(10, true, 64);
        BufferHeader *used = r.give(mem.malloc(80), 11, false);
        r.give(pages.malloc(size), 12, true);
        const long now = r.room();
        bool mixed = !r.rb.discard_seqnos(r.map.begin(), r.map.end()) && ring->seqno_g == SEQNO_ILL &&
                     more->seqno_g == SEQNO_ILL && mem._allocd() == 80 && r.map.index_begin() == 11 &&
                     r.room() == now + unit + (long)size_of(64) && pages.total_pages() == 1;
        r.release(used);
        mixed = mixed && r.rb.discard_seqno(12) && mem._allocd() == 0 && pages.total_pages() == 0 && r.map.empty();
        ok("all three kinds can be mixed", mixed);
    }
    {
        Ring r(4 * unit);
        BufferHeader *one = r.add(1, false);
        for (int i = 2; i < 5; i++) r.add(i);
        const bool none = r.rb.malloc(unit) == NULL && r.has(1) && r.map.index_begin() == 1 && one->seqno_g == 1;
        ok("a full ring with a first one in use makes none", none);
        r.release(one);
        void *const at = r.rb.malloc(unit);
        ok("a full ring makes room of them", at != NULL && !r.has(1) && r.map.index_begin() > 1);
    }
    BufferHeader bh;
    memset(&bh, 0, sizeof bh);
    bh.seqno_g = 55;
    bh.seqno_d = 54;
    bh.size = 4096;
    bh.ctx = reinterpret_cast<MemOps *>(&bh);
    bh.flags = BUFFER_RELEASED;
    bh.store = BUFFER_IN_PAGE;
    empty_buffer(&bh);
    ok("emptying a buffer unsets its seqno", bh.seqno_g == SEQNO_ILL && buffer_is_empty(&bh));
    ok("emptying a buffer leaves the rest of it", bh.seqno_d == 54 && bh.size == 4096 &&
       bh.ctx == reinterpret_cast<MemOps *>(&bh) && bh.flags == BUFFER_RELEASED && bh.store == BUFFER_IN_PAGE);
    empty_buffer(&bh);
    bool still = buffer_is_empty(&bh) && bh.size == 4096;
    bh.seqno_g = SEQNO_NONE;
    empty_buffer(&bh);
    ok("emptying an empty buffer leaves it empty", still && bh.seqno_g == SEQNO_ILL);
    ::rmdir(dir.c_str());
    return plan();
}
