/*---
 * tasks: [gcs_act_proto_write-29a4d7.2]
 * flags: [-DGALERA_LOG_H_ENABLE_CXX]
 * tests:
 *   writing returns zero: 'Docstring: "0 on success".'
 *   the version is the first byte: 'gcs_act_proto.cpp: header structure, PV at 00; gcs_act_proto_ver.'
 *   the type of action is in byte 16: 'gcs_act_proto.cpp: header structure, AT; PROTO_AT_OFFSET.'
 *   the id is in bytes 1 to 7: 'gcs_act_proto.cpp: header structure, act_id.'
 *   the size is in bytes 8 to 11: 'gcs_act_proto.cpp: header structure, act_size.'
 *   the number of the fragment is in bytes 12 to 15: 'gcs_act_proto.cpp: header structure, frag_no.'
 *   the fragment is behind the header: 'Docstring: "Remaining fragment buf and length is in frag->frag".'
 *   its length is the rest of the buffer: 'Docstring: "Remaining fragment buf and length is in frag->frag_len".'
 *   a buffer for the header alone leaves none: 'Docstring: "Remaining fragment buf and length".'
 *   data in the buffer stay: 'Docstring: "Writes header data".'
 *   nothing before or behind the buffer is written: 'Signature: buf_len.'
 *   all else in the fragment stays when it is written: 'Docstring: frag->frag and frag->frag_len are set.'
 *   reading returns zero: 'Docstring: "0 on success".'
 *   what was written is read: 'Docstring: "Reads header data from the actual header of the message".'
 *   the largest values are read: 'gcs_act_proto.cpp: header structure, widths; gcs.hpp: GCS_MAX_ACT_SIZE.'
 *   small values are read: 'gcs_act_proto.cpp: header structure.'
 *   each type of action is read: 'gcs.hpp: gcs_act_type_t.'
 *   the fragment read is that behind the header: 'Docstring: "Remaining fragment buf and length is in frag->frag".'
 *   an empty fragment is read: 'Docstring: "Remaining fragment buf and length".'
 *   a message shorter than the header is an error: 'Docstring: "0 on success"; gcs_act_proto_hdr_size.'
 *   another version is an error: 'gcs_act_proto.hpp: "for now only version 0 is supported".'
 *   a size above the limit is an error: 'gcs.hpp: GCS_MAX_ACT_SIZE, "maximum supported size of an action".'
 *   errors are negative: 'Callers (gcs_core.cpp): strerror (-ret).'
 *   what was in the fragment does not matter: 'Callers (gcs_core.cpp) give one that was not set.'
 *   the message stays: 'Signature: const; callers (gcs_proto_test.cpp) read it again.'
 *   a counted up fragment is read: 'gcs_act_proto.hpp: gcs_act_proto_inc, "Increments fragment counter".'
 *   a message can be read twice: 'Callers (gcs_proto_test.cpp).'
 *   versions are told by the header: 'gcs_act_proto.hpp: gcs_act_proto_ver, "Returns message protocol version".'
 ---*/
#include <errno.h>
#include <stdint.h>
#include "gcs_act_proto.hpp"
#include "ok.h"

static union {
    uint64_t words[40];
    uint8_t bytes[320];
} room;

static uint8_t *const buf = room.bytes + 64;

static gcs_act_frag_t frag(long long id, size_t size, unsigned long no, int type)
{
    gcs_act_frag_t f;
    memset(&f, 0x3c, sizeof f);
    f.act_id = id;
    f.act_size = size;
    f.frag_no = no;
    f.act_type = static_cast<gcs_act_type_t>(type);
    f.proto_ver = 0;
    return f;
}

static long write(gcs_act_frag_t f, size_t length = 64)
{
    memset(&room, 0x55, sizeof room);
    memset(buf, 0, 20);
    return gcs_act_proto_write(&f, buf, length);
}

/* Only these bytes change between the two. */
static bool only(const gcs_act_frag_t &a, const gcs_act_frag_t &b, int first, int last)
{
    uint8_t copy[64];
    write(a);
    memcpy(copy, buf, sizeof copy);
    write(b);
    bool changed = false;
    for (int i = 0; i < 64; i++) {
        if (copy[i] == buf[i]) continue;
        if (i < first || i > last) return false;
        changed = true;
    }
    return changed;
}

