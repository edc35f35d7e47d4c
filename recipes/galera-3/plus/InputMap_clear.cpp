/*---
 * tasks: [gcomm.evs.InputMap.clear-b49b0c]
 * tests:
 *   no message is left: 'Docstring: "Clear input map state"; evs_input_map2.hpp: "Index of messages".'
 *   nothing was received: 'Docstring: "Clear input map state"; aru_seq_, -1 in the constructor.'
 *   nothing is safe: 'Docstring: "Clear input map state"; safe_seq_, -1 in the constructor.'
 *   no node is left: 'Docstring: "Clear input map state"; node_index_; "FatalException if node was not found".'
 *   the map can be reset: 'evs_input_map2.cpp, reset: asserts that both indices of messages are empty.'
 *   messages to be recovered alone are forgotten too: 'evs_input_map2.cpp, reset: recovery_index_ is empty.'
 *   messages not erased alone are forgotten too: 'evs_input_map2.cpp, reset: msg_index_ is empty.'
 *   after a reset ranges start anew: 'evs_input_map2.hpp: InputMapNode, range_(0, -1).'
 *   after a reset nodes have nothing safe: 'evs_input_map2.hpp: InputMapNode, safe_seq_(-1).'
 *   after a reset messages can be inserted from the first on: 'evs_input_map2.cpp, insert: above aru_seq and lu.'
 *   after a reset sequence numbers can be set safe: 'evs_input_map2.cpp, set_safe_seq: it never decreases.'
 *   after a reset old messages cannot be recovered: 'evs_input_map2.hpp: "FatalException if node or message".'
 *   another number of nodes can come after it: 'evs_input_map2.hpp: reset, "Number of nodes".'
 *   an empty map can be cleared: 'Callers (destructor) clear any map.'
 *   it can be cleared twice: 'Callers: evs_proto.cpp, then the destructor.'
 *   payloads are given back: 'evs_input_map2.hpp: InputMapMsg holds a datagram; nothing is left of it.'
 *   other maps stay: 'evs_input_map2.hpp: indices of its own.'
 *   the destructor gives back all: 'Callers: the destructor.'
 ---*/
#include <vector>
#include "input.h"

/* Some agreed, some safe, some erased, and one behind a gap. */
static void use(InputMap &map)
{
    map.reset(2);
    for (seqno_t s = 0; s < 6; s++)
        for (size_t n = 0; n < 2; n++) put(map, n, s);
    put(map, 1, 9);
    for (size_t n = 0; n < 2; n++) map.set_safe_seq(n, 2);
    for (seqno_t s = 0; s < 5; s++) {
        InputMap::iterator i = map.find(1, s);
        map.erase(i);
    }
}

template<class F>
static bool throws(F f, InputMap &map)
{
    try {
        f(map);
    } catch (...) {
        return true;
    }
    return false;
}

static void ask_range(InputMap &map) { map.range(0); }
static void ask_safe(InputMap &map) { map.safe_seq(0); }
static void ask_find(InputMap &map) { map.find(1, 9); }
static void ask_max(InputMap &map) { map.max_hs(); }
static void ask_recover(InputMap &map) { map.recover(1, 4); }
static void ask_insert(InputMap &map) { put(map, 0, 20); }
static void reset(InputMap &map) { map.reset(2); }
static void insert(InputMap &map) { put(map, 1, 0); put(map, 0, 0); put(map, 0, 1); put(map, 1, 2); }
static void safe(InputMap &map) { map.set_safe_seq(0, 0); map.set_safe_seq(1, 0); }

int main()
{
    limit();
    {
        InputMap map;
        use(map);
        const bool used = map.aru_seq() == 5 && map.safe_seq() == 2 && map.begin() != map.end();
        map.clear();
        ok("no message is left", used && map.begin() == map.end());
        ok("nothing was received", map.aru_seq() == -1);
        ok("nothing is safe", map.safe_seq() == -1);
        ok("no node is left", throws(ask_range, map) && throws(ask_safe, map) && throws(ask_find, map) &&
           throws(ask_max, map) && throws(ask_insert, map));
        const bool empty = !throws(reset, map);
        ok("the map can be reset", empty);
        if (!empty) return 1;
        ok("after a reset ranges start anew", map.range(0) == Range(0, -1) && map.range(1) == Range(0, -1) &&
           map.max_hs() == -1 && map.min_hs() == -1);
        ok("after a reset nodes have nothing safe", map.safe_seq(0) == -1 && map.safe_seq(1) == -1 &&
           map.safe_seq() == -1);
        ok("after a reset old messages cannot be recovered", throws(ask_recover, map) && map.find(1, 9) == map.end() &&
           map.find(0, 5) == map.end());
        const bool inserted = !throws(insert, map);
        ok("after a reset messages can be inserted from the first on", inserted && map.aru_seq() == 0 &&
           map.range(0) == Range(2, 1) && map.range(1) == Range(1, 2) && map.begin() != map.end() &&
           map.find(1, 1) == map.end());
        ok("after a reset sequence numbers can be set safe", !throws(safe, map) && map.safe_seq() == 0);
    }
    {
        InputMap map;
        map.reset(1);
        put(map, 0, 0);
        InputMap::iterator i = map.begin();
        map.erase(i);
        map.clear();
        ok("messages to be recovered alone are forgotten too", !throws(reset, map) && map.begin() == map.end());
    }
    {
        InputMap map;
        map.reset(1);
        put(map, 0, 0);
        put(map, 0, 3);
        map.clear();
        ok("messages not erased alone are forgotten too", !throws(reset, map) && map.begin() == map.end());
    }
    {
        InputMap map;
        use(map);
        map.clear();
        map.reset(4);
        bool more = map.range(3) == Range(0, -1);
        put(map, 3, 0);
        more = more && map.aru_seq() == -1 && map.range(3) == Range(1, 0);
        map.clear();
        map.reset(1);
        put(map, 0, 0);
        ok("another number of nodes can come after it", more && map.aru_seq() == 0 && map.range(0) == Range(1, 0));
    }
    {
        InputMap map;
        map.clear();
        const bool empty = map.aru_seq() == -1 && map.safe_seq() == -1 && map.begin() == map.end();
        map.reset(3);
        map.clear();
        ok("an empty map can be cleared", empty && map.begin() == map.end() && throws(ask_range, map));
        use(map);
        map.clear();
        map.clear();
        ok("it can be cleared twice", map.aru_seq() == -1 && map.safe_seq() == -1 && map.begin() == map.end() &&
           !throws(reset, map));
    }
    {
        const gu::SharedBuffer one(new gu::Buffer(100)), two(new gu::Buffer(100));
        InputMap map, other;
        use(other);
        map.reset(1);
        map.insert(0, message(0, 0), Datagram(one));
        map.insert(0, message(0, 1), Datagram(two));
        InputMap::iterator i = map.begin();
        map.erase(i);
        const bool held = one.use_count() > 1 && two.use_count() > 1;
        map.clear();
        ok("payloads are given back", held && one.use_count() == 1 && two.use_count() == 1);
        ok("other maps stay", other.aru_seq() == 5 && other.safe_seq() == 2 && other.find(1, 9) != other.end() &&
           other.range(1) == Range(6, 9));
    }
    {
        const gu::SharedBuffer buffer(new gu::Buffer(10));
        {
            InputMap map;
            map.reset(1);
            map.insert(0, message(0, 0), Datagram(buffer));
        }
        ok("the destructor gives back all", buffer.use_count() == 1);
    }
    return plan();
}
