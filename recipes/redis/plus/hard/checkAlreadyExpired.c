/*---
 * tasks: [expireGenericCommand-82c832.2, expireGenericCommand-82c832.4, expireGenericCommand-82c832.8, expireGenericCommand-82c832.16]
 * tests:
 *   a time in the past is expired: 'Name; callers delete the key then: "a timestamp in the past will result in the key being deleted", commands/expire.'
 *   the present time is expired: 'Callers: EXPIRE with a time to live of 0 deletes the key; tests/unit/expire.tcl.'
 *   a time in the future is not expired: 'Name; callers set the time then.'
 *   a negative time is expired: 'commands/expire: a negative timeout deletes the key.'
 *   the smallest and the largest time: 'Parameter: a long long; callers allow any.'
 *   never while the server loads: 'db.c, keyIsExpired: "Don''t expire anything while loading. It will be done later."'
 *   never on a replica: 'db.c, expireIfNeeded: "the replica key expiration is controlled by the master that will send us synthesized DEL operations".'
 *   again once it has loaded and is a master: 'It depends on the state of the server alone.'
 *   the present is the time of the command: 'server.c, commandTimeSnapshot: "all the time readings during the execution time should reflect the same time".'
 *   nothing is changed: 'Name: it checks.'
 ---*/
#include "start.h"
#include "../testhelp.h"

int main(void) {
    startRedis();
    long long now = 1700000000000LL, dirty = server.dirty;
    server.cmd_time_snapshot = now;
    test_cond("a time in the past is expired", checkAlreadyExpired(now-1) && checkAlreadyExpired(now-100000) &&
              checkAlreadyExpired(1) && checkAlreadyExpired(0));
    test_cond("the present time is expired", checkAlreadyExpired(now));
    test_cond("a time in the future is not expired", !checkAlreadyExpired(now+1) && !checkAlreadyExpired(now+999) &&
              !checkAlreadyExpired(now+5000000000LL));
    test_cond("a negative time is expired", checkAlreadyExpired(-1) && checkAlreadyExpired(-now));
    test_cond("the smallest and the largest time", checkAlreadyExpired(LLONG_MIN) && !checkAlreadyExpired(LLONG_MAX));
    server.loading = 1;
    test_cond("never while the server loads", !checkAlreadyExpired(now-1) && !checkAlreadyExpired(-1) &&
              !checkAlreadyExpired(now+1));
    server.loading = 0;
    char *host = server.masterhost;
    server.masterhost = sdsnew("master");
    int read_only = !checkAlreadyExpired(now-1) && !checkAlreadyExpired(-1) && !checkAlreadyExpired(now+1);
    server.repl_slave_ro = 0;
    test_cond("never on a replica", read_only && !checkAlreadyExpired(now-1));
    server.repl_slave_ro = 1;
    server.masterhost = host;
    test_cond("again once it has loaded and is a master", checkAlreadyExpired(now-1) && !checkAlreadyExpired(now+1));
    server.cmd_time_snapshot = 5000;
    int early = checkAlreadyExpired(5000) && !checkAlreadyExpired(5001) && !checkAlreadyExpired(now);
    server.cmd_time_snapshot = 4000000000000000LL;
    test_cond("the present is the time of the command", early && checkAlreadyExpired(3999999999999999LL) &&
              checkAlreadyExpired(4000000000000000LL) && !checkAlreadyExpired(4000000000000001LL));
    test_cond("nothing is changed", server.dirty == dirty && server.loading == 0 && server.masterhost == host &&
              server.cmd_time_snapshot == 4000000000000000LL);
    test_report();
    return 0;
}
