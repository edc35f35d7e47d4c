/*---
 * tasks: [D1F436E96A24FDB2]
 * link: [cli_common.o, ../deps/linenoise/linenoise.o]
 * goals: [src/redis-cli]
 * flags: [-O0]
 * tests:
 *   the terminal is restored: 'Docstring: "Restore terminal if we''ve changed it".'
 *   every mode that was changed is restored:
 *     'Docstring: "Restore terminal"; orig_termios: "To restore terminal at exit".'
 *   what was off before stays off: 'Docstring: "Restore terminal".'
 *   a terminal that was not changed is left alone: 'Docstring: "if we''ve changed it".'
 *   it is the terminal of standard input: 'cliPressAnyKeyTTY takes the modes of standard input.'
 *   it works with the output in a file: 'cliPressAnyKeyTTY asks for standard input alone.'
 *   it can be called twice: 'Callers: cliWaitForMessagesOrStdin and once more at exit (atexit).'
 *   what the user typed meanwhile is not lost: 'Caller cliWaitForMessagesOrStdin: the key begins the next command.'
 ---*/
/* Linked with the objects of the server, which have these names too. */
#define main cli_main
#define redisCommandTable cliCommandTable
#define bytesToHuman cliBytesToHuman
#include "../redis-cli.c"
#undef main
struct commandDocs cliCommandTable[1];
#include "../testhelp.h"
#include <sys/ioctl.h>
#include <sys/wait.h>

static int master, slave, otherMaster, other;

static void openTerminal(int *m, int *s) {
    *m = posix_openpt(O_RDWR|O_NOCTTY);
    grantpt(*m);
    unlockpt(*m);
    *s = open(ptsname(*m),O_RDWR|O_NOCTTY);
}

static struct termios modes(int fd) {
    struct termios t;
    memset(&t,0,sizeof(t));
    tcgetattr(fd,&t);
    return t;
}

static int same(struct termios a, struct termios b) {
    return a.c_iflag == b.c_iflag && a.c_oflag == b.c_oflag && a.c_cflag == b.c_cflag && a.c_lflag == b.c_lflag &&
           !memcmp(a.c_cc,b.c_cc,sizeof(a.c_cc));
}

/* Runs part in a process of its own with these as standard input and output, and gives what it returned. */
static int inChild(int in, int out, int (*part)(void)) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(in,STDIN_FILENO);
        dup2(out,STDOUT_FILENO);
        alarm(10);
        _exit(part());
    }
    int status = 0;
    waitpid(pid,&status,0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int changeAndRestore(void) {
    cliPressAnyKeyTTY();
    int changed = !(modes(STDIN_FILENO).c_lflag & ICANON);
    /* As a program that it started might. */
    struct termios t = modes(STDIN_FILENO);
    t.c_iflag ^= IXON;
    t.c_oflag ^= OPOST;
    t.c_lflag ^= ISIG;
    t.c_cc[VERASE] = 1;
    tcsetattr(STDIN_FILENO,TCSANOW,&t);
    cliRestoreTTY();
    return changed;
}

static int restoreAlone(void) {
    cliRestoreTTY();
    return 1;
}

static int restoreTwice(void) {
    cliPressAnyKeyTTY();
    cliRestoreTTY();
    struct termios first = modes(STDIN_FILENO);
    cliRestoreTTY();
    return same(first,modes(STDIN_FILENO));
}

static int typedMeanwhile(void) {
    cliPressAnyKeyTTY();
    if (write(master,"x\n",2) != 2) return 0;
    int waiting = 0;
    for (int j = 0; j < 1000 && waiting < 2; j++) {
        ioctl(STDIN_FILENO,FIONREAD,&waiting);
        usleep(1000);
    }
    cliRestoreTTY();
    char typed[8] = {0};
    fcntl(STDIN_FILENO,F_SETFL,O_NONBLOCK);
    return read(STDIN_FILENO,typed,sizeof(typed)) >= 1 && typed[0] == 'x';
}

int main(void) {
    openTerminal(&master,&slave);
    openTerminal(&otherMaster,&other);
    int null = open("/dev/null",O_WRONLY);
    struct termios start = modes(slave);
    start.c_lflag |= ECHO|ICANON|ISIG;
    tcsetattr(slave,TCSANOW,&start);
    start = modes(slave);

    int changed = inChild(slave,other,changeAndRestore);
    struct termios t = modes(slave);
    test_cond("the terminal is restored", changed == 1 && (t.c_lflag & ECHO) && (t.c_lflag & ICANON));
    test_cond("every mode that was changed is restored", changed == 1 && same(t,start));

    struct termios quiet = start;
    quiet.c_lflag &= ~(ECHO|ISIG);
    quiet.c_cc[VERASE] = 8;
    tcsetattr(slave,TCSANOW,&quiet);
    quiet = modes(slave);
    inChild(slave,other,changeAndRestore);
    test_cond("what was off before stays off", same(modes(slave),quiet));
    inChild(slave,other,restoreAlone);
    test_cond("a terminal that was not changed is left alone", same(modes(slave),quiet));

    struct termios raw = modes(other);
    raw.c_lflag &= ~(ECHO|ICANON);
    tcsetattr(other,TCSANOW,&raw);
    raw = modes(other);
    tcsetattr(slave,TCSANOW,&start);
    changed = inChild(slave,other,changeAndRestore);
    test_cond("it is the terminal of standard input", changed == 1 && same(modes(slave),start) &&
              same(modes(other),raw));
    changed = inChild(slave,null,changeAndRestore);
    test_cond("it works with the output in a file", changed == 1 && same(modes(slave),start));
    int stable = inChild(slave,other,restoreTwice);
    test_cond("it can be called twice", stable == 1 && same(modes(slave),start));
    int kept = inChild(slave,other,typedMeanwhile);
    test_cond("what the user typed meanwhile is not lost", kept == 1);
    test_report();
    return 0;
}
