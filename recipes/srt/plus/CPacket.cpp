/*---
 * tasks: [srt.CPacket.CPacket-459214]
 * tests:
 *   the header is zero: 'pack: without lparam, a UMSG_KEEPALIVE sends the message number as it was made.'
 *   it is a data packet: 'isControl: the first bit of the header, which setControl sets.'
 *   the sequence number is in the header: 'packet.h: m_iSeqNo is an "alias: sequence number"; getSeqNo.'
 *   the message number is in the header: 'packet.h: m_iMsgNo is an "alias: message number"; getMsgSeq.'
 *   the timestamp is in the header: 'packet.h: m_iTimeStamp is an "alias: timestamp"; getMsgTimeStamp.'
 *   the socket ID is in the header: 'packet.h: m_iID is an "alias: destination SRT socket ID".'
 *   each alias sets its own field alone: 'Comment: "Set up the aliases in the constructure".'
 *   what is set in the header is seen by the aliases: 'Comment: "Set up the aliases in the constructure".'
 *   the first part of the vector is the header: 'packet.h: "vector of an SRT packet [header, data]".'
 *   the first part has the size of the header: 'packet.h: HDR_SIZE, "packet header size".'
 *   there are no data: 'getData, getLength: what was set; nothing was.'
 *   the data pointer is that of the vector: 'packet.h: m_pcData is an "alias: payload".'
 *   data that are set are found: 'packet.h: m_pcData is an "alias: payload"; getData.'
 *   data that were lent are not freed: 'Destructor: "Delete the internal buffer only if it was declared as owned".'
 *   nothing is released of an empty packet: 'release: "When not owned, release returns NULL".'
 *   memory can be allocated: 'allocate, clone: what was there before is deleted only if owned.'
 *   the padding of a control packet is always the same: 'pack: m_extra_pad is sent as the data of UMSG_SHUTDOWN.'
 *   two packets share nothing: 'Comment: "Set up the aliases in the constructure", those of this packet.'
 *   a clone is a packet of its own: 'clone: it makes a packet and copies header and data.'
 ---*/
#include "platform_sys.h"
#include "packet.h"
#include "plus.h"
#include <new>

using namespace srt;

/* A packet in memory that was used before. */
struct Place {
    alignas(16) char room[sizeof(CPacket)];
    CPacket *packet;
    explicit Place(int before)
    {
        memset(room, before, sizeof room);
        asm volatile("" : : "r"(room) : "memory");
        packet = new (room) CPacket;
    }
    ~Place() { packet->~CPacket(); }
    CPacket *operator->() { return packet; }
    CPacket &operator*() { return *packet; }
};

static bool zero(CPacket &p)
{
    for (int i = 0; i < SRT_PH_E_SIZE; i++)
        if (p.getHeader()[i] != 0) return false;
    return true;
}

static bool header(CPacket &p, uint32_t seqno, uint32_t msgno, uint32_t timestamp, uint32_t id)
{
    return p.header(SRT_PH_SEQNO) == seqno && p.header(SRT_PH_MSGNO) == msgno &&
           p.header(SRT_PH_TIMESTAMP) == timestamp && p.header(SRT_PH_ID) == id;
}

