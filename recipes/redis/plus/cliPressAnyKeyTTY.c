/*---
 * tasks: [F82D2410AAC6480A]
 * link: [cli_common.o, ../deps/linenoise/linenoise.o]
 * goals: [src/redis-cli]
 * flags: [-O0]
 * tests:
 *   keys are no longer echoed:
 *     'Docstring: "press any key mode"; caller cliWaitForMessagesOrStdin prints messages meanwhile.'
 *   a key is read without the return key: 'Docstring: "press any key mode"; caller: "Any key pressed".'
 *   the other modes stay as they were: 'Docstring: it puts the terminal in "press any key" mode alone.'
 *   Ctrl-C still sends a signal: 'Caller cliWaitForMessagesOrStdin: "press Ctrl-C to quit".'
 *   the old modes can be restored: 'cliRestoreTTY: "Restore terminal if we''ve changed it".'
 *   modes that were unusual before are restored too: 'cliRestoreTTY; orig_termios: "To restore terminal at exit".'
 *   entered twice the first modes are restored:
 *     'orig_termios: "To restore terminal at exit"; the caller enters it again.'
 *   after a restore it can be entered again: 'Caller cliWaitForMessagesOrStdin enters it for each subscription.'
 *   at exit the terminal is restored: 'redis-cli.c: orig_termios, "To restore terminal at exit".'
 *   without a terminal it does nothing: 'Caller cliWaitForMessagesOrStdin runs with a pipe as standard input too.'
 ---*/
/* Linked with the objects of the server, which have these names too. */
#define main cli_main
#define redisCommandTable cliCommandTable
#define bytesToHuman cliBytesToHuman
#include "../redis-cli.c"
#undef main
struct commandDocs cliCommandTable[1];
#include "../testhelp.h"
#include <sys/wait.h>

static int master, slave;

static struct termios modes(void) {
    struct termios t;
    memset(&t,0,sizeof(t));
    tcgetattr(slave,&t);
    return t;
}

static int same(struct termios a, struct termios b) {
    return a.c_iflag == b.c_iflag && a.c_oflag == b.c_oflag && a.c_cflag == b.c_cflag && a.c_lflag == b.c_lflag &&
           !memcmp(a.c_cc,b.c_cc,sizeof(a.c_cc));
}

/* Runs part in a process of its own, whose standard input is fd, and gives what it returned. */
static int inChild(int fd, int (*part)(void), int leave) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(fd,STDIN_FILENO);
        alarm(10);
        int result = part();
        if (leave) exit(result);
        _exit(result);
    }
    int status = 0;
    waitpid(pid,&status,0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int enter(void) {
    cliPressAnyKeyTTY();
    return 0;
}

static int enterAndRestore(void) {
    cliPressAnyKeyTTY();
    int changed = !(modes().c_lflag & ICANON);
    cliRestoreTTY();
    return changed;
}

static int enterTwiceAndRestore(void) {
    cliPressAnyKeyTTY();
    cliPressAnyKeyTTY();
    cliRestoreTTY();
    return 1;
}

static int enterAgain(void) {
    cliPressAnyKeyTTY();
    cliRestoreTTY();
    cliPressAnyKeyTTY();
    struct termios t = modes();
    return !(t.c_lflag & ICANON) && !(t.c_lflag & ECHO);
}

int main(void) {
    master = posix_openpt(O_RDWR|O_NOCTTY);
    grantpt(master);
    unlockpt(master);
    slave = open(ptsname(master),O_RDWR|O_NOCTTY);
    struct termios start = modes();
    start.c_lflag |= ECHO|ICANON|ISIG;
    /* Some that a body which sets all flags, or none, would lose. */
    start.c_lflag &= ~ECHONL;
    tcsetattr(slave,TCSANOW,&start);
    start = modes();

    inChild(slave,enter,0);
    struct termios t = modes();
    test_cond("keys are no longer echoed", !(t.c_lflag & ECHO));
    test_cond("a key is read without the return key", !(t.c_lflag & ICANON));
    test_cond("Ctrl-C still sends a signal", t.c_lflag & ISIG);
    t.c_lflag |= ECHO|ICANON;
    test_cond("the other modes stay as they were", same(t,start));

    tcsetattr(slave,TCSANOW,&start);
    int changed = inChild(slave,enterAndRestore,0);
    test_cond("the old modes can be restored", changed == 1 && same(modes(),start));
    struct termios odd = start;
    odd.c_lflag &= ~(ECHO|ECHOE);
    odd.c_iflag ^= IXON;
    odd.c_cc[VERASE] = 8;
    tcsetattr(slave,TCSANOW,&odd);
    odd = modes();
    changed = inChild(slave,enterAndRestore,0);
    test_cond("modes that were unusual before are restored too", changed == 1 && same(modes(),odd));
    tcsetattr(slave,TCSANOW,&start);
    inChild(slave,enterTwiceAndRestore,0);
    test_cond("entered twice the first modes are restored", same(modes(),start));
    changed = inChild(slave,enterAgain,0);
    test_cond("after a restore it can be entered again", changed == 1);
    tcsetattr(slave,TCSANOW,&start);
    inChild(slave,enter,1);
    test_cond("at exit the terminal is restored", same(modes(),start));

    int ends[2];
    if (pipe(ends)) return 1;
    tcsetattr(slave,TCSANOW,&start);
    int fine = inChild(ends[0],enter,1);
    test_cond("without a terminal it does nothing", fine == 0 && same(modes(),start));
    test_report();
    return 0;
}
