/* Messages for an input map. */
#include "evs_input_map2.hpp"
#include "ok.h"

using namespace gcomm;
using namespace gcomm::evs;

static UserMessage message(size_t node, seqno_t seq, seqno_t seq_range = 0)
{
    const UUID source(static_cast<int32_t>(node + 1));
    return UserMessage(0, source, ViewId(V_REG, UUID(1), 1), seq, -1, seq_range);
}

static void put(InputMap &map, size_t node, seqno_t seq, seqno_t seq_range = 0)
{
    map.insert(node, message(node, seq, seq_range));
}
