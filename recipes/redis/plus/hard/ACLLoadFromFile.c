/*---
 * tasks: [getUpcomingChannelList-3e5a10.16]
 * tests:
 *   the users of the file are loaded: 'Comment: "This function loads the ACL from the specified filename".'
 *   success gives NULL: 'Comment: "if no errors were found in the whole file then NULL is returned".'
 *   users that are not in the file are gone: 'commands/acl-load: "replacing all the current ACL rules".'
 *   empty lines and blanks and line ends of Windows do not matter: 'Comment: "Yet empty lines are allowed".'
 *   a last line without its end is loaded: 'Comment: "every line".'
 *   long lines are loaded: 'Comment: "every line".'
 *   selectors are loaded: 'ACLMergeSelectorArguments.'
 *   the default user of the file is taken over: 'The body: "copy the new default user configuration in the old one".'
 *   it remains the same user: 'The body: "The default user pointer is referenced in different places".'
 *   a file without it gives a fresh default user: 'ACLCreateDefaultUser: "on with no password".'
 *   a file that is not there is an error: 'Comment: "an SDS string describing [...] the issues".'
 *   a wrong rule is an error: 'Comment: "every line is validated".'
 *   a comment is an error: 'Comment: "this function considers comments starting with # as errors".'
 *   another word than user or no name is an error: 'Comment: "user <username> ... rules ...".'
 *   a user that is there twice is an error: 'Upstream''s tests: "Duplicate user found", the default user too.'
 *   a selector that is not closed is an error: 'ACLMergeSelectorArguments.'
 *   all lines at fault are told in one line: 'Comment: "describing in a single line a description of all the issues found".'
 *   after an error nothing has changed: 'Comment: "nothing will be loaded and the rules will remain exactly as they were".'
 *   clients keep their users after an error: 'Comment: "the rules will remain exactly as they were".'
 *   clients get the new rules of their users: 'The body: "c->user = new".'
 *   clients of users that are gone are disconnected: 'commands/acl-load; "!new".'
 *   subscribers whose channels were revoked are disconnected: 'The body: "we need to check if we need to drop some clients".'
 *   subscribers whose channels stay are not: 'getUpcomingChannelList; ACLShouldKillPubsubClient.'
 *   nothing is left behind: 'Files are closed, old users are freed.'
 ---*/
#include "start.h"
#include "../testhelp.h"

sds ACLLoadFromFile(const char *filename);

static char dir[] = "/tmp/plus.XXXXXX", path[200];

static sds load(const char *text) {
    FILE *f = fopen(path,"w");
    fputs(text,f);
    fclose(f);
    return ACLLoadFromFile(path);
}

static user *named(const char *name) {
    return ACLGetUserByName(name,strlen(name));
}

static int may(user *u, const char *command, const char *key) {
    robj *argv[] = {createStringObject(command,strlen(command)),createStringObject(key,strlen(key)),createStringObject("v",1)};
    int at;
    struct redisCommand *cmd = lookupCommand(argv,1);
    return u && cmd && ACLCheckAllUserCommandPerm(u,cmd,argv,cmd->arity == -3 ? 3 : 2,&at) == ACL_OK;
}

/* A client of that user that the server knows. */
static uint64_t connected(const char *name, const char *channel) {
    client *c = subscriberClient();
    c->flags &= ~CLIENT_SCRIPT;
    c->user = named(name);
    linkClient(c);
    if (channel) {
        const char *words[] = {"subscribe",channel};
        setArguments(c,2,words);
        c->flags |= CLIENT_SCRIPT;
        subscribeCommand(c);
        sdsfree(replyOf(c));
        c->flags &= ~CLIENT_SCRIPT;
    }
    return c->id;
}

static int fails(const char *text) {
    sds e = load(text);
    int yes = e != NULL && sdslen(e) > 0;
    sdsfree(e);
    return yes;
}

#define DEFAULT "user default on nopass +@all ~* &*\n"

