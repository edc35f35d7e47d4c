/*---
 * tasks: [srt.CSndLossList.getLossLength-1c7d46.2]
 * tests:
 *   an empty list has no length: 'Docstring: "The length of the list".'
 *   an empty list gives minus one: 'Docstring: "-1 if the list is empty".'
 *   a single number is given once: 'Docstring: "Read the first loss seq. no. in the list and remove it".'
 *   a range is given from its first to its last: 'Docstring: "the first (smallest) loss seq. no.".'
 *   the length falls by one with each number: 'Docstring: "remove it"; m_iLength is the "loss length".'
 *   the length counts numbers, not ranges: 'm_iLength: "loss length"; insert returns the number of packets.'
 *   a range of two leaves a single number: 'Docstring: the first is removed; seqend is that of a range only.'
 *   several ranges are given in order: 'Docstring: "the first (smallest)".'
 *   a number added before the first is given next: 'Docstring: "the first (smallest)".'
 *   a number added behind the rest of a range is kept: 'insert starts from m_iLastInsertPos, which must be a node.'
 *   a number added behind a single one that was taken is kept: 'insert starts from m_iLastInsertPos.'
 *   a range can be prolonged after its first was taken: 'insert: "number of packets not in the list previously".'
 *   a number that was taken can be added again: 'insert: "number of packets that are not in the list previously".'
 *   numbers go on at zero behind the largest: 'CSeqNo::incseq: behind m_iMaxSeqNo comes 0.'
 *   the number zero and the largest are given: 'Docstring: "The seq. no. or -1 if the list is empty".'
 *   an emptied list gives minus one: 'Docstring: "-1 if the list is empty"; the length is 0.'
 *   an emptied list can be filled again: 'insert: into an empty list, whose m_iHead is -1.'
 *   the end of the array is passed: 'm_iSize: "size of the static array", used as a circle.'
 *   many ranges go through a small list: 'm_iSize: "size of the static array", used as a circle.'
 *   it goes with removeUpTo: 'removeUpTo: numbers are removed "and all numbers that precede it".'
 *   a number is taken only with the lock: 'm_ListLock: "used to synchronize list operation".'
 *   the length is read only with the lock: 'm_ListLock: "used to synchronize list operation".'
 *   the lock is free afterwards: 'm_ListLock: "used to synchronize list operation"; insert takes it.'
 *   the length changes nothing: 'Signature: const.'
 ---*/
#include "platform_sys.h"
#include "common.h"
#include "list.h"
#include "plus.h"
#include <atomic>
#include <string>
#include <thread>

using namespace srt;

static const int32_t MOST = CSeqNo::m_iMaxSeqNo;

/* All numbers, by popping, and "!" where a length is wrong. */
static std::string drain(CSndLossList &list, int limit = 3000)
{
    std::string text;
    for (int i = 0; i < limit; i++) {
        const int before = list.getLossLength();
        const int32_t seqno = list.popLostSeq();
        if (list.getLossLength() != (seqno == -1 ? 0 : before - 1)) text += "!";
        if (seqno == -1) return text;
        text += (text.empty() ? "" : " ") + std::to_string(seqno);
    }
    return text + " endless";
}

/* Whether a call waits until the list's lock is free. */
template <class F> static bool waits(CSndLossList &list, F call)
{
    std::atomic<bool> done(false);
    list.m_ListLock.lock();
    std::thread thread([&] {
        call();
        done = true;
    });
    usleep(50000);
    const bool waited = !done;
    list.m_ListLock.unlock();
    thread.join();
    return waited;
}

static bool unlocked(CSndLossList &list)
{
    if (!list.m_ListLock.try_lock()) return false;
    list.m_ListLock.unlock();
    return true;
}

