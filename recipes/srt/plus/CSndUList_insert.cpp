/*---
 * tasks: [srt.CSndUList.insert_-95e1fe.2]
 * tests:
 *   the first socket is on the list: 'Docstring: "Insert a new UDT instance into the list".'
 *   a node gets its time: 'Docstring: ts is the "next processing time".'
 *   a node gets its place: 'CSNode: m_iHeapLoc is the "location on the heap".'
 *   the earliest comes first: 'getNextProcTime: "processing time of the first UDT socket in the list".'
 *   a later one does not come first: 'getNextProcTime: "processing time of the first UDT socket in the list".'
 *   one between goes between: 'pop: "Retrieve the next (in time) socket".'
 *   sockets are popped by time: 'pop: "Retrieve the next (in time) socket from the heap".'
 *   sockets of the same time are all kept: 'Docstring: "Insert a new UDT instance".'
 *   whatever the order it is a heap: 'm_pHeap: "The heap array"; remove_ and pop rely on it.'
 *   each node knows its place: 'CSNode: m_iHeapLoc, which remove_ goes by.'
 *   the array grows when it is full: 'Docstring of insert_: "with realloc if required".'
 *   nothing is lost when it grows: 'Docstring of insert_: "with realloc if required".'
 *   it grows more than once: 'realloc_: "Doubles the size of the list".'
 *   without realloc the array stays: 'Docstring of insert_norealloc_: "without realloc".'
 *   without realloc it is the same heap: 'Docstring: "Insert a new UDT instance into the list without realloc".'
 *   the first socket interrupts the timer: 'Caller update interrupts it for the first place; the worker sleeps.'
 *   an earlier socket interrupts the timer: 'Caller update interrupts it for the first place; the worker sleeps.'
 *   the first socket wakes who waits for one: 'waitNonEmpty: "Wait for the list to become non empty".'
 *   it wakes again after the list was emptied: 'waitNonEmpty: "Wait for the list to become non empty".'
 *   a socket can be inserted again after it was popped: 'CSNode: -1 means not on the heap.'
 *   a socket can be set to an earlier time: 'Caller update: remove_, then insert_norealloc_ with the new time.'
 *   other lists are left alone: 'Docstring: "into the list".'
 ---*/
#include "heap.h"

/* Whether inserting into this empty list wakes one who waits for it. */
static bool wakes(List &list, CUDT *u)
{
    std::atomic<bool> done(false);
    std::thread waiter([&] {
        list.waitNonEmpty();
        done = true;
    });
    usleep(50000);
    list.insert(5, u);
    for (int i = 0; i < 300 && !done; i++) usleep(10000);
    const bool woken = done;
    while (!done) {
        list.signalInterrupt();
        usleep(1000);
    }
    waiter.join();
    return woken;
}