int main(void) {
    startRedis();
    if (!mkdtemp(dir)) return 1;
    snprintf(path,sizeof(path),"%s/users.acl",dir);
    server.acl_filename = path;
    user *def = DefaultUser;
    sds e = load(DEFAULT "user alice on >pw +get ~a*\nuser bob on +@all -get ~*\n");
    user *alice = named("alice"), *bob = named("bob");
    test_cond("the users of the file are loaded", may(alice,"get","a1") && !may(alice,"set","a1") && !may(alice,"get","b") &&
              may(bob,"set","x") && !may(bob,"get","x") && alice && listLength(alice->passwords) == 1);
    test_cond("success gives NULL", e == NULL);
    load(DEFAULT "user carol on +get ~c*\n");
    test_cond("users that are not in the file are gone", !named("alice") && !named("bob") && may(named("carol"),"get","c1"));
    e = load("\n  \t\r\n" DEFAULT "\n\n  user dave on +get ~d*  \r\n\t\nuser erin on +set ~e*\r\n\n");
    test_cond("empty lines and blanks and line ends of Windows do not matter", !e && may(named("dave"),"get","d1") &&
              may(named("erin"),"set","e1"));
    e = load(DEFAULT "user last on +get ~l*");
    test_cond("a last line without its end is loaded", !e && may(named("last"),"get","l1"));
    sds big = sdsnew(DEFAULT "user long on +get");
    for (int j = 0; j < 400; j++) big = sdscatprintf(big," ~key%d",j);
    e = load(big);
    test_cond("long lines are loaded", !e && may(named("long"),"get","key0") && may(named("long"),"get","key399") &&
              !may(named("long"),"get","key400"));
    e = load(DEFAULT "user sel on (+get ~x*) +set ~y*\nuser sel2 on (+get +set ~x*)\n");
    test_cond("selectors are loaded", !e && may(named("sel"),"get","x1") && may(named("sel"),"set","y1") &&
              !may(named("sel"),"get","y1") && may(named("sel2"),"set","x1"));
    e = load("user default on >secret +get ~d*\n");
    test_cond("the default user of the file is taken over", !e && may(def,"get","d1") && !may(def,"set","d1") &&
              !(def->flags & USER_FLAG_NOPASS) && listLength(def->passwords) == 1);
    int kept = named("default") == def && DefaultUser == def;
    e = load("user only on +get ~o*\n");
    test_cond("a file without it gives a fresh default user", !e && may(def,"set","any") && (def->flags & USER_FLAG_NOPASS) &&
              (def->flags & USER_FLAG_ENABLED) && listLength(def->passwords) == 0 && named("only"));
    test_cond("it remains the same user", kept && named("default") == def && DefaultUser == def);

    load("user default on nopass +@all ~* &*\nuser stay on +get ~s*\n");
    user *stay = named("stay");
    uint64_t id = connected("stay",NULL);
    client *c = lookupClientByID(id);
    e = ACLLoadFromFile("/nonexistent/users.acl");
    test_cond("a file that is not there is an error", e && sdslen(e));
    test_cond("a wrong rule is an error", fails(DEFAULT "user stay on +set ~*\nuser x on nonsense\n") &&
              fails(DEFAULT "user x on +nosuchcommand\n") && fails("user default nonsense\n"));
    test_cond("a comment is an error", fails("# users\n" DEFAULT) && fails(DEFAULT "#\n"));
    test_cond("another word than user or no name is an error", fails(DEFAULT "usr x on\n") && fails(DEFAULT "user\n") &&
              fails(DEFAULT "x on\n"));
    e = load(DEFAULT "user x on\nuser x off\n");
    int twice = e && strstr(e,"Duplicate user 'x' found");
    e = load(DEFAULT DEFAULT);
    test_cond("a user that is there twice is an error", twice && e && strstr(e,"Duplicate user 'default' found"));
    test_cond("a selector that is not closed is an error", fails(DEFAULT "user x (+get ~a\n"));
    sds one = load(DEFAULT "user y nonsense\n"), two = load(DEFAULT "user y nonsense\nuser ok on\nusr z\n");
    e = load(DEFAULT "user y nonsense\nuser ok on\nusr z\n\nuser v on\nuser w nonsense\n");
    test_cond("all lines at fault are told in one line", one && two && e && sdslen(one) < sdslen(two) &&
              sdslen(two) < sdslen(e) && !strchr(e,'\n'));
    test_cond("after an error nothing has changed", named("stay") == stay && may(stay,"get","s1") && !may(stay,"set","s1") &&
              !named("x") && !named("ok") && !named("v") && may(def,"set","any") && named("default") == def);
    test_cond("clients keep their users after an error", lookupClientByID(id) == c && c->user == stay);

    uint64_t gone = connected("stay",NULL), mine = connected("default",NULL);
    load(DEFAULT "user stay on +set ~t* &*\nuser sub on +@all ~* &news* &sport\n");
    int new = c->user == named("stay") && may(c->user,"set","t1") && !may(c->user,"get","s1");
    test_cond("clients get the new rules of their users", new && lookupClientByID(mine) && lookupClientByID(mine)->user == def);
    uint64_t revoked = connected("sub","sport"), still = connected("sub","news1"), silent = connected("sub",NULL);
    load(DEFAULT "user sub on +@all ~* &news*\n");
    test_cond("clients of users that are gone are disconnected", !lookupClientByID(id) && !lookupClientByID(gone) &&
              lookupClientByID(mine));
    test_cond("subscribers whose channels were revoked are disconnected", !lookupClientByID(revoked));
    test_cond("subscribers whose channels stay are not", lookupClientByID(still) && lookupClientByID(silent) &&
              lookupClientByID(still)->user == named("sub"));
    const char *good = DEFAULT "user sub on >pw +@all -get ~* &news* (+get ~x*)\nuser other on\n";
    const char *bad = DEFAULT "user sub on\nuser x nonsense\nuser sub off\nusr\n";
    sdsfree(load(good)), sdsfree(load(bad)), sdsfree(load(good));
    size_t before = zmalloc_used_memory();
    int fd = open("/dev/null",O_RDONLY);
    close(fd);
    for (int j = 0; j < 20; j++) sdsfree(load(bad)), sdsfree(load(good));
    int next = open("/dev/null",O_RDONLY);
    test_cond("nothing is left behind", zmalloc_used_memory() == before && next == fd);
    unlink(path), rmdir(dir);
    test_report();
    return 0;
}
