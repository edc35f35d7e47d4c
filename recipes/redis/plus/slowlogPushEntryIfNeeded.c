/*---
 * tasks: [1D2EBFAEB02EB387]
 * tests:
 *   a slow command is logged: 'Docstring: "Push a new entry into the slow log".'
 *   a command below the threshold is not logged: 'redis.conf: slowlog-log-slower-than.'
 *   a threshold of zero logs every command: 'redis.conf: "a value of zero forces the logging of every command".'
 *   a negative threshold logs nothing: 'redis.conf: "a negative number disables the slow log".'
 *   a length of zero logs nothing: 'Docstring: "the configured max length".'
 *   the newest entry stands first: 'slowlog.c: slowlogCommand, GET gives the top entries; trimming takes the last.'
 *   the log is trimmed to the configured length:
 *     'Docstring: "trim the slow log accordingly to the configured max length".'
 *   the oldest entries are the ones that go:
 *     'redis.conf: "the oldest one is removed from the queue of logged commands".'
 *   a shorter length takes effect at the next call: 'Docstring: "will make sure to trim the slow log".'
 *   it trims even if nothing is pushed: 'Docstring: "will make sure to trim the slow log".'
 *   the given arguments are logged and not the client's: 'Arguments argv, argc; caller slowlogPushCurrentCommand.'
 *   the duration is kept with the entry: 'Argument duration; slowlog.c: "time in microseconds".'
 *   the client's name is kept with the entry: 'Argument c; slowlog.c: SLOWLOG HELP, "client name".'
 *   each entry has an id of its own: 'slowlog.c: "id"; slowlogCreateEntry.'
 *   entries that are removed are freed: 'slowlog.c: slowlogInit sets the free method for listDelNode.'
 *   the arguments still belong to the caller:
 *     'slowlog.c: slowlogCreateEntry, "Incrementing the ref count is up to" it.'
 *   a length of one keeps the newest entry: 'Docstring; redis.conf: slowlog-max-len.'
 ---*/
#include "start.h"
#include "../slowlog.h"
#include "../testhelp.h"

static client *c;
static robj *argv[3];

static void push(long long duration) {
    slowlogPushEntryIfNeeded(c,argv,3,duration);
}

static slowlogEntry *entry(int at) {
    listNode *ln = listIndex(server.slowlog,at);
    return ln ? listNodeValue(ln) : NULL;
}

static int holds(int length, long long first, long long last) {
    return (int)listLength(server.slowlog) == length && entry(0)->duration == first && entry(-1)->duration == last;
}

int main(void) {
    startRedis();
    c = fakeClient();
    c->name = createStringObject("worker",6);
    const char *words[] = {"ping","rewritten"};
    setArguments(c,2,words);
    argv[0] = createStringObject("GETSET",6);
    argv[1] = createStringObject("key",3);
    argv[2] = createStringObject("value",5);

    server.slowlog_max_len = 3;
    server.slowlog_log_slower_than = 100;
    push(99);
    push(0);
    test_cond("a command below the threshold is not logged", listLength(server.slowlog) == 0);
    push(101);
    test_cond("a slow command is logged", listLength(server.slowlog) == 1);
    slowlogEntry *e = entry(0);
    test_cond("the given arguments are logged and not the client's", e && e->argc == 3 &&
              !strcmp(e->argv[0]->ptr,"GETSET") && !strcmp(e->argv[2]->ptr,"value"));
    test_cond("the duration is kept with the entry", e && e->duration == 101);
    test_cond("the client's name is kept with the entry", e && !strcmp(e->cname,"worker"));
    push(5000000000LL);
    test_cond("the newest entry stands first", holds(2,5000000000LL,101));
    push(103);
    int full = listLength(server.slowlog);
    push(104);
    push(105);
    test_cond("the log is trimmed to the configured length", full == 3 && listLength(server.slowlog) == 3);
    test_cond("the oldest entries are the ones that go", holds(3,105,103));
    test_cond("each entry has an id of its own", entry(0) && entry(0)->id == entry(1)->id+1 &&
              entry(1)->id == entry(2)->id+1);
    server.slowlog_max_len = 2;
    push(106);
    test_cond("a shorter length takes effect at the next call", holds(2,106,105));
    server.slowlog_max_len = 1;
    push(1);
    int trimmed = holds(1,106,106);
    test_cond("it trims even if nothing is pushed", trimmed);
    push(107);
    test_cond("a length of one keeps the newest entry", holds(1,107,107));

    server.slowlog_max_len = 10;
    server.slowlog_log_slower_than = 0;
    push(0);
    test_cond("a threshold of zero logs every command", holds(2,0,107));
    server.slowlog_log_slower_than = -1;
    push(1000000);
    push(0);
    test_cond("a negative threshold logs nothing", holds(2,0,107));
    slowlogReset();
    server.slowlog_log_slower_than = 0;
    server.slowlog_max_len = 0;
    push(1000000);
    test_cond("a length of zero logs nothing", listLength(server.slowlog) == 0);

    server.slowlog_max_len = 5;
    for (int j = 0; j < 10; j++) push(j);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 100; j++) push(j);
    test_cond("entries that are removed are freed", zmalloc_used_memory() == before);
    slowlogReset();
    test_cond("the arguments still belong to the caller", argv[0]->refcount == 1 && argv[2]->refcount == 1 &&
              !strcmp(argv[1]->ptr,"key"));
    test_report();
    return 0;
}
