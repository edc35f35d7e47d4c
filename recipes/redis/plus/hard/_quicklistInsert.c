/*---
 * tasks: [lzf_decompress-7fb8aa.4, lzf_decompress-7fb8aa.8]
 * instead: [src/quicklist.o]
 * tests:
 *   after an element: 'Comment: "If after==1, the new value is inserted after ''entry''".'
 *   before an element: 'Comment: "otherwise the new value is inserted before ''entry''".'
 *   into an empty list: 'An entry without a node; quicklistTest, "insert ... in empty list".'
 *   a large element into an empty list is a plain node: 'isLargeElement; quicklistNode: container PLAIN.'
 *   into the middle of a full node: 'quicklist: "''fill'' is the user-requested (or default) fill factor".'
 *   at both ends of a full node: 'quicklist: fill.'
 *   the neighbour of a full node takes it if it has room: 'quicklist: len is the number of nodes; upstream''s tests of insert before and after with fill.'
 *   no node has more elements than fill: 'quicklistNodeLimit: a positive fill is the number of elements.'
 *   no node is larger than a negative fill says: 'quicklistNodeLimit: -1 is 4 kB.'
 *   elements keep their order through many insertions: 'Comment: before or after the entry.'
 *   the list counts its elements and nodes: 'quicklist: count, len.'
 *   each node knows its count and size: 'quicklistNode: count, sz.'
 *   the ends stay uncompressed and inner nodes are compressed: 'quicklist: compress, "depth of end nodes not to compress".'
 *   a large element beside, before and within a node: 'isLargeElement; a plain node holds a single item.'
 *   beside a plain node: 'QL_NODE_IS_PLAIN: nothing can be put into it.'
 *   numbers and binary data are kept: 'lpInsertString; values have a length.'
 *   entries found from behind count the same: 'quicklistEntry: offset may be negative.'
 *   nothing is left behind: 'quicklistRelease frees all.'
 ---*/
#include "../quicklist.c"
#include "../testhelp.h"

#define MOST 1200
static char *model[MOST];
static int size;
static quicklist *ql;

static void begin(int fill, int compress) {
    if (ql) quicklistRelease(ql);
    while (size) zfree(model[--size]);
    ql = quicklistNew(fill, compress);
}

/* Insert into the list and into the model. */
static void put(const char *text, long index, int after) {
    quicklistEntry entry;
    memset(&entry, 0, sizeof(entry));
    quicklistIter *iter = quicklistGetIteratorEntryAtIdx(ql, index, &entry);
    if (index < 0) index += size;
    if (!iter) {
        iter = quicklistGetIterator(ql, AL_START_HEAD);
        quicklistNext(iter, &entry);
        index = 0, after = 0;
    }
    _quicklistInsert(iter, &entry, (void *)text, strlen(text), after);
    quicklistReleaseIterator(iter);
    int at = index + (after ? 1 : 0);
    memmove(model + at + 1, model + at, (size - at) * sizeof(*model));
    model[at] = zstrdup(text);
    size++;
}

static int same(void) {
    int at = 0;
    quicklistEntry entry;
    quicklistIter *iter = quicklistGetIterator(ql, AL_START_HEAD);
    int equal = 1;
    while (quicklistNext(iter, &entry)) {
        char number[32];
        const char *value = (char *)entry.value;
        size_t len = entry.sz;
        if (!value) value = number, len = snprintf(number, sizeof(number), "%lld", entry.longval);
        equal &= at < size && strlen(model[at]) == len && !memcmp(model[at], value, len);
        at++;
    }
    quicklistReleaseIterator(iter);
    iter = quicklistGetIterator(ql, AL_START_TAIL);
    int back = 0;
    while (quicklistNext(iter, &entry)) back++;
    quicklistReleaseIterator(iter);
    return equal && at == size && back == size && (int)quicklistCount(ql) == size;
}

static int sound(void) {
    unsigned long nodes = 0, count = 0;
    quicklistNode *before = NULL;
    int right = 1;
    for (quicklistNode *node = ql->head; node; before = node, node = node->next) {
        nodes++;
        count += node->count;
        right &= node->prev == before;
        if (node->encoding == QUICKLIST_NODE_ENCODING_RAW && !QL_NODE_IS_PLAIN(node))
            right &= node->count == lpLength(node->entry) && node->sz == lpBytes(node->entry);
        if (QL_NODE_IS_PLAIN(node)) right &= node->count == 1;
        right &= node->count > 0;
    }
    return right && ql->tail == before && nodes == ql->len && count == ql->count;
}

static int within(unsigned most) {
    for (quicklistNode *node = ql->head; node; node = node->next) if (node->count > most) return 0;
    return 1;
}

