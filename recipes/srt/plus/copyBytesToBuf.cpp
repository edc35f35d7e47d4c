/*---
 * tasks: [srt.copyBytesToBuf-e4e531]
 * tests:
 *   all bytes are copied: 'Docstring: data is a "pointer to data to copy", len "the number of bytes to copy".'
 *   it returns true: 'Docstring: "true on success".'
 *   bytes go behind the offset: 'Docstring: "offset in destination buffer".'
 *   nothing before the offset changes: 'Docstring: "offset in destination buffer".'
 *   nothing behind the last byte changes: 'Docstring: "the number of bytes to copy".'
 *   zero bytes and high bytes are copied: 'Docstring: "Copies bytes".'
 *   one byte is copied: 'Docstring: "the number of bytes to copy".'
 *   no bytes can be copied: 'Docstring: "the number of bytes to copy"; true on success.'
 *   the source stays as it was: 'Docstring: "Copies bytes to the destination buffer".'
 *   no byte behind the source is read: 'Docstring: "the number of bytes to copy".'
 *   a large block is copied: 'Docstring: "the number of bytes to copy".'
 *   a later piece leaves an earlier one: 'Caller readBufferTo: one call for each packet, with the bytes so far.'
 *   packets are read one behind the other: 'Caller readBuffer reads to dst; readBufferTo gives len - rs as offset.'
 *   a packet can be read in parts: 'Caller readBufferTo: m_iNotch, what is left is read by the next call.'
 *   what is read of a file is what was received: 'Caller readBuffer: len bytes at most, from the first.'
 ---*/
#include "../../srtcore/buffer_rcv.cpp"
#include "plus.h"
#include <sys/mman.h>

static char source[5000], target[9000];

static void fill()
{
    for (size_t i = 0; i < sizeof source; i++) source[i] = char(i * 7 + i / 256 + 3);
    memset(target, 0x55, sizeof target);
}

/* Whether all of target from FROM up to END is as fill left it. */
static bool clean(size_t from, size_t end)
{
    for (size_t i = from; i < end; i++)
        if (target[i] != 0x55) return false;
    return true;
}

static void add(srt::CUnitQueue &units, srt::CRcvBufferNew &buffer, int seqno, const char *data, size_t len)
{
    srt::CUnit *unit = units.getNextAvailUnit();
    srt::CPacket &packet = unit->m_Packet;
    packet.m_iSeqNo = seqno;
    packet.m_iTimeStamp = 0;
    packet.setLength(len);
    memcpy(packet.data(), data, len);
    packet.m_iMsgNo = srt::PacketBoundaryBits(srt::PB_SOLO) | srt::MSGNO_PACKET_INORDER::wrap(1);
    buffer.insert(unit);
}

int main()
{
    fill();
    const bool returned = srt::copyBytesToBuf(source, 100, 0, target);
    ok("all bytes are copied", !memcmp(target, source, 100));
    ok("it returns true", returned);
    fill();
    srt::copyBytesToBuf(source + 10, 50, 200, target);
    ok("bytes go behind the offset", !memcmp(target + 200, source + 10, 50));
    ok("nothing before the offset changes", clean(0, 200) && !clean(200, 250));
    ok("nothing behind the last byte changes", clean(250, sizeof target) && !clean(200, 250));
    {
        fill();
        const char bytes[] = {'a', 0, 'b', char(0xff), char(0x80), 0, 0, 'c', 0, 'd'};
        char from[sizeof bytes];
        memcpy(from, bytes, sizeof bytes);
        const bool good = srt::copyBytesToBuf(from, sizeof bytes, 3, target);
        ok("zero bytes and high bytes are copied", good && !memcmp(target + 3, bytes, sizeof bytes));
        ok("the source stays as it was", good && !memcmp(from, bytes, sizeof bytes));
    }
    fill();
    const bool one = srt::copyBytesToBuf(source + 1, 1, 8, target);
    ok("one byte is copied", one && target[8] == source[1] && clean(0, 8) && clean(9, sizeof target));
    fill();
    const bool none = srt::copyBytesToBuf(source, 0, 8, target);
    ok("no bytes can be copied", none && clean(0, sizeof target));
    {
        fill();
        const size_t page = sysconf(_SC_PAGESIZE);
        char *map = (char *)mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(map + page, page, PROT_NONE);
        char *end = map + page - 37;
        memcpy(end, source, 37);
        const bool good = srt::copyBytesToBuf(end, 37, 1, target);
        ok("no byte behind the source is read", good && !memcmp(target + 1, source, 37));
    }
    fill();
    const bool large = srt::copyBytesToBuf(source, sizeof source, 1234, target);
    ok("a large block is copied", large && !memcmp(target + 1234, source, sizeof source) && clean(0, 1234) &&
       clean(1234 + sizeof source, sizeof target));
    fill();
    srt::copyBytesToBuf(source, 40, 0, target);
    srt::copyBytesToBuf(source + 40, 30, 40, target);
    ok("a later piece leaves an earlier one", !memcmp(target, source, 70) && clean(70, sizeof target));

    {
        fill();
        srt::CUnitQueue units(16, 1500);
        srt::CRcvBufferNew buffer(1000, 16, &units, false);
        for (int i = 0; i < 3; i++) add(units, buffer, 1000 + i, source + 100 * i, 100);
        const int first = buffer.readBuffer(target, 250);
        ok("packets are read one behind the other",
           first == 250 && !memcmp(target, source, 250) && clean(250, sizeof target));
        const int rest = buffer.readBuffer(target + 250, 1000);
        ok("a packet can be read in parts",
           rest == 50 && !memcmp(target, source, 300) && clean(300, sizeof target));
    }
    {
        fill();
        srt::CUnitQueue units(16, 1500);
        srt::CRcvBufferNew buffer(7, 16, &units, false);
        int at = 0;
        const int sizes[] = {1, 700, 33, 1400, 256, 8};
        for (int i = 0; i < 6; at += sizes[i++]) add(units, buffer, 7 + i, source + at, sizes[i]);
        int got = 0;
        for (int i = 0; i < 100 && got < at; i++) got += buffer.readBuffer(target + got, 77);
        ok("what is read of a file is what was received",
           got == at && !memcmp(target, source, at) && clean(at, sizeof target));
    }
    return plus_end();
}