static bool back(long long id, size_t size, unsigned long no, int type)
{
    gcs_act_frag_t f;
    memset(&f, 0x99, sizeof f);
    return write(frag(id, size, no, type)) == 0 && gcs_act_proto_read(&f, buf, 64) == 0 && f.act_id == id &&
           f.act_size == size && f.frag_no == no && f.act_type == type && f.proto_ver == 0 && f.frag == buf + 20 &&
           f.frag_len == 44;
}

int main()
{
    limit();
    const long long id = 0x0a0b0c0d0e0fLL;
    ok("writing returns zero", write(frag(1, 2, 3, 4)) == 0 && write(frag(0, 0, 0, 0), 20) == 0);
    write(frag(0xffffffffffffffLL, 0x7fffffff, 0xffffffff, 9));
    gcs_act_frag_t other = frag(5, 6, 7, 1);
    other.proto_ver = 1;
    bool version = buf[0] == 0;
    version = version && (write(other) != 0 || buf[0] == 1);
    ok("the version is the first byte", version);
    bool type = only(frag(id, 77, 5, 0), frag(id, 77, 5, 7), 16, 16) && buf[16] == 7;
    write(frag(id, 77, 5, 2));
    ok("the type of action is in byte 16", type && buf[16] == 2);
    ok("the id is in bytes 1 to 7", only(frag(0, 77, 5, 1), frag(1, 77, 5, 1), 1, 7) &&
       only(frag(id, 77, 5, 1), frag(id + 256, 77, 5, 1), 1, 7) &&
       only(frag(0, 77, 5, 1), frag(0xffffffffffffffLL, 77, 5, 1), 1, 7) &&
       only(frag(0, 0, 0, 0), frag(1LL << 40, 0, 0, 0), 1, 7));
    ok("the size is in bytes 8 to 11", only(frag(id, 0, 5, 1), frag(id, 1, 5, 1), 8, 11) &&
       only(frag(id, 0, 5, 1), frag(id, 0x7fffffff, 5, 1), 8, 11) &&
       only(frag(id, 256, 5, 1), frag(id, 65536, 5, 1), 8, 11));
    ok("the number of the fragment is in bytes 12 to 15", only(frag(id, 9, 0, 1), frag(id, 9, 1, 1), 12, 15) &&
       only(frag(id, 9, 0, 1), frag(id, 9, 0xffffffff, 1), 12, 15));

    gcs_act_frag_t f = frag(id, 1000, 6, 2);
    memset(&room, 0x55, sizeof room);
    gcs_act_proto_write(&f, buf, 64);
    ok("the fragment is behind the header", f.frag == buf + gcs_act_proto_hdr_size(0) && f.frag == buf + 20);
    const size_t rest = f.frag_len;
    bool data = true, around = true;
    for (int i = 20; i < 64; i++) data = data && buf[i] == 0x55;
    for (int i = 0; i < 64; i++) around = around && room.bytes[i] == 0x55;
    for (int i = 128; i < 320; i++) around = around && room.bytes[i] == 0x55;
    const bool stay = f.act_id == id && f.act_size == 1000 && f.frag_no == 6 && f.act_type == 2 && f.proto_ver == 0;
    gcs_act_proto_write(&f, buf, 200);
    ok("its length is the rest of the buffer", rest == 44 && f.frag_len == 180);
    const bool long_one = f.frag == buf + 20;
    memset(&room, 0x55, sizeof room);
    gcs_act_proto_write(&f, buf, 20);
    for (int i = 20; i < 200; i++) around = around && buf[i] == 0x55;
    ok("a buffer for the header alone leaves none", f.frag_len == 0 && long_one && f.frag == buf + 20);
    ok("data in the buffer stay", data);
    ok("nothing before or behind the buffer is written", around);
    ok("all else in the fragment stays when it is written", stay);

    write(frag(id, 1234567, 89, 3));
    memset(&f, 0, sizeof f);
    ok("reading returns zero", gcs_act_proto_read(&f, buf, 64) == 0);
    ok("what was written is read", f.act_id == id && f.act_size == 1234567 && f.frag_no == 89 && f.act_type == 3 &&
       f.proto_ver == 0 && back(0x123456789aLL, 0x01020304, 0x0a0b0c0d, 1) && back(1, 0x1ff, 0x100, 2));
    ok("the largest values are read", back(0xffffffffffffLL, GCS_MAX_ACT_SIZE, 0xffffffffUL, 9) &&
       back(0xffffffffffffffLL, 1, 0x80000000UL, 0));
    ok("small values are read", back(0, 0, 0, 0) && back(1, 1, 1, 1) && back(255, 255, 255, 0) &&
       back(256, 256, 256, 0));
    bool each = true;
    for (int i = 0; i <= GCS_ACT_UNKNOWN; i++) each = each && back(id, 5, 1, i);
    ok("each type of action is read", each);
    write(frag(id, 30, 0, 0));
    memcpy(buf + 20, "the data", 8);
    gcs_act_proto_read(&f, buf, 28);
    ok("the fragment read is that behind the header", f.frag == buf + 20 && f.frag_len == 8 &&
       !memcmp(f.frag, "the data", 8));
    ok("an empty fragment is read", gcs_act_proto_read(&f, buf, 20) == 0 && f.frag_len == 0 && f.act_id == id);
    bool brief = true, negative = true;
    for (size_t n = 1; n < 20; n++) {
        const long ret = gcs_act_proto_read(&f, buf, n);
        brief = brief && ret != 0;
        negative = negative && ret < 0;
    }
    ok("a message shorter than the header is an error", brief);
    bool versions = true;
    for (int v = 1; v < 256; v += 2) {
        write(frag(id, 30, 0, 0));
        buf[0] = v;
        const long ret = gcs_act_proto_read(&f, buf, 64);
        versions = versions && ret != 0;
        negative = negative && ret < 0;
    }
    ok("another version is an error", versions);
    bool large = back(id, GCS_MAX_ACT_SIZE, 0, 0);
    write(frag(id, 0x80000000UL, 0, 0));
    long ret = gcs_act_proto_read(&f, buf, 64);
    negative = negative && ret < 0;
    large = large && ret != 0;
    write(frag(id, 0xffffffffUL, 0, 0));
    ret = gcs_act_proto_read(&f, buf, 64);
    ok("a size above the limit is an error", large && ret != 0);
    ok("errors are negative", negative && ret < 0);
    bool matter = true;
    write(frag(id, 4321, 17, 4));
    for (int fill = 0; fill < 256; fill += 15) {
        memset(&f, fill, sizeof f);
        matter = matter && gcs_act_proto_read(&f, buf, 64) == 0 && f.act_id == id && f.act_size == 4321 &&
                 f.frag_no == 17 && f.act_type == 4 && f.proto_ver == 0 && f.frag_len == 44 && f.frag == buf + 20;
    }
    ok("what was in the fragment does not matter", matter);
    uint8_t copy[sizeof room];
    memcpy(copy, &room, sizeof copy);
    gcs_act_proto_read(&f, buf, 64);
    ok("the message stays", !memcmp(copy, &room, sizeof copy));
    const bool counted = gcs_act_proto_inc(buf) == 18 && gcs_act_proto_read(&f, buf, 64) == 0 && f.frag_no == 18 &&
                         f.act_id == id && f.act_size == 4321 && f.act_type == 4;
    write(frag(id, 1, 255, 0));
    ok("a counted up fragment is read", counted && gcs_act_proto_inc(buf) == 256 &&
       gcs_act_proto_read(&f, buf, 64) == 0 && f.frag_no == 256);
    gcs_act_frag_t g;
    ok("a message can be read twice", gcs_act_proto_read(&g, buf, 64) == 0 && g.act_id == f.act_id &&
       g.act_size == f.act_size && g.frag_no == f.frag_no && g.act_type == f.act_type && g.frag == f.frag);
    ok("versions are told by the header", gcs_act_proto_ver(buf) == 0);
    return plan();
}
