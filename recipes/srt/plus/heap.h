/* For the tests of the sender's list: sockets that are but a node, times, and the state of the list. */
#ifndef HEAP_H
#define HEAP_H
#include "platform_sys.h"
#include "core.h"
#include "queue.h"
#include "plus.h"
#include <atomic>
#include <thread>
#include <vector>

using namespace srt;
using namespace srt::sync;

typedef steady_clock::time_point When;

/* So many microseconds after the clock's beginning, long ago. */
static When at(int64_t us)
{
    return When() + microseconds_from(us);
}

/* Only the node of a socket is used by the list. */
static CUDT *make_socket()
{
    CUDT *u = (CUDT *)calloc(1, sizeof(CUDT));
    u->m_pSNode = new CSNode;
    u->m_pSNode->m_pUDT = u;
    u->m_pSNode->m_iHeapLoc = -1;
    return u;
}

static std::vector<CUDT *> make_sockets(int number)
{
    std::vector<CUDT *> sockets;
    for (int i = 0; i < number; i++) sockets.push_back(make_socket());
    return sockets;
}

static int place(const CUDT *u)
{
    return u->m_pSNode->m_iHeapLoc;
}

struct List : CSndUList {
    CTimer *timer;
    explicit List(CTimer *t) : CSndUList(t), timer(t) {}

    /* As callers do: with the lock held. */
    void insert(int64_t us, CUDT *u)
    {
        ScopedLock lock(m_ListLock);
        insert_(at(us), u);
    }
    void insert_without_realloc(int64_t us, CUDT *u)
    {
        ScopedLock lock(m_ListLock);
        insert_norealloc_(at(us), u);
    }
    void take(CUDT *u)
    {
        ScopedLock lock(m_ListLock);
        remove_(u);
    }

    int size() const { return m_iLastEntry + 1; }

    /* Whether each node knows its place, and none is before the one above it. */
    bool sound() const
    {
        if (m_iLastEntry >= m_iArrayLength) return false;
        for (int i = 0; i <= m_iLastEntry; i++) {
            if (m_pHeap[i] == NULL || m_pHeap[i]->m_iHeapLoc != i) return false;
            if (i > 0 && m_pHeap[(i - 1) / 2]->m_tsTimeStamp > m_pHeap[i]->m_tsTimeStamp) return false;
        }
        return true;
    }

    bool has(const CUDT *u) const
    {
        int found = 0;
        for (int i = 0; i <= m_iLastEntry; i++) found += m_pHeap[i] == u->m_pSNode;
        return found == 1 && place(u) >= 0 && m_pHeap[place(u)] == u->m_pSNode;
    }

    /* Sets a time that an interruption resets. */
    void arm() { timer->m_tsSchedTime = When::max(); }
    bool interrupted() const { return timer->m_tsSchedTime != When::max(); }
};

static uint32_t chance = 4711;

static int draw(int below)
{
    chance = chance * 1664525u + 1013904223u;
    return int((chance >> 8) % below);
}
#endif
