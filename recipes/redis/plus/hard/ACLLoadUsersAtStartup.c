/*---
 * tasks: [getUpcomingChannelList-3e5a10.16]
 * tests:
 *   without users and file nothing changes: 'Comment: "either from the pending list of users [...] or from the ACL file".'
 *   users of the configuration are loaded: 'Comment: "from the pending list of users defined in redis.conf".'
 *   users of the file are loaded: 'Comment: "or from the ACL file".'
 *   both ways together end the server: 'Comment: "exit with an error if the user is trying to mix both".'
 *   a wrong user of the configuration ends the server: '"Critical error while loading ACLs. Exiting."'
 *   a wrong line of the file ends the server: '"Aborting Redis startup because of ACL errors".'
 *   a file that is not there ends the server: 'ACLLoadFromFile: an error.'
 *   a file without users is fine: 'ACLLoadFromFile: "empty lines are allowed".'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include <sys/wait.h>

extern list *UsersToLoad;

static char dir[] = "/tmp/plus.XXXXXX", path[200];

static void configured(const char *name, const char *rule) {
    sds *copy = zmalloc(sizeof(sds)*3);
    copy[0] = sdsnew(name), copy[1] = sdsnew(rule), copy[2] = NULL;
    listAddNodeTail(UsersToLoad,copy);
}

static void file(const char *text) {
    snprintf(path,sizeof(path),"%s/users.acl",dir);
    unlink(path);
    if (text) {
        FILE *f = fopen(path,"w");
        fputs(text,f);
        fclose(f);
    }
    server.acl_filename = path;
}

static int ends(void) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        freopen("/dev/null","w",stderr);
        ACLLoadUsersAtStartup();
        _exit(0);
    }
    int status = 0;
    waitpid(child,&status,0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void) {
    startRedis();
    if (!mkdtemp(dir)) return 1;
    server.acl_filename = "";
    ACLLoadUsersAtStartup();
    user *def = ACLGetUserByName("default",7);
    test_cond("without users and file nothing changes", def && (def->flags & USER_FLAG_NOPASS) && ends() == 0);
    configured("alice","on");
    ACLLoadUsersAtStartup();
    user *alice = ACLGetUserByName("alice",5);
    test_cond("users of the configuration are loaded", alice && (alice->flags & USER_FLAG_ENABLED));
    listEmpty(UsersToLoad);
    file("user bob on +get ~x\nuser default on nopass +@all ~*\n");
    ACLLoadUsersAtStartup();
    user *bob = ACLGetUserByName("bob",3);
    test_cond("users of the file are loaded", bob && (bob->flags & USER_FLAG_ENABLED));
    configured("carol","on");
    test_cond("both ways together end the server", ends() == 1);
    server.acl_filename = "";
    int alone = ends() == 0;
    listEmpty(UsersToLoad);
    configured("dave","nonsense");
    test_cond("a wrong user of the configuration ends the server", alone && ends() == 1);
    listEmpty(UsersToLoad);
    file("user erin on\nuser frank nonsense\n");
    test_cond("a wrong line of the file ends the server", ends() == 1);
    file("\n\n");
    test_cond("a file without users is fine", ends() == 0);
    file(NULL);
    test_cond("a file that is not there ends the server", ends() == 1);
    rmdir(dir);
    test_report();
    return 0;
}