int main(void) {
    size_t memory = zmalloc_used_memory();
    int counts = 1, nodes = 1;
    begin(-2, 0);
    quicklistPushTail(ql, "b", 1), model[size++] = zstrdup("b");
    put("d", 0, 1), put("c", 0, 1), put("e", 2, 1);
    test_cond("after an element", same() && !strcmp(model[1], "c") && !strcmp(model[3], "e"));
    put("a", 0, 0), put("bb", 2, 0);
    test_cond("before an element", same() && !strcmp(model[0], "a") && !strcmp(model[2], "bb"));
    counts &= sound();
    begin(-2, 0);
    put("first", 0, 1);
    int empty = same() && ql->len == 1 && ql->head->container == QUICKLIST_NODE_CONTAINER_PACKED;
    begin(-2, 0), put("first", 0, 0), put("second", 0, 1);
    test_cond("into an empty list", empty && same());
    quicklistisSetPackedThreshold(50);
    char large[100];
    memset(large, 'L', 99), large[99] = '\0';
    begin(-2, 0), put(large, 0, 1);
    test_cond("a large element into an empty list is a plain node", same() && QL_NODE_IS_PLAIN(ql->head) && ql->count == 1);
    nodes &= sound();

    begin(4, 0);
    char text[20];
    for (int j = 0; j < 8; j++) snprintf(text, sizeof(text), "e%d", j), quicklistPushTail(ql, text, 2), model[size++] = zstrdup(text);
    put("m1", 1, 1), put("m2", 6, 0), put("m3", 5, 1);
    int middle = same() && within(4) && sound();
    test_cond("into the middle of a full node", middle);
    begin(4, 0);
    for (int j = 0; j < 8; j++) snprintf(text, sizeof(text), "e%d", j), quicklistPushTail(ql, text, 2), model[size++] = zstrdup(text);
    put("head", 0, 0), put("tail", 8, 1), put("between", 4, 1);
    test_cond("at both ends of a full node", same() && within(4) && sound());
    begin(4, 0);
    for (int j = 0; j < 6; j++) snprintf(text, sizeof(text), "e%d", j), quicklistPushTail(ql, text, 2), model[size++] = zstrdup(text);
    put("n1", 3, 1);
    int neighbour = same() && ql->len == 2 && ql->head->count == 4 && ql->tail->count == 3;
    put("n2", 4, 0);
    neighbour &= same() && ql->len == 2 && sound();
    begin(4, 0);
    for (int j = 0; j < 6; j++) snprintf(text, sizeof(text), "e%d", j), quicklistPushHead(ql, text, 2);
    for (int j = 5; j >= 0; j--) snprintf(text, sizeof(text), "e%d", j), model[size++] = zstrdup(text);
    put("n3", 2, 0);
    neighbour &= same() && ql->len == 2 && ql->head->count == 3 && ql->tail->count == 4;
    test_cond("the neighbour of a full node takes it if it has room", neighbour);

    int fills[] = {1, 2, 3, 5, 32, -1, -2}, most = 1, kept = 1, bytes = 1, depth = 1;
    unsigned seed = 7;
    for (int f = 0; f < 7; f++) {
        for (int compress = 0; compress < 3; compress++) {
            begin(fills[f], compress);
            quicklistPushTail(ql, "start", 5), model[size++] = zstrdup("start");
            for (int j = 0; j < 300; j++) {
                seed = seed * 1103515245 + 12345;
                int n = snprintf(text, sizeof(text), j % 3 ? "value %u" : "%u", (seed >> 8) % 1000);
                char wide[200];
                memcpy(wide, text, n + 1);
                if (fills[f] < 0 && j % 2) memset(wide, 'w', 45), wide[45] = '\0';
                put(wide, size ? (int)((seed >> 16) % size) : 0, (seed >> 5) & 1);
            }
            kept &= same();
            if (fills[f] > 0) most &= within(fills[f]);
            else for (quicklistNode *node = ql->head; node; node = node->next) bytes &= node->sz <= (fills[f] == -1 ? 4096 : 8192);
            counts &= (int)ql->count == size && sound();
            if (compress && ql->len > 2 * (unsigned)compress) {
                quicklistNode *head = ql->head, *tail = ql->tail;
                for (int j = 0; j < compress; j++, head = head->next, tail = tail->prev)
                    depth &= !quicklistNodeIsCompressed(head) && !quicklistNodeIsCompressed(tail);
                for (quicklistNode *node = head; node != tail->next; node = node->next)
                    depth &= !node->recompress && (quicklistNodeIsCompressed(node) || node->sz < 48 || node->attempted_compress);
            }
        }
    }
    test_cond("no node has more elements than fill", most);
    test_cond("no node is larger than a negative fill says", bytes);
    test_cond("elements keep their order through many insertions", kept);
    test_cond("the list counts its elements and nodes", counts && nodes);
    test_cond("each node knows its count and size", nodes && counts && middle);
    test_cond("the ends stay uncompressed and inner nodes are compressed", depth);

    begin(4, 0);
    for (int j = 0; j < 4; j++) snprintf(text, sizeof(text), "e%d", j), quicklistPushTail(ql, text, 2), model[size++] = zstrdup(text);
    put(large, 0, 0), put(large, 4, 1);
    int big = same() && sound() && QL_NODE_IS_PLAIN(ql->head) && QL_NODE_IS_PLAIN(ql->tail) && ql->len == 3;
    put(large, 2, 1);
    big &= same() && sound() && ql->len == 5;
    put(large, 5, 0);
    test_cond("a large element beside, before and within a node", big && same() && sound());
    begin(4, 0), put(large, 0, 0), put("before", 0, 0), put("after", 1, 1), put(large, 1, 1), put(large, 1, 0);
    test_cond("beside a plain node", same() && sound());
    begin(2, 1);
    put("12", 0, 0), put("-7", 0, 1), put("007", 1, 1), put("9223372036854775807", 0, 0), put("", 0, 0);
    test_cond("numbers and binary data are kept", same() && sound());
    begin(3, 1);
    for (int j = 0; j < 40; j++) snprintf(text, sizeof(text), "x%d", j), put(text, size ? -1 - j % size : 0, j & 1);
    test_cond("entries found from behind count the same", same() && within(3) && sound());
    quicklistRelease(ql), ql = NULL;
    while (size) zfree(model[--size]);
    test_cond("nothing is left behind", zmalloc_used_memory() == memory);
    test_report();
    return 0;
}
