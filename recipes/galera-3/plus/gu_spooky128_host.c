/*---
 * tasks: [gu_spooky128_host-a9dfa8]
 * flags: [-D_DEFAULT_SOURCE]
 * tests:
 *   both words of the hash are written: 'gu_spooky.h: res is of 128 bits, as hash[0] and hash[1].'
 *   an empty message has the hash of gu_spooky_inline: 'gu_spooky.h: "a regular function to avoid code bloat".'
 *   short messages have it: 'gu_spooky.h: "As is apparent from the gu_spooky_inline()".'
 *   messages around the size of a block have it: 'gu_spooky.h: _spooky_blockSize, _spooky_bufSize.'
 *   long messages have it: 'gu_spooky.h: "it has advantage only on long messages".'
 *   messages anywhere in memory have it: 'gu_spooky.h: GU_SPOOKY_ALIGNMENT_MASK.'
 *   the length counts: 'Signature: len.'
 *   the content counts: 'gu_spooky.h: hash of the message.'
 *   what was in the result does not matter: 'gu_spooky.h: "this is how we want it - constant seed".'
 *   a second call gives the same: 'gu_spooky.h: "constant seed".'
 *   nothing behind the hash is written: 'Signature: res of 128 bits.'
 *   the message stays: 'Signature: const.'
 *   nothing behind the message is read: 'Signature: len.'
 *   the hash of known messages is known: 'gu_spooky_test.c.'
 *   gu_spooky128 and the shorter ones are made of it: 'Callers: gu_spooky128, gu_spooky64, gu_spooky32.'
 ---*/
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "gu_spooky.h"
#include "ok.h"

static uint8_t message[4096 + 64];

static bool same(const void *at, size_t length)
{
    uint64_t got[2] = {1, 2}, want[2] = {3, 4};
    gu_spooky128_host(at, length, got);
    gu_spooky_inline(at, length, want);
    return got[0] == want[0] && got[1] == want[1];
}

int main(void)
{
    limit();
    for (size_t i = 0; i < sizeof message; i++) message[i] = i * 131 + (i >> 8) * 17 + 5;
    uint64_t res[4] = {7, 7, 7, 7}, other[2] = {0, 0};
    gu_spooky128_host(message, 500, res);
    gu_spooky128_host(message, 500, other);
    ok("both words of the hash are written", res[0] != 7 && res[1] != 7 && other[0] && other[1] && res[0] != res[1]);
    ok("an empty message has the hash of gu_spooky_inline", same(message, 0));
    bool brief = true, block = true, longer = true, anywhere = true;
    for (size_t n = 1; n < 90; n++) brief = brief && same(message, n);
    for (size_t n = 90; n < 300; n++) block = block && same(message, n);
    for (size_t n = 300; n <= 4096; n += 37) longer = longer && same(message, n);
    longer = longer && same(message, 4096) && same(message, 96 * 40) && same(message, 96 * 40 + 95);
    ok("short messages have it", brief);
    ok("messages around the size of a block have it", block);
    ok("long messages have it", longer);
    for (size_t at = 1; at < 17; at++)
        for (size_t n = 0; n < 420; n += 13) anywhere = anywhere && same(message + at, n);
    uint64_t moved[2];
    memmove(message + 3, message, 1000);
    gu_spooky128_host(message + 3, 500, moved);
    ok("messages anywhere in memory have it", anywhere && moved[0] == other[0] && moved[1] == other[1]);

    bool length = true, content = true, before = true;
    uint64_t last[2] = {0, 0}, now[2];
    uint8_t zero[400] = {0};
    for (size_t n = 0; n < 400; n++) {
        gu_spooky128_host(zero, n, now);
        length = length && now[0] != last[0] && now[1] != last[1];
        memcpy(last, now, sizeof last);
    }
    gu_spooky128_host(zero, 400, last);
    for (size_t i = 0; i < 400; i++) {
        zero[i] = 1;
        gu_spooky128_host(zero, 400, now);
        content = content && now[0] != last[0] && now[1] != last[1];
        zero[i] = 0;
    }
    ok("the length counts", length);
    ok("the content counts", content);
    for (uint64_t fill = 0; fill < 5; fill++) {
        uint64_t seeded[2] = {fill * 0x123456789abcdefull, ~fill}, short_seeded[2] = {~fill, fill}, plain[2] = {0, 0};
        gu_spooky128_host(zero, 400, seeded);
        before = before && seeded[0] == last[0] && seeded[1] == last[1];
        gu_spooky128_host("abc", 3, short_seeded);
        gu_spooky128_host("abc", 3, plain);
        before = before && short_seeded[0] == plain[0] && short_seeded[1] == plain[1];
    }
    ok("what was in the result does not matter", before);
    gu_spooky128_host(zero, 400, now);
    ok("a second call gives the same", now[0] == last[0] && now[1] == last[1]);
    ok("nothing behind the hash is written", res[2] == 7 && res[3] == 7);
    const uint8_t text[] = "a message that is to stay";
    uint8_t mine[sizeof text];
    memcpy(mine, text, sizeof text);
    gu_spooky128_host(mine, sizeof mine, now);
    ok("the message stays", !memcmp(mine, text, sizeof text));

    const size_t page = sysconf(_SC_PAGESIZE);
    uint8_t *map = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool edge = map != MAP_FAILED && mprotect(map + page, page, PROT_NONE) == 0;
    const size_t sizes[] = {0, 1, 15, 95, 96, 97, 191, 192, 193, 1000};
    for (int i = 0; edge && i < 10; i++) {
        memset(map, 9, page);
        edge = same(map + page - sizes[i], sizes[i]);
    }
    ok("nothing behind the message is read", edge);

    /* From the table of gu_spooky_test.c: the low halves for messages of bytes that count up from 128. */
    uint8_t up[511];
    for (int i = 0; i < 511; i++) up[i] = i + 128;
    static const struct {
        size_t length;
        uint32_t want;
    } known[] = {{192, 0xf77f3ae5}, {199, 0xecbd7bc5}, {508, 0x139006f6}, {511, 0x939bd79c}};
    bool all = true;
    for (int i = 0; i < 4; i++) {
        gu_spooky128_host(up, known[i].length, now);
        all = all && (uint32_t)now[0] == known[i].want;
    }
    ok("the hash of known messages is known", all);
    uint64_t r128[2], host[2];
    gu_spooky128(message, 777, r128);
    gu_spooky128_host(message, 777, host);
    ok("gu_spooky128 and the shorter ones are made of it",
       gu_le64(host[0]) == r128[0] && gu_le64(host[1]) == r128[1] &&
       gu_spooky64(message, 777) == host[0] && gu_spooky32(message, 777) == (uint32_t)host[0]);
    return plan();
}
