/*---
 * tasks: [expireGenericCommand-82c832.4, expireGenericCommand-82c832.8, expireGenericCommand-82c832.16]
 * tests:
 *   the error names the command: 'Callers; tests/unit/expire.tcl: "invalid expire time in ''expire'' command".'
 *   the name is the client's command's: 'Parameter c; callers serve SET, SETEX, GETEX and EXPIRE.'
 *   a subcommand is named in full: 'Sibling addReplyErrorArity; server.h: fullname.'
 *   the name is the command's and not as typed: 'Sibling addReplyErrorArity: the command''s fullname.'
 *   the command that runs is named and not the last one: 'multi.c, execCommand: c->cmd is the queued command.'
 *   it is one error reply: 'networking.c, addReplyErrorFormat: "-ERR" and one line.'
 *   it is counted as an error: 'networking.c, afterErrorReply: errorstats and total_error_replies.'
 *   a second reply follows the first: 'Replies are added.'
 *   nothing is freed or left behind: 'The command and its arguments stay the client''s.'
 ---*/
#include "start.h"
#include "../testhelp.h"

static client *c;

static void reply(const char *a, const char *b) {
    const char *words[] = {a,b};
    setArguments(c,b ? 2 : 1,words);
    addReplyErrorExpireTime(c);
}

#define ERROR(name) "-ERR invalid expire time in '" name "' command\r\n"

int main(void) {
    startRedis();
    c = fakeClient();
    reply("expire",NULL);
    test_cond("the error names the command", replied(c,ERROR("expire")));
    int each = (reply("setex",NULL), replied(c,ERROR("setex")));
    each &= (reply("psetex",NULL), replied(c,ERROR("psetex")));
    each &= (reply("getex",NULL), replied(c,ERROR("getex")));
    client *other = c;
    c = fakeClient();
    each &= (reply("pexpireat",NULL), replied(c,ERROR("pexpireat"))) && replied(other,"");
    test_cond("the name is the client's command's", each);
    test_cond("a subcommand is named in full", (reply("config","get"), replied(c,ERROR("config|get"))));
    test_cond("the name is the command's and not as typed", (reply("SET",NULL), replied(c,ERROR("set"))));
    setArguments(c,1,(const char*[]){"exec"});
    setArguments(other,1,(const char*[]){"expireat"});
    c->cmd = c->realcmd = other->cmd;
    addReplyErrorExpireTime(c);
    test_cond("the command that runs is named and not the last one", replied(c,ERROR("expireat")));
    long long errors = server.stat_total_error_replies;
    reply("set",NULL);
    sds s = replyOf(c);
    test_cond("it is one error reply", !strncmp(s,"-ERR ",5) && strchr(s,'\n') == s+sdslen(s)-1);
    sdsfree(s);
    void *stat = NULL;
    raxFind(server.errors,(unsigned char *)"ERR",3,&stat);
    test_cond("it is counted as an error", server.stat_total_error_replies == errors+1 && stat);
    addReplyErrorExpireTime(c);
    addReplyErrorExpireTime(c);
    test_cond("a second reply follows the first", replied(c,ERROR("set") ERROR("set")));
    size_t before = 0;
    for (int j = 0; j < 50; j++) {
        if (j == 10) before = zmalloc_used_memory();
        addReplyErrorExpireTime(c);
        sdsfree(replyOf(c));
    }
    test_cond("nothing is freed or left behind", zmalloc_used_memory() == before && c->argc == 1 &&
              c->argv[0]->refcount == 1 && c->cmd == lookupCommandByCString("set"));
    test_report();
    return 0;
}
