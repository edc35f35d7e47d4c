/*---
 * tasks: [srt.FECFilterBuiltin.Receive.CellAt-5d4103]
 * tests:
 *   a received packet is seen: 'Comment at cells: it keeps "packet received or not".'
 *   a lost packet is seen: 'Comment at cells: it keeps "packet received or not".'
 *   the first and the last cell are seen: 'Comment: only an index that "exceeds the size" extends it.'
 *   a cell that is there leaves all as it was: 'Comment: it extends only "if the index exceeds the size".'
 *   a cell behind the last is not received: 'Comment: it extends "with empty cells".'
 *   a cell behind the last is there afterwards: 'Comment: "automatically extend the container".'
 *   a cell far behind is not received and is there afterwards: 'Comment: "automatically extend the container".'
 *   all further cells are empty: 'Comment: it extends "with empty cells".'
 *   earlier cells stay: 'Comment: "extend the container".'
 *   without any cell it is extended from the beginning: 'Comment: "if the index exceeds the size".'
 *   the very first cell can be asked for without any: 'Comment: "if the index exceeds the size".'
 *   a new cell can be marked and is seen: 'MarkCellReceived sets cells; comment: it keeps "received or not".'
 *   asking again for a new cell gives the same: 'Comment: it extends "with empty cells".'
 *   an earlier cell after an extension leaves the size: 'Comment: it extends only "if the index exceeds the size".'
 *   nothing else changes: 'Comment: it extends "the container", cells.'
 ---*/
#include "platform_sys.h"
#include "packet.h"
#include "logging.h"
#include "packetfilter.h"
#include "core.h"
#include "fec.h"
#include "plus.h"

typedef srt::FECFilterBuiltin::Receive Receive;

static std::vector<srt::SrtPacket> provided;

/* Cells as in a text of ones and zeros. */
static void set(Receive &rcv, const char *text)
{
    rcv.cells.clear();
    for (; *text; text++) rcv.cells.push_back(*text == '1');
}

/* Whether the cells begin so. */
static bool begin(const Receive &rcv, const char *text)
{
    if (rcv.cells.size() < strlen(text)) return false;
    for (size_t i = 0; text[i]; i++)
        if (rcv.cells[i] != (text[i] == '1')) return false;
    return true;
}

/* Whether the cells are just so. */
static bool is(const Receive &rcv, const char *text)
{
    return rcv.cells.size() == strlen(text) && begin(rcv, text);
}

/* Whether there is cell LAST, and none of those from FROM on is marked. */
static bool empty(const Receive &rcv, size_t from, size_t last)
{
    if (rcv.cells.size() <= last) return false;
    for (size_t i = from; i < rcv.cells.size(); i++)
        if (rcv.cells[i]) return false;
    return true;
}

int main()
{
    {
        Receive rcv(provided);
        set(rcv, "1011001");
        ok("a received packet is seen", rcv.CellAt(2) && rcv.CellAt(3));
        ok("a lost packet is seen", !rcv.CellAt(1) && !rcv.CellAt(4) && !rcv.CellAt(5));
        bool ends = rcv.CellAt(0) && rcv.CellAt(6);
        Receive other(provided);
        set(other, "0110");
        ends = ends && !other.CellAt(0) && !other.CellAt(3) && is(other, "0110");
        ok("the first and the last cell are seen", ends);
        ok("a cell that is there leaves all as it was", is(rcv, "1011001"));
    }
    {
        Receive rcv(provided);
        set(rcv, "1111");
        ok("a cell behind the last is not received", !rcv.CellAt(4));
        ok("a cell behind the last is there afterwards", begin(rcv, "11110") && empty(rcv, 4, 4));
        ok("asking again for a new cell gives the same", !rcv.CellAt(4) && begin(rcv, "11110") && empty(rcv, 4, 4));
        const size_t size = rcv.cells.size();
        const bool same = rcv.CellAt(1) && rcv.CellAt(3) && !rcv.CellAt(4);
        ok("an earlier cell after an extension leaves the size", same && size > 4 && rcv.cells.size() == size);
    }
    {
        Receive rcv(provided);
        set(rcv, "10101");
        const bool far = rcv.CellAt(1000);
        ok("a cell far behind is not received and is there afterwards", !far && rcv.cells.size() > 1000);
        ok("all further cells are empty", empty(rcv, 5, 1000));
        ok("earlier cells stay", begin(rcv, "10101") && rcv.cells.size() > 5);
    }
    {
        Receive rcv(provided);
        const bool first = rcv.CellAt(17);
        ok("without any cell it is extended from the beginning", !first && empty(rcv, 0, 17));
        Receive other(provided);
        ok("the very first cell can be asked for without any", !other.CellAt(0) && empty(other, 0, 0));
    }
    {
        Receive rcv(provided);
        set(rcv, "0");
        bool good = !rcv.CellAt(9) && rcv.cells.size() > 9;
        if (good) {
            rcv.cells[9] = true;
            good = rcv.CellAt(9) && !rcv.CellAt(8) && !rcv.CellAt(10) && rcv.CellAt(9) && begin(rcv, "00000000010");
        }
        ok("a new cell can be marked and is seen", good);
    }
    {
        Receive rcv(provided);
        rcv.id = 77;
        rcv.order_required = true;
        rcv.cell_base = 4711;
        rcv.rowq.resize(2);
        rcv.colq.resize(3);
        set(rcv, "11");
        rcv.CellAt(1);
        rcv.CellAt(30);
        ok("nothing else changes", rcv.id == 77 && rcv.order_required && rcv.cell_base == 4711 &&
           rcv.rowq.size() == 2 && rcv.colq.size() == 3 && rcv.rebuilt.empty() && rcv.cells.size() > 30);
    }
    return plus_end();
}
