/*---
 * tasks: [lyb_read_number-00687e]
 * instead: [src/parser_lyb.c.o]
 * tests:
 *   a number of one byte is read: 'Docstring: "Read a number"; "Size of NUM".'
 *   a number of two bytes is read with the lowest first: 'printer_lyb.c: lyb_write_number, htole64.'
 *   a number of four bytes is read: 'Docstring: "Size of NUM".'
 *   a number of eight bytes is read: 'Docstring: "Size of NUM".'
 *   fewer bytes than the number has are read: 'Docstring: "Number of bytes to read".'
 *   the upper bytes are zero then: 'Docstring: "Destination buffer"; callers give what is not set.'
 *   an odd number of bytes is read: 'Docstring: "Number of bytes to read".'
 *   bytes with their highest bit are not negative: 'printer_lyb.c: lyb_write_number, uint64_t.'
 *   only so many bytes are read: 'Docstring: "Number of bytes to read".'
 *   nothing behind the number is written: 'Docstring: "Size of NUM".'
 *   the chunks that are open count what is read: 'parser_lyb.c: lyb_read, "Metadata are handled transparently".'
 *   a number goes on in the next chunk: 'parser_lyb.c: lyb_read, "Metadata are handled transparently".'
 *   numbers are read one after the other: 'Docstring: "Read a number"; callers read several.'
 ---*/
#include "../parser_lyb.c"
#include "yang.h"

static struct ly_ctx *ctx;
static struct lylyb_ctx lyb;

static void start(const char *bytes) {
    memset(&lyb, 0, sizeof lyb);
    lyb.ctx = ctx;
    if (ly_in_new_memory(bytes, &lyb.in)) plus_die("Bail out! no input\n");
}

static size_t took(void) {
    return lyb.in->current - lyb.in->start;
}

int main(void) {
    plus_start();
    ctx = yang_context(NULL);
    static const char bytes[] = "\x81\x02\x03\x84\x05\x06\x07\xf8\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10";
    uint8_t n1 = 0;
    uint16_t n2 = 0;
    uint32_t n4 = 0;
    uint64_t n8 = 0;
    start(bytes);
    lyb_read_number(&n1, 1, 1, &lyb);
    ok("a number of one byte is read", n1 == 0x81 && took() == 1);
    lyb_read_number(&n1, 1, 1, &lyb);
    lyb_read_number(&n2, 2, 2, &lyb);
    ok("numbers are read one after the other", n1 == 2 && n2 == 0x8403 && took() == 4);
    start(bytes);
    lyb_read_number(&n2, 2, 2, &lyb);
    ok("a number of two bytes is read with the lowest first", n2 == 0x0281 && took() == 2);
    start(bytes);
    lyb_read_number(&n4, 4, 4, &lyb);
    ok("a number of four bytes is read", n4 == 0x84030281u && took() == 4);
    start(bytes);
    lyb_read_number(&n8, 8, 8, &lyb);
    ok("a number of eight bytes is read", n8 == 0xf807060584030281ull && took() == 8);
    start(bytes);
    n8 = UINT64_MAX;
    n4 = UINT32_MAX;
    lyb_read_number(&n8, 8, 2, &lyb);
    lyb_read_number(&n4, 4, 1, &lyb);
    ok("fewer bytes than the number has are read", (n8 & 0xffff) == 0x0281 && (n4 & 0xff) == 3);
    ok("the upper bytes are zero then", n8 == 0x0281 && n4 == 3);
    ok("only so many bytes are read", took() == 3);
    lyb_read_number(&n8, 8, 5, &lyb);
    ok("an odd number of bytes is read", n8 == 0xf807060584ull && took() == 8);
    start("\xff\xff\xff");
    lyb_read_number(&n8, 8, 1, &lyb);
    lyb_read_number(&n4, 4, 2, &lyb);
    ok("bytes with their highest bit are not negative", n8 == 0xff && n4 == 0xffff);

    int clean = 1;
    for (size_t size = 1; size <= 8; size *= 2) {
        unsigned char place[24];
        memset(place, 0x5a, sizeof place);
        start(bytes);
        lyb_read_number(place + 8, size, size, &lyb);
        for (size_t i = 0; i < sizeof place; i++) clean &= (i >= 8 && i < 8 + size) || place[i] == 0x5a;
        clean &= place[8] == 0x81;
    }
    ok("nothing behind the number is written", clean);

    /* Two chunks are open; the inner one ends after two bytes, and another follows, of three bytes. */
    start("\x11\x22\x03\x00\x00\x00\x33\x44\x55");
    struct lyd_lyb_sibling *sib;
    LY_ARRAY_CREATE(NULL, lyb.siblings, 4, exit(2));
    LY_ARRAY_INCREMENT(lyb.siblings);
    lyb.siblings[0] = (struct lyd_lyb_sibling) {.written = 100};
    lyb_read_number(&n1, 1, 1, &lyb);
    ok("the chunks that are open count what is read", n1 == 0x11 && lyb.siblings[0].written == 99);
    LY_ARRAY_INCREMENT(lyb.siblings);
    sib = &lyb.siblings[1];
    *sib = (struct lyd_lyb_sibling) {.written = 1, .position = 1};
    lyb_read_number(&n4, 4, 3, &lyb);
    ok("a number goes on in the next chunk",
       n4 == 0x443322 && sib->written == 1 && sib->position == 0 && lyb.siblings[0].written == 96);
    return plus_end();
}