int main()
{
    alarm(10);
    {
        CSndLossList list;
        ok("an empty list has no length", list.getLossLength() == 0);
        bool good = list.popLostSeq() == -1 && list.popLostSeq() == -1 && list.getLossLength() == 0;
        ok("an empty list gives minus one", good && list.insert(4, 4) == 1 && drain(list) == "4");
        list.insert(70, 70);
        good = list.getLossLength() == 1 && list.popLostSeq() == 70;
        ok("a single number is given once", good && list.popLostSeq() == -1 && list.getLossLength() == 0);
    }
    {
        CSndLossList list;
        list.insert(3, 7);
        bool falls = list.getLossLength() == 5;
        std::string got;
        for (int i = 4; i >= 0; i--) {
            got += std::to_string(list.popLostSeq()) + " ";
            falls = falls && list.getLossLength() == i;
        }
        ok("a range is given from its first to its last", got == "3 4 5 6 7 ");
        ok("the length falls by one with each number", falls);
        ok("an emptied list gives minus one", list.popLostSeq() == -1 && list.getLossLength() == 0);
    }
    {
        CSndLossList list;
        list.insert(1, 5);
        list.insert(10, 10);
        list.insert(20, 21);
        list.insert(20, 21);
        ok("the length counts numbers, not ranges", list.getLossLength() == 8);
        const int one = list.getLossLength(), two = list.getLossLength();
        ok("the length changes nothing", one == 8 && two == 8 && drain(list) == "1 2 3 4 5 10 20 21");
    }
    {
        CSndLossList list;
        list.insert(3, 4);
        bool good = list.popLostSeq() == 3 && list.getLossLength() == 1 && list.insert(6, 6) == 1;
        good = good && drain(list) == "4 6";
        list.insert(30, 31);
        good = good && list.popLostSeq() == 30 && list.popLostSeq() == 31 && list.popLostSeq() == -1;
        good = good && list.insert(40, 40) == 1 && list.insert(50, 50) == 1;
        ok("a range of two leaves a single number", good && drain(list) == "40 50");
    }
    {
        CSndLossList list;
        list.insert(50, 52);
        list.insert(10, 10);
        list.insert(30, 31);
        list.insert(70, 70);
        ok("several ranges are given in order", drain(list) == "10 30 31 50 51 52 70");
    }
    {
        CSndLossList list;
        list.insert(10, 12);
        bool good = list.popLostSeq() == 10 && list.insert(5, 6) == 2 && list.popLostSeq() == 5;
        good = good && list.insert(2, 2) == 1;
        ok("a number added before the first is given next", good && drain(list) == "2 6 11 12");
    }
    {
        CSndLossList list;
        list.insert(3, 7);
        const bool good = list.popLostSeq() == 3 && list.insert(20, 20) == 1 && list.insert(15, 16) == 2;
        ok("a number added behind the rest of a range is kept", good && drain(list) == "4 5 6 7 15 16 20");
    }
    {
        CSndLossList list;
        list.insert(30, 30);
        list.insert(10, 10);
        bool good = list.popLostSeq() == 10 && list.insert(40, 42) == 3 && list.insert(35, 35) == 1;
        good = good && list.popLostSeq() == 30 && list.insert(60, 60) == 1;
        ok("a number added behind a single one that was taken is kept", good && drain(list) == "35 40 41 42 60");
    }
    {
        CSndLossList list;
        list.insert(3, 5);
        const bool good = list.popLostSeq() == 3 && list.insert(5, 8) == 3 && list.getLossLength() == 5;
        ok("a range can be prolonged after its first was taken", good && drain(list) == "4 5 6 7 8");
    }
    {
        CSndLossList list;
        list.insert(8, 12);
        bool good = list.popLostSeq() == 8 && list.popLostSeq() == 9 && list.insert(8, 8) == 1;
        good = good && list.popLostSeq() == 8 && list.getLossLength() == 3 && list.insert(9, 9) == 1;
        ok("a number that was taken can be added again", good && list.popLostSeq() == 9 && drain(list) == "10 11 12");
    }
    {
        CSndLossList list;
        list.insert(MOST - 2, 2);
        bool good = list.getLossLength() == 6;
        const int32_t wanted[] = {MOST - 2, MOST - 1, MOST, 0, 1, 2, -1};
        for (int32_t seqno : wanted) good = list.popLostSeq() == seqno && good;
        ok("numbers go on at zero behind the largest", good && list.getLossLength() == 0);
        CSndLossList ends;
        ends.insert(MOST, 0);
        good = ends.popLostSeq() == MOST && ends.getLossLength() == 1 && ends.popLostSeq() == 0;
        good = good && ends.getLossLength() == 0 && ends.popLostSeq() == -1;
        ends.insert(0, 0);
        ok("the number zero and the largest are given", good && ends.popLostSeq() == 0 && ends.popLostSeq() == -1);
    }
    {
        bool good = true;
        const int32_t first[][2] = {{3, 3}, {3, 4}, {3, 7}};
        for (const int32_t *range : first) {
            CSndLossList list(64);
            list.insert(range[0], range[1]);
            for (int i = 0; i < 20 && list.popLostSeq() != -1; i++) {}
            good = good && list.insert(100, 100) == 1 && list.insert(110, 111) == 2 && list.insert(105, 105) == 1;
            good = good && list.getLossLength() == 4 && drain(list) == "100 105 110 111";
            good = good && list.insert(9, 9) == 1 && list.getLossLength() == 1 && drain(list) == "9";
        }
        ok("an emptied list can be filled again", good);
    }
    {
        CSndLossList list(8);
        list.insert(1, 6);
        bool good = true;
        for (int i = 1; i <= 5; i++) good = list.popLostSeq() == i && good;
        good = good && list.insert(7, 10) == 4 && list.popLostSeq() == 6 && list.popLostSeq() == 7;
        good = good && list.popLostSeq() == 8 && list.popLostSeq() == 9 && list.insert(12, 13) == 2;
        ok("the end of the array is passed", good && drain(list) == "10 12 13");
    }
    {
        CSndLossList list(16);
        uint32_t chance = 12345;
        int32_t next = MOST - 500, read = next;
        bool good = true;
        std::string added, popped;
        for (int round = 0; round < 400; round++) {
            chance = chance * 1664525u + 1013904223u;
            const int gap = chance >> 8 & 1, length = 1 + (chance >> 16) % 4;
            next = CSeqNo::incseq(next, 2 + gap);
            const int32_t last = CSeqNo::incseq(next, length - 1);
            for (int i = 0; i < 12 && list.getLossLength() != 0 && CSeqNo::seqoff(read, last) >= 12; i++) {
                read = list.popLostSeq();
                popped += std::to_string(read) + " ";
            }
            if (list.getLossLength() == 0) read = next;
            good = list.insert(next, last) == length && good;
            for (int i = 0; i < length; i++) added += std::to_string(CSeqNo::incseq(next, i)) + " ";
            next = last;
        }
        for (int i = 0; i < 16; i++) {
            const int32_t seqno = list.popLostSeq();
            if (seqno == -1) break;
            popped += std::to_string(seqno) + " ";
        }
        ok("many ranges go through a small list", good && added == popped && list.getLossLength() == 0);
    }
    {
        CSndLossList list;
        list.insert(3, 9);
        list.insert(20, 22);
        bool good = list.popLostSeq() == 3;
        list.removeUpTo(5);
        good = good && list.getLossLength() == 7 && list.popLostSeq() == 6;
        list.removeUpTo(20);
        ok("it goes with removeUpTo", good && list.getLossLength() == 2 && drain(list) == "21 22");
    }
    {
        CSndLossList list;
        list.insert(3, 9);
        int32_t seqno = 0;
        int length = 0;
        bool good = waits(list, [&] { seqno = list.popLostSeq(); });
        ok("a number is taken only with the lock", good && seqno == 3);
        good = waits(list, [&] { length = list.getLossLength(); });
        ok("the length is read only with the lock", good && length == 6);
        good = unlocked(list);
        for (int i = 0; i < 20 && list.popLostSeq() != -1 && unlocked(list); i++) {}
        good = good && unlocked(list) && list.popLostSeq() == -1 && unlocked(list);
        ok("the lock is free afterwards", good && list.getLossLength() == 0 && unlocked(list));
    }
    return plus_end();
}
