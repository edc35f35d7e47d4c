/*---
 * tasks: [srt.CSndUList.remove_-f840c0]
 * tests:
 *   the only socket is removed: 'Docstring: "Removes CUDT entry from the list".'
 *   an emptied list has no next time: 'getNextProcTime; m_iLastEntry is "-1 if empty".'
 *   a removed node is not on the heap: 'CSNode: "-1 means not on the heap".'
 *   after the first is removed the next in time is first: 'pop: "the next (in time) socket from the heap".'
 *   the last of the array is removed: 'Docstring: "Removes CUDT entry from the list".'
 *   one in the middle is removed: 'Docstring: "Removes CUDT entry from the list".'
 *   all others stay on the list: 'Docstring: it removes the one entry.'
 *   others keep their times: 'Docstring: it removes the one entry.'
 *   all others know their places: 'CSNode: m_iHeapLoc is the "location on the heap".'
 *   with two children the earlier one goes up: 'm_pHeap: "The heap array"; getNextProcTime reads its first.'
 *   a single child at the end goes up: 'm_pHeap: "The heap array"; m_iLastEntry is the last entry.'
 *   the first is removed again and again: 'Caller pop: sockets by time.'
 *   with equal times each is removed once: 'Caller pop removes one socket.'
 *   a socket that is not on the list changes nothing: 'CSNode: "-1 means not on the heap"; callers remove any.'
 *   an empty list stays empty: 'm_iLastEntry: "-1 if empty"; callers remove any socket.'
 *   a socket is removed only once: 'CSNode: "-1 means not on the heap".'
 *   a removed socket can be inserted again: 'Caller update: remove_, then insert_norealloc_.'
 *   what was the last place is used again: 'm_iLastEntry: "position of last entry".'
 *   removing all sockets interrupts the timer: 'Docstring: it "calls sync::CTimer::interrupt()" for the last.'
 *   the array stays: 'Docstring: "Removes CUDT entry from the list"; m_iArrayLength is its "physical length".'
 *   it works by way of remove: 'remove: "Remove UDT instance from the list".'
 ---*/
#include "heap.h"

/* A list of these sockets, at 10, 20, 30 and so on: in the order of the array. */
static void fill(List &list, const std::vector<CUDT *> &u)
{
    for (size_t i = 0; i < u.size(); i++) list.insert(10 * (i + 1), u[i]);
}