int main()
{
    Place ones(0xff), marks(0xa5), plain(0);
    ok("the header is zero", zero(*ones) && zero(*marks) && zero(*plain));
    ok("it is a data packet", !ones->isControl() && !marks->isControl());
    {
        Place p(0xff);
        p->m_iSeqNo = 0x12345678;
        ok("the sequence number is in the header", p->getSeqNo() == 0x12345678 && header(*p, 0x12345678, 0, 0, 0));
        bool good = header(*p, 0x12345678, 0, 0, 0);
        p->m_iMsgNo = 0x01abcdef;
        ok("the message number is in the header",
           p->getMsgSeq() == 0x01abcdef && p->header(SRT_PH_MSGNO) == 0x01abcdef);
        good = good && header(*p, 0x12345678, 0x01abcdef, 0, 0);
        p->m_iTimeStamp = 0x11223344;
        ok("the timestamp is in the header",
           p->getMsgTimeStamp() == 0x11223344 && p->header(SRT_PH_TIMESTAMP) == 0x11223344);
        good = good && header(*p, 0x12345678, 0x01abcdef, 0x11223344, 0);
        p->m_iID = 0x0badcafe;
        ok("the socket ID is in the header", p->header(SRT_PH_ID) == 0x0badcafe);
        ok("each alias sets its own field alone", good && header(*p, 0x12345678, 0x01abcdef, 0x11223344, 0x0badcafe));
    }
    {
        Place p(0xa5);
        p->getHeader()[SRT_PH_SEQNO] = 1;
        p->getHeader()[SRT_PH_MSGNO] = 22;
        p->getHeader()[SRT_PH_TIMESTAMP] = 333;
        p->getHeader()[SRT_PH_ID] = 4444;
        ok("what is set in the header is seen by the aliases",
           p->m_iSeqNo == 1 && p->m_iMsgNo == 22 && p->m_iTimeStamp == 333 && p->m_iID == 4444);
    }
    {
        Place p(0xff);
        IOVector *parts = p->getPacketVector();
        ok("the first part of the vector is the header",
           parts[CPacket::PV_HEADER].data() == (char *)p->getHeader());
        ok("the first part has the size of the header",
           parts[CPacket::PV_HEADER].size() == 16 && CPacket::HDR_SIZE == 16);
        ok("there are no data", p->getLength() == 0 && p->size() == 0 && p->getData() == NULL && p->data() == NULL &&
           parts[CPacket::PV_DATA].data() == NULL && parts[CPacket::PV_DATA].size() == 0);
        char buffer[10] = "payload";
        p->m_pcData = buffer;
        p->setLength(7);
        const bool there = parts[CPacket::PV_DATA].data() == buffer && parts[CPacket::PV_DATA].size() == 7;
        char other[10] = "other";
        parts[CPacket::PV_DATA].set(other, 5);
        ok("the data pointer is that of the vector", there && p->m_pcData == other && p->data() == other);
        ok("data that are set are found", there && p->getData() == other && p->getLength() == 5);
    }
    {
        /* Were they freed, the C library would end the program. */
        static char buffer[64] = "still here";
        for (int before : {0xff, 0x01, 0xa5}) {
            Place p(before);
            p->m_pcData = buffer + 8;
            p->setLength(32);
        }
        ok("data that were lent are not freed", !strcmp(buffer, "still here"));
    }
    {
        Place p(0xff), q(0x01);
        char buffer[8];
        q->m_pcData = buffer;
        q->setLength(8);
        ok("nothing is released of an empty packet", p->release() == NULL &&
           q->release() == NULL && q->getLength() == 0);
    }
    {
        Place p(0xff), q(0x01);
        p->allocate(100);
        q->allocate(0x01010101 % 1000);
        bool good = p->getData() != NULL && p->getLength() == 100 && q->getData() != NULL;
        if (good) memset(p->getData(), 7, 100);
        char *mine = p->release();
        good = good && mine != NULL && mine[99] == 7 && p->getLength() == 0;
        delete[] mine;
        ok("memory can be allocated", good);
    }
    {
        Place p(0xff), q(0x55);
        p->pack(UMSG_SHUTDOWN);
        q->pack(UMSG_SHUTDOWN);
        ok("the padding of a control packet is always the same",
           p->getLength() == 4 && q->getLength() == 4 && !memcmp(p->getData(), q->getData(), 4));
    }
    {
        Place p(0xff), q(0xff);
        char buffer[4];
        p->m_iSeqNo = 5;
        p->m_iID = 6;
        p->m_pcData = buffer;
        p->setLength(4);
        ok("two packets share nothing", zero(*q) && q->getData() == NULL && q->getLength() == 0 && p->m_iSeqNo == 5 &&
           p->getHeader() != q->getHeader() &&
           q->getPacketVector()[CPacket::PV_HEADER].data() == (char *)q->getHeader());
    }
    {
        Place p(0xff);
        char buffer[] = "some data";
        p->m_iSeqNo = 77;
        p->m_iMsgNo = 88;
        p->m_iTimeStamp = 99;
        p->m_iID = 111;
        p->m_pcData = buffer;
        p->setLength(sizeof buffer);
        CPacket *twin = p->clone();
        p->m_iSeqNo = 1;
        buffer[0] = 'S';
        ok("a clone is a packet of its own", header(*twin, 77, 88, 99, 111) && twin->m_iSeqNo == 77 &&
           twin->getLength() == sizeof buffer && twin->getData() != buffer && !strcmp(twin->getData(), "some data"));
        delete twin;
    }
    return plus_end();
}
