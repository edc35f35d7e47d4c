/*---
 * tasks: [ipv6prefix_zero_host-59665f]
 * instead: [src/plugins_types/ipv6_prefix.c.o]
 * tests:
 *   a prefix of 64 keeps the first half: 'Docstring: "Zero host-portion".'
 *   a prefix of 0 keeps nothing: 'Docstring: "Prefix length"; RFC 6991, ipv6-prefix, 0 is the least.'
 *   a prefix of 128 keeps all: 'Docstring: "Prefix length"; RFC 6991, ipv6-prefix, 128 is the most.'
 *   a prefix of 1 keeps the highest bit: 'Docstring: the prefix is counted from the highest bit.'
 *   a prefix of 127 loses the lowest bit: 'Docstring: "Zero host-portion".'
 *   a prefix at the end of 32 bits is right: 'Docstring: "Prefix length".'
 *   a prefix within a byte is right: 'Docstring: "Prefix length"; RFC 6991, bits that are not in the prefix are 0.'
 *   all lengths are right with all bits set: 'Docstring: "Zero host-portion".'
 *   all lengths are right with another address: 'Docstring: "Zero host-portion".'
 *   bits that are not set stay so: 'Docstring: it zeroes bits.'
 *   a second time changes nothing: 'Docstring: "Zero host-portion".'
 *   nothing behind the address is changed: 'Docstring: ADDR is one address.'
 ---*/
#include "../plugins_types/ipv6_prefix.c"
#include "plus.h"

static struct in6_addr get(const char *text) {
    struct in6_addr a;
    if (inet_pton(AF_INET6, text, &a) != 1) plus_die("Bail out! no address\n");
    return a;
}

static int is(const char *text, int prefix, const char *expected) {
    struct in6_addr a = get(text), b = get(expected);
    ipv6prefix_zero_host(&a, prefix);
    return !memcmp(&a, &b, 16);
}

static int all(struct in6_addr from) {
    int good = 1;
    for (int p = 0; p <= 128; p++) {
        struct in6_addr a = from;
        ipv6prefix_zero_host(&a, p);
        for (int i = 0; i < 128; i++) {
            int had = from.s6_addr[i / 8] >> (7 - i % 8) & 1, has = a.s6_addr[i / 8] >> (7 - i % 8) & 1;
            good &= has == (i < p ? had : 0);
        }
    }
    return good;
}

int main(void) {
    plus_start();
    static const char ones[] = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
    ok("a prefix of 64 keeps the first half", is("2001:db8:1:2:3:4:5:6", 64, "2001:db8:1:2::"));
    ok("a prefix of 0 keeps nothing", is(ones, 0, "::"));
    ok("a prefix of 128 keeps all", is("2001:db8:1:2:3:4:5:6", 128, "2001:db8:1:2:3:4:5:6") && is(ones, 128, ones));
    ok("a prefix of 1 keeps the highest bit", is(ones, 1, "8000::"));
    ok("a prefix of 127 loses the lowest bit", is(ones, 127, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe"));
    ok("a prefix at the end of 32 bits is right",
       is(ones, 32, "ffff:ffff::") && is(ones, 96, "ffff:ffff:ffff:ffff:ffff:ffff::") &&
       is(ones, 33, "ffff:ffff:8000::"));
    ok("a prefix within a byte is right", is(ones, 20, "ffff:f000::") && is("2001:dbf::1", 29, "2001:db8::"));
    ok("all lengths are right with all bits set", all(get(ones)));
    ok("all lengths are right with another address", all(get("a5c3:1234:9876:fe01:8001:7ffe:55aa:c0de")));
    ok("bits that are not set stay so", all(get("::")));
    struct in6_addr a = get("2001:db8:1:2:3:4:5:6"), b;
    ipv6prefix_zero_host(&a, 45);
    b = a;
    ipv6prefix_zero_host(&a, 45);
    ok("a second time changes nothing", !memcmp(&a, &b, 16));
    struct in6_addr three[3];
    memset(three, 0xff, sizeof three);
    ipv6prefix_zero_host(&three[1], 0);
    unsigned char *p = (unsigned char *)three;
    int kept = 1;
    for (int i = 0; i < 48; i++) kept &= p[i] == (i / 16 == 1 ? 0 : 0xff);
    ok("nothing behind the address is changed", kept);
    return plus_end();
}
