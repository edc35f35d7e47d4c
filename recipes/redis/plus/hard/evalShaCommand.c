/*---
 * tasks: [luaCreateFunction-73df11.4, luaCreateFunction-73df11.8, luaCreateFunction-73df11.16]
 * tests:
 *   a known script runs: 'commands/evalsha: "Evaluate a script from the server''s cache by its SHA1 digest".'
 *   keys and arguments are passed: 'commands/evalsha: numkeys, KEYS and ARGV.'
 *   the case of the digest does not matter: 'evalCalcFunctionName: "Convert to lowercase".'
 *   an unknown digest is an error: 'commands/evalsha; reply NOSCRIPT.'
 *   a digest that is too short is an error: 'Comment: "a match is not possible if the provided SHA is not the right length".'
 *   a digest that is too long is an error: 'Comment: "not the right length".'
 *   an empty digest is an error: 'Comment: "not the right length".'
 *   the script itself is no digest: 'commands/evalsha; reply NOSCRIPT.'
 *   a digest of a wrong length is refused before all else: 'Comment: "we return an error ASAP".'
 *   a wrong number of keys is an error: 'evalGenericCommand looks at the number of keys.'
 *   while debugging it is refused: 'Reply: "Please use EVAL instead of EVALSHA for debugging".'
 *   while debugging the script does not run: 'Reply: "Please use EVAL instead of EVALSHA for debugging".'
 *   a monitor sees the command before those of the script: 'Comment: "Explicitly feed monitor here so that lua commands appear after their script command".'
 *   a monitor sees the command with its arguments and database: 'networking.c and replication.c: replicationFeedMonitors; commands/monitor.'
 *   a monitor sees the command once: 'commands/monitor; EVALSHA is CMD_SKIP_MONITOR.'
 *   a monitor sees what is refused for its length too: 'Comment: it is fed first.'
 *   the read-only command does the same: 'evalShaRoCommand calls it.'
 *   after a flush the script is unknown: 'commands/script-flush.'
 ---*/
#include "start.h"
#include "../testhelp.h"

void evalShaRoCommand(client *c);

#define NOSCRIPT "-NOSCRIPT No matching script. Please use EVAL.\r\n"

static client *c;

static void evalsha(const char *sha, const char *keys, const char *a, const char *b) {
    const char *words[] = {"evalsha",sha,keys,a,b};
    setArguments(c,b ? 5 : a ? 4 : 3,words);
    evalShaCommand(c);
}

static sds load(const char *text) {
    return sdsdup(luaCreateFunction(NULL,createStringObject(text,strlen(text))));
}

static int times(const char *text, const char *part) {
    int n = 0;
    while ((text = strstr(text,part)) != NULL) n++, text++;
    return n;
}

int main(void) {
    startRedis();
    c = fakeClient();
    sds five = load("return 5"), tell = load("return {KEYS[1],ARGV[1],#KEYS,#ARGV}"),
        set = load("return redis.call('set',KEYS[1],'v')"), up = sdsdup(five);
    evalsha(five,"0",NULL,NULL);
    test_cond("a known script runs", replied(c,":5\r\n"));
    evalsha(tell,"1","k","a");
    test_cond("keys and arguments are passed", replied(c,"*4\r\n$1\r\nk\r\n$1\r\na\r\n:1\r\n:1\r\n"));
    sdstoupper(up);
    evalsha(up,"0",NULL,NULL);
    test_cond("the case of the digest does not matter", strcmp(up,five) && replied(c,":5\r\n"));
    evalsha("ffffffffffffffffffffffffffffffffffffffff","0",NULL,NULL);
    test_cond("an unknown digest is an error", replied(c,NOSCRIPT));
    sds shorter = sdsnewlen(five,39), longer = sdscat(sdsdup(five),"0"), twice = sdscat(sdsdup(five),five);
    evalsha(shorter,"0",NULL,NULL);
    test_cond("a digest that is too short is an error", replied(c,NOSCRIPT));
    evalsha(longer,"0",NULL,NULL);
    int told = replied(c,NOSCRIPT);
    evalsha(twice,"0",NULL,NULL);
    test_cond("a digest that is too long is an error", told && replied(c,NOSCRIPT));
    evalsha("","0",NULL,NULL);
    test_cond("an empty digest is an error", replied(c,NOSCRIPT));
    evalsha("return 5","0",NULL,NULL);
    test_cond("the script itself is no digest", replied(c,NOSCRIPT));
    evalsha(shorter,"nonsense",NULL,NULL);
    told = replied(c,NOSCRIPT);
    evalsha(longer,"-1","a",NULL);
    test_cond("a digest of a wrong length is refused before all else", told && replied(c,NOSCRIPT));
    evalsha(five,"x",NULL,NULL);
    told = replied(c,"-ERR value is not an integer or out of range\r\n");
    evalsha(five,"2","a",NULL);
    told &= replied(c,"-ERR Number of keys can't be greater than number of args\r\n");
    evalsha(five,"-1","a",NULL);
    test_cond("a wrong number of keys is an error", told && replied(c,"-ERR Number of keys can't be negative\r\n"));
    c->flags |= CLIENT_LUA_DEBUG;
    evalsha(set,"1","debugged",NULL);
    told = replied(c,"-ERR Please use EVAL instead of EVALSHA for debugging\r\n");
    c->flags &= ~CLIENT_LUA_DEBUG;
    test_cond("while debugging it is refused", told);
    test_cond("while debugging the script does not run", told && dbSize(&server.db[0]) == 0);

    client *monitor = subscriberClient();
    monitor->flags |= CLIENT_SLAVE|CLIENT_MONITOR;
    listAddNodeTail(server.monitors,monitor);
    selectDb(c,3);
    evalsha(set,"1","k",NULL);
    sds s = replyOf(monitor), mine = sdscatprintf(sdsempty(),"\"evalsha\" \"%s\" \"1\" \"k\"\r\n",set);
    char *first = strstr(s,mine), *inner = strstr(s,"\"set\" \"k\" \"v\"");
    test_cond("a monitor sees the command before those of the script", replied(c,"+OK\r\n") && first && inner &&
              first < inner);
    test_cond("a monitor sees the command with its arguments and database", first && strstr(s," [3 "));
    test_cond("a monitor sees the command once", times(s,"\"evalsha\"") == 1);
    sdsfree(s);
    evalsha("abc","0",NULL,NULL);
    s = replyOf(monitor);
    test_cond("a monitor sees what is refused for its length too", replied(c,NOSCRIPT) &&
              strstr(s,"\"evalsha\" \"abc\" \"0\"\r\n"));
    sdsfree(s);
    listEmpty(server.monitors);

    const char *words[] = {"evalsha_ro",five,"0"};
    setArguments(c,3,words);
    evalShaRoCommand(c);
    told = replied(c,":5\r\n");
    const char *write[] = {"evalsha_ro",set,"1","k"};
    setArguments(c,4,write);
    evalShaRoCommand(c);
    s = replyOf(c);
    test_cond("the read-only command does the same", told && !strncmp(s,"-ERR Write commands are not allowed",35));
    sdsfree(s);
    const char *flush[] = {"script","flush","sync"};
    setArguments(c,3,flush);
    scriptCommand(c);
    told = replied(c,"+OK\r\n");
    evalsha(five,"0",NULL,NULL);
    test_cond("after a flush the script is unknown", told && replied(c,NOSCRIPT));
    test_report();
    return 0;
}