int main()
{
    alarm(10);
    CTimer timer;
    {
        List list(&timer);
        std::vector<CUDT *> u = make_sockets(6);
        list.arm();
        list.insert(500, u[0]);
        ok("the first socket is on the list", list.size() == 1 && list.has(u[0]));
        ok("a node gets its time", u[0]->m_pSNode->m_tsTimeStamp == at(500) && list.getNextProcTime() == at(500));
        ok("a node gets its place", place(u[0]) == 0);
        ok("the first socket interrupts the timer", list.interrupted());
        list.arm();
        list.insert(300, u[1]);
        ok("the earliest comes first", list.getNextProcTime() == at(300) && place(u[1]) == 0 && list.has(u[0]));
        ok("an earlier socket interrupts the timer", list.interrupted());
        list.insert(700, u[2]);
        ok("a later one does not come first", list.getNextProcTime() == at(300) && list.has(u[2]) && list.sound());
        list.insert(400, u[3]);
        list.insert(350, u[4]);
        list.insert(600, u[5]);
        bool good = list.getNextProcTime() == at(300) && list.sound() && list.size() == 6;
        ok("one between goes between", good);
        CUDT *const order[] = {u[1], u[4], u[3], u[0], u[5], u[2]};
        for (CUDT *next : order) good = list.pop() == next && good;
        ok("sockets are popped by time", good && list.pop() == NULL && list.size() == 0);
        good = true;
        for (int i = 0; i < 6; i++) {
            good = good && place(u[i]) == -1;
            list.insert(100 - i, u[i]);
            good = good && list.has(u[i]) && u[i]->m_pSNode->m_tsTimeStamp == at(100 - i);
        }
        good = good && list.sound() && list.pop() == u[5];
        ok("a socket can be inserted again after it was popped", good);
    }
    {
        List list(&timer);
        std::vector<CUDT *> u = make_sockets(9);
        for (CUDT *s : u) list.insert(42, s);
        bool good = list.size() == 9 && list.sound();
        for (CUDT *s : u) good = good && list.has(s);
        for (int i = 0; i < 9; i++) good = list.pop() != NULL && good;
        for (CUDT *s : u) good = good && place(s) == -1;
        ok("sockets of the same time are all kept", good);
    }
    {
        bool heap = true, places = true;
        for (int round = 0; round < 30; round++) {
            List list(&timer);
            std::vector<CUDT *> u = make_sockets(60);
            for (int i = 0; i < 60; i++) {
                const int time = round == 0 ? i + 1 : round == 1 ? 100 - i : 1 + draw(round % 2 ? 1000 : 20);
                list.insert(time, u[i]);
                heap = heap && list.sound() && list.size() == i + 1;
            }
            for (CUDT *s : u) places = places && list.has(s);
            When last;
            for (int i = 0; i < 60; i++) {
                CUDT *s = list.pop();
                heap = heap && s != NULL && s->m_pSNode->m_tsTimeStamp >= last;
                if (s != NULL) last = s->m_pSNode->m_tsTimeStamp;
            }
        }
        ok("whatever the order it is a heap", heap);
        ok("each node knows its place", places);
    }
    {
        List list(&timer);
        const int full = list.m_iArrayLength;
        std::vector<CUDT *> u = make_sockets(5 * full);
        for (int i = 0; i <= full; i++) list.insert(10000 - i, u[i]);
        ok("the array grows when it is full", list.m_iArrayLength > full && list.size() == full + 1);
        bool good = list.sound();
        for (int i = 0; i <= full; i++) good = good && list.has(u[i]);
        ok("nothing is lost when it grows", good && list.getNextProcTime() == at(10000 - full));
        for (int i = full + 1; i < 5 * full; i++) {
            list.insert(10000 - i, u[i]);
            good = good && list.m_iLastEntry < list.m_iArrayLength;
        }
        good = good && list.sound() && list.size() == 5 * full;
        for (int i = 5 * full - 1; i >= 0; i--) good = list.pop() == u[i] && good;
        ok("it grows more than once", good && list.size() == 0);
    }
    {
        List list(&timer);
        const int full = list.m_iArrayLength;
        CSNode **const array = list.m_pHeap;
        std::vector<CUDT *> u = make_sockets(full);
        bool good = true;
        for (CUDT *s : u) {
            list.insert_without_realloc(1 + draw(5000), s);
            good = good && list.has(s);
        }
        ok("without realloc the array stays", list.m_iArrayLength == full && list.m_pHeap == array);
        good = good && list.sound() && list.size() == full;
        When last;
        for (int i = 0; i < full; i++) {
            CUDT *s = list.pop();
            good = good && s != NULL && s->m_pSNode->m_tsTimeStamp >= last;
            if (s != NULL) last = s->m_pSNode->m_tsTimeStamp;
        }
        ok("without realloc it is the same heap", good && list.pop() == NULL);
    }
    {
        List list(&timer);
        std::vector<CUDT *> u = make_sockets(2);
        ok("the first socket wakes who waits for one", wakes(list, u[0]));
        const bool emptied = list.pop() == u[0] && list.size() == 0;
        ok("it wakes again after the list was emptied", emptied && wakes(list, u[1]));
    }
    {
        List list(&timer), other(&timer);
        std::vector<CUDT *> u = make_sockets(6);
        for (int i = 0; i < 5; i++) list.insert(1000 + 100 * i, u[i]);
        other.insert(7, u[5]);
        list.update(u[4], CSndUList::DO_RESCHEDULE, at(50));
        bool good = list.size() == 5 && list.sound() && place(u[4]) == 0 && list.getNextProcTime() == at(50);
        list.update(u[3], CSndUList::DO_RESCHEDULE, at(1050));
        good = good && list.size() == 5 && list.sound() && u[3]->m_pSNode->m_tsTimeStamp == at(1050);
        CUDT *const order[] = {u[4], u[0], u[3], u[1], u[2]};
        for (CUDT *next : order) good = list.pop() == next && good;
        ok("a socket can be set to an earlier time", good);
        ok("other lists are left alone", other.size() == 1 && other.has(u[5]) && other.getNextProcTime() == at(7));
    }
    return plus_end();
}
