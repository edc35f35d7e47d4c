/*---
 * tasks: [gu_crc32c_configure-80462c]
 * tests:
 *   there is an implementation after it: 'Docstring: "configure CRC32C to use the best available implementation".'
 *   it is that of the hardware where there is one: 'Docstring: "best available"; gu_crc32c.h: gu_crc32c_hardware.'
 *   otherwise it slices by eight: 'Oracle crc32c_best_algorithm: "slicing-by-8 seems to outperform".'
 *   the check value of CRC-32C is right: 'gu_crc32c.h: CRC-32C; its check value is known.'
 *   known test vectors are right: 'gu_crc32c.h: CRC-32C; RFC 3720, B.4.'
 *   an empty message has no remainder: 'gu_crc32c.h: GU_CRC32C_INIT, gu_crc32c_get.'
 *   one byte at a time is right: 'gu_crc32c.h: gu_crc32c_sarwate; crc32c_lut, "lookup tables".'
 *   slicing by four is right: 'gu_crc32c.h: gu_crc32c_slicing_by_4; crc32c_lut, "lookup tables".'
 *   slicing by eight is right: 'gu_crc32c.h: gu_crc32c_slicing_by_8; crc32c_lut, "lookup tables".'
 *   what was configured gives the same for any message: 'Docstring: "implementation" of CRC32C.'
 *   a message can be appended in pieces: 'Callers: gu_crc32c_append.'
 *   the start can lie anywhere in memory: 'gu_crc32c.h: const void* data.'
 *   a second call changes nothing: 'Docstring: "Call this to configure".'
 *   it replaces what was there: 'Docstring: "to use the best available implementation".'
 ---*/
#include <stdint.h>
#include "gu_crc32c.h"
#include "ok.h"

static uint8_t message[3000];

/* Bit by bit. */
static uint32_t slow(uint32_t state, const uint8_t *at, size_t length)
{
    while (length--) {
        state ^= *at++;
        for (int i = 0; i < 8; i++) state = state >> 1 ^ (state & 1 ? 0x82f63b78 : 0);
    }
    return state;
}

static bool right(gu_crc32c_func_t f)
{
    bool good = true;
    for (size_t at = 0; at < 9; at++)
        for (size_t n = 0; n < 70; n++)
            good = good && f(GU_CRC32C_INIT, message + at, n) == slow(GU_CRC32C_INIT, message + at, n);
    for (uint32_t state = 0; state < 0xf0000000; state += 0x0fedcba9)
        good = good && f(state, message + 5, 123) == slow(state, message + 5, 123);
    for (int i = 0; i < 256; i++) {
        uint8_t byte[8] = {i, i ^ 0x55, 255 - i, i, i + 3, i, 7 * i, i};
        good = good && f(0, byte, 1) == slow(0, byte, 1) && f(~0u, byte, 8) == slow(~0u, byte, 8);
    }
    return good && f(GU_CRC32C_INIT, message, 3000) == slow(GU_CRC32C_INIT, message, 3000);
}

static gu_crc32c_t wrong(gu_crc32c_t state, const void *data, size_t length)
{
    return state + length + (data != NULL);
}

int main(void)
{
    limit();
    for (size_t i = 0; i < sizeof message; i++) message[i] = i * 167 + (i >> 7) * 13 + 1;
    gu_crc32c_func = NULL;
    gu_crc32c_configure();
    const gu_crc32c_func_t first = gu_crc32c_func;
    ok("there is an implementation after it", first != NULL);
    const gu_crc32c_func_t hardware = gu_crc32c_hardware();
    ok("it is that of the hardware where there is one", hardware ? first == hardware : first != NULL);
    ok("otherwise it slices by eight", hardware ? first != NULL : first == gu_crc32c_slicing_by_8);
    if (!first) return 1;
    ok("the check value of CRC-32C is right", gu_crc32c("123456789", 9) == 0xe3069283);
    uint8_t v[32];
    memset(v, 0, 32);
    bool vectors = gu_crc32c(v, 32) == 0x8a9136aa;
    memset(v, 0xff, 32);
    vectors = vectors && gu_crc32c(v, 32) == 0x62a8ab43;
    for (int i = 0; i < 32; i++) v[i] = i;
    vectors = vectors && gu_crc32c(v, 32) == 0x46dd794e;
    for (int i = 0; i < 32; i++) v[i] = 31 - i;
    ok("known test vectors are right", vectors && gu_crc32c(v, 32) == 0x113fdb5c);
    gu_crc32c_t state;
    gu_crc32c_init(&state);
    gu_crc32c_append(&state, message, 0);
    ok("an empty message has no remainder", gu_crc32c("", 0) == 0 && gu_crc32c_get(state) == 0);
    ok("one byte at a time is right", right(gu_crc32c_sarwate));
    ok("slicing by four is right", right(gu_crc32c_slicing_by_4));
    ok("slicing by eight is right", right(gu_crc32c_slicing_by_8));
    ok("what was configured gives the same for any message", right(gu_crc32c_func));
    bool pieces = true, anywhere = true;
    for (size_t cut = 0; cut < 100; cut += 3) {
        gu_crc32c_init(&state);
        gu_crc32c_append(&state, message, cut);
        gu_crc32c_append(&state, message + cut, 100 - cut);
        pieces = pieces && gu_crc32c_get(state) == gu_crc32c(message, 100);
    }
    ok("a message can be appended in pieces", pieces);
    for (size_t at = 0; at < 16; at++)
        anywhere = anywhere && gu_crc32c(message + at, 500) == (uint32_t)~slow(~0u, message + at, 500);
    ok("the start can lie anywhere in memory", anywhere);
    gu_crc32c_configure();
    ok("a second call changes nothing", gu_crc32c_func == first && right(gu_crc32c_slicing_by_8) &&
       right(gu_crc32c_sarwate) && gu_crc32c("123456789", 9) == 0xe3069283);
    gu_crc32c_func = wrong;
    gu_crc32c_configure();
    ok("it replaces what was there", gu_crc32c_func == first && gu_crc32c("123456789", 9) == 0xe3069283);
    return plan();
}
