/*---
 * tasks: [gcomm.evs.InputMap.is_fifo-ef1c4f]
 * tests:
 *   the first message in order is: 'Docstring: "fulfills O_FIFO condition"; evs_proto.cpp delivers such messages.'
 *   each message of an unbroken row is: 'gcomm/order.hpp: O_FIFO; evs_message2.hpp: range, lu and hs.'
 *   a message behind a gap is not: 'Docstring: "O_FIFO condition"; lu is the lowest that was not seen.'
 *   a message before the gap still is: 'evs_input_map2.hpp: range of the node; lu.'
 *   it is once the gap is filled: 'evs_input_map2.cpp, insert: lu moves on over what was received.'
 *   a second gap still hides what is behind it: 'evs_input_map2.cpp, insert: lu stops at the next gap.'
 *   what lies between two gaps is then: 'evs_input_map2.cpp, insert: lu stops at the next gap.'
 *   a row that does not begin with the first message is not: 'evs_input_map2.hpp: InputMapNode, range_(0, -1).'
 *   messages of other nodes do not fill a gap: 'evs_input_map2.hpp: a range for each node.'
 *   each node has an order of its own: 'evs_input_map2.hpp: a range for each node.'
 *   the last of several nodes is asked too: 'evs_input_map2.hpp: index of the message key.'
 *   nothing needs to have come from other nodes: 'evs_input_map2.hpp: is_agreed asks for that.'
 *   it need not be safe: 'evs_input_map2.hpp: is_safe asks for that.'
 *   messages that were erased do not matter: 'evs_input_map2.hpp: erase moves to the recovery index; the range stays.'
 *   a message that comes in late is: 'evs_input_map2.cpp, insert.'
 *   an order starts anew after a reset: 'evs_input_map2.hpp: reset.'
 *   one message for several numbers is if all before it came: 'evs_message2.hpp: seq_range.'
 *   asking changes nothing: 'Signature: const.'
 *   an iterator from the begin can be asked: 'evs_proto.cpp, deliver: goes from begin() on.'
 ---*/
#include "input.h"

static bool is(const InputMap &map, InputMap::iterator i) { return map.is_fifo(i); }

static bool at(InputMap &map, size_t node, seqno_t seq)
{
    InputMap::iterator i = map.find(node, seq);
    return i != map.end() && is(map, i);
}

/* It is there, and isn't next in its order. */
static bool not_at(InputMap &map, size_t node, seqno_t seq)
{
    InputMap::iterator i = map.find(node, seq);
    return i != map.end() && !is(map, i);
}

int main()
{
    limit();
    {
        InputMap map;
        map.reset(1);
        put(map, 0, 0);
        ok("the first message in order is", at(map, 0, 0));
        for (seqno_t s = 1; s < 40; s++) put(map, 0, s);
        bool all = true;
        for (seqno_t s = 0; s < 40; s++) all = all && at(map, 0, s);
        ok("each message of an unbroken row is", all);
        put(map, 0, 41);
        put(map, 0, 42);
        put(map, 0, 45);
        ok("a message behind a gap is not", not_at(map, 0, 41) && not_at(map, 0, 42) && not_at(map, 0, 45));
        ok("a message before the gap still is", at(map, 0, 39) && at(map, 0, 0));
        put(map, 0, 40);
        ok("it is once the gap is filled", at(map, 0, 40) && at(map, 0, 41) && at(map, 0, 42));
        ok("a second gap still hides what is behind it", not_at(map, 0, 45));
        put(map, 0, 44);
        const bool hidden = not_at(map, 0, 44) && not_at(map, 0, 45);
        put(map, 0, 43);
        ok("what lies between two gaps is then", hidden && at(map, 0, 43) && at(map, 0, 44) && at(map, 0, 45));
    }
    {
        InputMap map;
        map.reset(1);
        put(map, 0, 1);
        put(map, 0, 2);
        const bool neither = not_at(map, 0, 1) && not_at(map, 0, 2);
        put(map, 0, 0);
        ok("a row that does not begin with the first message is not", neither);
        ok("a message that comes in late is", at(map, 0, 0) && at(map, 0, 1) && at(map, 0, 2));
    }
    {
        InputMap map;
        map.reset(3);
        put(map, 0, 0);
        put(map, 0, 2);
        put(map, 1, 1);
        put(map, 2, 0);
        put(map, 2, 1);
        ok("messages of other nodes do not fill a gap", not_at(map, 0, 2) && not_at(map, 1, 1));
        ok("each node has an order of its own", at(map, 0, 0) && at(map, 2, 0) && at(map, 2, 1));
        put(map, 2, 3);
        bool last = not_at(map, 2, 3);
        put(map, 2, 2);
        ok("the last of several nodes is asked too", last && at(map, 2, 2) && at(map, 2, 3) && not_at(map, 0, 2));
        const seqno_t aru = map.aru_seq(), safe = map.safe_seq();
        const Range range = map.range(0);
        at(map, 0, 0), at(map, 2, 3), not_at(map, 1, 1);
        ok("asking changes nothing", map.aru_seq() == aru && map.safe_seq() == safe && map.range(0) == range &&
           range == Range(1, 2) && not_at(map, 0, 2) && at(map, 0, 0));
    }
    {
        InputMap map;
        map.reset(4);
        put(map, 3, 0);
        put(map, 3, 1);
        InputMap::iterator i = map.find(3, 1);
        ok("nothing needs to have come from other nodes", is(map, i) && !map.is_agreed(i));
        ok("it need not be safe", is(map, i) && !map.is_safe(i));
    }
    {
        InputMap map;
        map.reset(2);
        for (seqno_t s = 0; s < 4; s++) put(map, 0, s);
        put(map, 1, 5);
        InputMap::iterator i = map.find(0, 0);
        map.erase(i);
        i = map.find(0, 1);
        map.erase(i);
        ok("messages that were erased do not matter", at(map, 0, 2) && at(map, 0, 3) && not_at(map, 1, 5));
        i = map.begin();
        ok("an iterator from the begin can be asked", i != map.end() && is(map, i));
        map.clear();
        map.reset(2);
        put(map, 0, 3);
        put(map, 1, 0);
        ok("an order starts anew after a reset", not_at(map, 0, 3) && at(map, 1, 0));
    }
    {
        InputMap map;
        map.reset(1);
        put(map, 0, 4, 2);
        const bool early = not_at(map, 0, 4);
        put(map, 0, 0, 3);
        ok("one message for several numbers is if all before it came", early && at(map, 0, 0) && at(map, 0, 4));
    }
    return plan();
}