int main()
{
    alarm(10);
    CTimer timer;
    {
        List list(&timer);
        std::vector<CUDT *> u = make_sockets(1);
        fill(list, u);
        list.take(u[0]);
        ok("the only socket is removed", list.size() == 0 && list.m_iLastEntry == -1);
        ok("an emptied list has no next time", is_zero(list.getNextProcTime()) && list.pop() == NULL);
        ok("a removed node is not on the heap", place(u[0]) == -1);
    }
    {
        bool good = true;
        for (int number = 2; number < 40; number++) {
            List list(&timer);
            std::vector<CUDT *> u = make_sockets(number);
            fill(list, u);
            list.take(u[0]);
            good = good && place(u[0]) == -1 && place(u[1]) == 0 && list.getNextProcTime() == at(20);
            good = good && list.size() == number - 1 && list.sound();
        }
        ok("after the first is removed the next in time is first", good);
    }
    {
        bool last = true, middle = true, others = true, times = true, places = true;
        for (int number = 2; number < 24; number++)
            for (int gone = 1; gone < number; gone++) {
                List list(&timer);
                std::vector<CUDT *> u = make_sockets(number);
                fill(list, u);
                list.take(u[gone]);
                const bool good = list.size() == number - 1 && place(u[gone]) == -1 && list.sound();
                (gone == number - 1 ? last : middle) = (gone == number - 1 ? last : middle) && good;
                for (int i = 0; i < number; i++) {
                    if (i == gone) continue;
                    others = others && list.has(u[i]);
                    times = times && u[i]->m_pSNode->m_tsTimeStamp == at(10 * (i + 1));
                    places = places && place(u[i]) >= 0 && place(u[i]) < number - 1 &&
                             list.m_pHeap[place(u[i])] == u[i]->m_pSNode;
                }
            }
        ok("the last of the array is removed", last);
        ok("one in the middle is removed", middle);
        ok("all others stay on the list", others);
        ok("others keep their times", times);
        ok("all others know their places", places);
    }
    {
        bool good = true;
        const int64_t times[][7] = {{1, 5, 3, 8, 9, 6, 7}, {1, 3, 5, 6, 7, 8, 9}, {1, 5, 3, 8, 9, 4, 7}};
        for (const int64_t *time : times) {
            List list(&timer);
            std::vector<CUDT *> u = make_sockets(7);
            for (int i = 0; i < 7; i++) list.insert(time[i], u[i]);
            list.take(u[0]);
            good = good && list.getNextProcTime() == at(3) && list.sound() && list.size() == 6;
        }
        ok("with two children the earlier one goes up", good);
    }
    {
        List list(&timer);
        std::vector<CUDT *> u = make_sockets(3);
        fill(list, u);
        list.take(u[0]);
        const bool first = place(u[1]) == 0 && place(u[2]) == 1 && list.sound();
        List other(&timer);
        std::vector<CUDT *> v = make_sockets(7);
        const int64_t times[] = {1, 2, 30, 3, 31, 40, 41};
        for (int i = 0; i < 7; i++) other.insert(times[i], v[i]);
        other.take(v[6]);
        other.take(v[5]);
        other.take(v[0]);
        ok("a single child at the end goes up", first && other.sound() && other.size() == 4 && place(v[1]) == 0);
    }
    {
        bool good = true, same = true;
        for (int round = 0; round < 40; round++) {
            List list(&timer);
            const int number = 2 + draw(70);
            std::vector<CUDT *> u = make_sockets(number);
            for (CUDT *s : u) list.insert(1 + draw(1000), s);
            When last;
            for (int i = 0; i < number; i++) {
                CUDT *s = list.m_pHeap[0]->m_pUDT;
                good = good && s->m_pSNode->m_tsTimeStamp >= last;
                last = s->m_pSNode->m_tsTimeStamp;
                list.take(s);
                good = good && place(s) == -1 && list.sound() && list.size() == number - 1 - i;
            }
            List equal(&timer);
            for (CUDT *s : u) equal.insert(1 + draw(3), s);
            for (int i = 0; i < number; i++) {
                CUDT *s = equal.pop();
                same = same && s != NULL && place(s) == -1 && equal.sound() && equal.size() == number - 1 - i;
            }
            for (CUDT *s : u) same = same && place(s) == -1;
        }
        ok("the first is removed again and again", good);
        ok("with equal times each is removed once", same);
    }
    {
        List list(&timer);
        std::vector<CUDT *> u = make_sockets(5);
        CUDT *stranger = make_socket();
        fill(list, u);
        list.take(stranger);
        bool good = list.size() == 5 && list.sound() && place(stranger) == -1;
        for (CUDT *s : u) good = good && list.has(s);
        ok("a socket that is not on the list changes nothing", good && list.getNextProcTime() == at(10));
        List empty(&timer);
        empty.take(stranger);
        good = empty.m_iLastEntry == -1 && place(stranger) == -1 && is_zero(empty.getNextProcTime());
        empty.insert(3, stranger);
        ok("an empty list stays empty", good && empty.size() == 1 && empty.pop() == stranger);
        list.take(u[2]);
        list.take(u[2]);
        list.take(u[2]);
        good = list.size() == 4 && list.sound() && place(u[2]) == -1;
        for (int i = 0; i < 5; i++) good = good && (i == 2 || list.has(u[i]));
        ok("a socket is removed only once", good);
        list.insert(1, u[2]);
        good = list.size() == 5 && list.has(u[2]) && place(u[2]) == 0 && list.sound();
        CUDT *const order[] = {u[2], u[0], u[1], u[3], u[4]};
        for (CUDT *next : order) good = list.pop() == next && good;
        ok("a removed socket can be inserted again", good);
    }
    {
        List list(&timer);
        std::vector<CUDT *> u = make_sockets(4);
        fill(list, u);
        list.take(u[3]);
        bool good = list.m_iLastEntry == 2;
        list.insert(100, u[3]);
        good = good && list.m_iLastEntry == 3 && place(u[3]) == 3;
        list.take(u[1]);
        good = good && list.m_iLastEntry == 2;
        list.insert(200, u[1]);
        ok("what was the last place is used again", good && list.m_iLastEntry == 3 && place(u[1]) == 3 &&
           list.sound());
    }
    {
        List list(&timer);
        std::vector<CUDT *> u = make_sockets(2);
        fill(list, u);
        list.arm();
        list.take(u[0]);
        list.take(u[1]);
        ok("removing all sockets interrupts the timer", list.interrupted() && list.size() == 0);
    }
    {
        List list(&timer);
        std::vector<CUDT *> u = make_sockets(600);
        fill(list, u);
        CSNode **const array = list.m_pHeap;
        const int length = list.m_iArrayLength;
        bool good = true;
        for (int i = 0; i < 600; i++) good = list.pop() == u[i] && good;
        ok("the array stays", good && list.m_pHeap == array && list.m_iArrayLength == length);
    }
    {
        List list(&timer);
        std::vector<CUDT *> u = make_sockets(3);
        fill(list, u);
        list.remove(u[0]);
        list.remove(u[2]);
        list.remove(u[2]);
        ok("it works by way of remove", list.size() == 1 && list.has(u[1]) && place(u[0]) == -1 && place(u[2]) == -1);
    }
    return plus_end();
}
