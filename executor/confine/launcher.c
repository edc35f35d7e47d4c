/* The launcher: stands in a program's place while the suites run, gives up rights, and becomes the program.
 *
 * It is compiled with -DROOT="..." (the tree) and -DHOME="..." (this room's folder in the tree). Started as
 * ROOT/src/prog it reads HOME/policy, applies it to itself, and executes HOME/real/src/prog in the same process, with
 * the arguments and the environment that it was given. Started as HOME/launcher, it takes the places of the programs
 * that are its arguments, in one process for all of them, and prints what this kernel offers.
 *
 * The policy is lines of a word and a value (executor/confine/policy.py writes them):
 *   write PATH       may write below; PATH is skipped when it isn't there
 *   make-dir PATH    the same, made first when it isn't there; make-file PATH likewise
 *   symlinks yes     may make symbolic links where it may write
 *   bind LOW-HIGH    may bind these TCP ports; connect LOW-HIGH likewise
 *   allow NAME       may make this system call of the list below
 *   free NAME        one of files, bind, connect, signals, abstract, descriptors, fork, exec, syscalls: not restricted
 *   observe PATH     restrict nothing, and append to PATH what the program does
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* The kernel's headers of a base may be older than its kernel, so what is used of Landlock stands here. */
#define LL_WRITE_FILE (1ULL << 1)
#define LL_REMOVE_DIR (1ULL << 4)
#define LL_REMOVE_FILE (1ULL << 5)
#define LL_MAKE_CHAR (1ULL << 6)
#define LL_MAKE_DIR (1ULL << 7)
#define LL_MAKE_REG (1ULL << 8)
#define LL_MAKE_SOCK (1ULL << 9)
#define LL_MAKE_FIFO (1ULL << 10)
#define LL_MAKE_BLOCK (1ULL << 11)
#define LL_MAKE_SYM (1ULL << 12)
#define LL_REFER (1ULL << 13)    /* ABI 2 */
#define LL_TRUNCATE (1ULL << 14) /* ABI 3 */
#define LL_BIND 1ULL             /* ABI 4 */
#define LL_CONNECT 2ULL
#define LL_SCOPE_ABSTRACT 1ULL /* ABI 6 */
#define LL_SCOPE_SIGNAL 2ULL
#define LL_IN_FOLDER                                                                                          \
    (LL_WRITE_FILE | LL_REMOVE_DIR | LL_REMOVE_FILE | LL_MAKE_DIR | LL_MAKE_REG | LL_MAKE_SOCK | LL_MAKE_FIFO | \
     LL_REFER | LL_TRUNCATE)
#define LL_FILES (LL_IN_FOLDER | LL_MAKE_CHAR | LL_MAKE_BLOCK | LL_MAKE_SYM)
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

struct ll_ruleset {
    uint64_t fs, net, scoped;
};
struct ll_path {
    uint64_t access;
    int32_t fd;
} __attribute__((packed));
struct ll_port {
    uint64_t access, port;
};

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "no seccomp filter for this architecture"
#endif

/* A system call of no meaning, which the filter answers by an error that no kernel gives: so a program that is already
 * confined is recognised, and no domain is put upon another one (the kernel allows 16). */
#define PROBE 0x47724674
#define CONFINED 3999

static const struct {
    const char *name;
    int number;
} refused[] = {
#define CALL(name) {#name, SYS_##name}
    CALL(ptrace), CALL(process_vm_readv), CALL(process_vm_writev), CALL(kcmp), CALL(userfaultfd), CALL(bpf),
    CALL(perf_event_open), CALL(keyctl), CALL(add_key), CALL(request_key), CALL(mount), CALL(umount2), CALL(pivot_root),
    CALL(chroot), CALL(unshare), CALL(setns), CALL(init_module), CALL(finit_module), CALL(delete_module),
    CALL(kexec_load), CALL(reboot), CALL(swapon), CALL(swapoff), CALL(acct), CALL(quotactl), CALL(syslog),
    CALL(name_to_handle_at), CALL(open_by_handle_at), CALL(fanotify_init), CALL(lookup_dcookie), CALL(move_pages),
    CALL(migrate_pages),
    /* By number where an older base doesn't know them; the numbers are the same on every architecture. */
    {"pidfd_send_signal", 424}, {"io_uring_setup", 425}, {"io_uring_enter", 426}, {"io_uring_register", 427},
    {"open_tree", 428}, {"move_mount", 429}, {"fsopen", 430}, {"fsconfig", 431}, {"fsmount", 432}, {"fspick", 433},
    {"pidfd_open", 434}, {"pidfd_getfd", 438}, {"process_madvise", 440}, {"mount_setattr", 442},
    {"quotactl_fd", 443}, {"process_mrelease", 448}, {"open_tree_attr", 467},
};

/* Calls that name a file which they write, make or remove: the places of their arguments, -1 for none. A second name is
 * the argument after `path`, or after `folder` and `path`. `flags` tells an open for reading from others. */
static const struct {
    int number, folder, path, flags, two;
} writing[] = {
#ifdef __x86_64__
    {SYS_open, -1, 0, 1, 0}, {SYS_creat, -1, 0, -1, 0}, {SYS_mkdir, -1, 0, -1, 0}, {SYS_rmdir, -1, 0, -1, 0},
    {SYS_mknod, -1, 0, -1, 0}, {SYS_unlink, -1, 0, -1, 0}, {SYS_rename, -1, 0, -1, 1}, {SYS_link, -1, 0, -1, 1},
    {SYS_symlink, -1, 1, -1, 0},
#endif
#ifdef SYS_renameat
    {SYS_renameat, 0, 1, -1, 1},
#endif
    {SYS_openat, 0, 1, 2, 0}, {SYS_mkdirat, 0, 1, -1, 0}, {SYS_mknodat, 0, 1, -1, 0}, {SYS_unlinkat, 0, 1, -1, 0},
    {SYS_renameat2, 0, 1, -1, 1}, {SYS_linkat, 0, 1, -1, 1}, {SYS_symlinkat, 1, 2, -1, 0}, {SYS_truncate, -1, 0, -1, 0},
};

enum { FILES, BIND, CONNECT, SIGNALS, ABSTRACT, DESCRIPTORS, FORK, EXEC, SYSCALLS, RIGHTS };
static const char *const rights[RIGHTS] = {"files",       "bind", "connect", "signals", "abstract",
                                           "descriptors", "fork", "exec",    "syscalls"};

static struct {
    int is_free[RIGHTS], allowed[COUNT(refused)], symlinks;
    char *observe;
} policy;
static uint64_t secret;
static int ruleset = -1;
static int abi;

static void fail(const char *what) {
    dprintf(2, "graft: the launcher stops: %s: %s\n", what, strerror(errno));
    _exit(126);
}

static long landlock_abi(void) { return syscall(SYS_landlock_create_ruleset, NULL, 0, 1); }

static uint64_t known_files(void) {
    return LL_FILES & ~(abi < 2 ? LL_REFER : 0) & ~(abi < 3 ? LL_TRUNCATE : 0);
}

static void open_ruleset(void) {
    struct ll_ruleset wanted = {0, 0, 0};
    if (!policy.is_free[FILES]) wanted.fs = known_files();
    if (abi >= 4) wanted.net = (policy.is_free[BIND] ? 0 : LL_BIND) | (policy.is_free[CONNECT] ? 0 : LL_CONNECT);
    if (abi >= 6)
        wanted.scoped =
            (policy.is_free[SIGNALS] ? 0 : LL_SCOPE_SIGNAL) | (policy.is_free[ABSTRACT] ? 0 : LL_SCOPE_ABSTRACT);
    if (!wanted.fs && !wanted.net && !wanted.scoped) return;
    size_t size = abi < 4 ? 8 : abi < 6 ? 16 : 24;
    ruleset = syscall(SYS_landlock_create_ruleset, &wanted, size, 0);
    if (ruleset < 0) fail("Landlock's rules");
}

static void allow_path(const char *path) {
    struct stat found;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return;
    if (fstat(fd, &found)) fail(path);
    uint64_t access = S_ISDIR(found.st_mode) ? LL_IN_FOLDER | (policy.symlinks ? LL_MAKE_SYM : 0) : LL_WRITE_FILE | LL_TRUNCATE;
    struct ll_path rule = {access & known_files(), fd};
    if (syscall(SYS_landlock_add_rule, ruleset, 1, &rule, 0)) fail(path);
    close(fd);
}

static void make_folders(const char *path) {
    char part[PATH_MAX];
    for (size_t i = 1; path[i] && i < sizeof part - 1; i++)
        if (path[i] == '/') {
            memcpy(part, path, i);
            part[i] = 0;
            mkdir(part, 0755);
        }
}

static void allow_ports(char *range, uint64_t access) {
    char *end;
    long low = strtol(range, &end, 10), high = *end == '-' ? strtol(end + 1, NULL, 10) : low;
    for (long port = low; port <= high; port++) {
        struct ll_port rule = {access, port};
        if (syscall(SYS_landlock_add_rule, ruleset, 2, &rule, 0)) fail("a port");
    }
}

/* Called twice for each line: before the rules exist, for what they depend on, and after. */
static void take(const char *word, char *value, int again) {
    int of_files = ruleset >= 0 && !policy.is_free[FILES];
    if (!again) {
        if (!strcmp(word, "symlinks")) policy.symlinks = 1;
        if (!strcmp(word, "observe")) policy.observe = strdup(value);
        for (size_t i = 0; i < RIGHTS; i++)
            if (!strcmp(word, "free") && !strcmp(value, rights[i])) policy.is_free[i] = 1;
        for (size_t i = 0; i < COUNT(refused); i++)
            if (!strcmp(word, "allow") && !strcmp(value, refused[i].name)) policy.allowed[i] = 1;
        return;
    }
    if (!strcmp(word, "make-dir")) {
        make_folders(value);
        mkdir(value, 0755);
    } else if (!strcmp(word, "make-file")) {
        make_folders(value);
        close(open(value, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
    }
    if (of_files && (!strcmp(word, "write") || !strncmp(word, "make-", 5))) allow_path(value);
    if (ruleset >= 0 && abi >= 4) {
        if (!strcmp(word, "bind") && !policy.is_free[BIND]) allow_ports(value, LL_BIND);
        if (!strcmp(word, "connect") && !policy.is_free[CONNECT]) allow_ports(value, LL_CONNECT);
    }
}

static void each_line(char *text, int again) {
    for (char *line = text; *line;) {
        char *end = strchr(line, '\n'), *space = strchr(line, ' ');
        if (!end || !space || space > end) {
            errno = EINVAL;
            fail("the policy's lines");
        }
        *space = *end = 0;
        take(line, space + 1, again);
        *space = ' ';
        *end = '\n';
        line = end + 1;
    }
}

static char *read_policy(void) {
    int fd = open(HOME "/policy", O_RDONLY | O_CLOEXEC);
    struct stat found;
    if (fd < 0 || fstat(fd, &found)) fail(HOME "/policy");
    char *text = calloc(1, found.st_size + 1);
    ssize_t got = text ? read(fd, text, found.st_size) : -1;
    if (got != found.st_size) fail(HOME "/policy");
    close(fd);
    return text;
}

/* --- taking the programs' places --- */

typedef struct {
    char *bytes;
    size_t size;
} Mapped;

static Mapped map_file(const char *path) {
    struct stat found;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &found)) fail(path);
    Mapped file = {"", found.st_size};
    if (file.size) file.bytes = mmap(NULL, file.size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (file.bytes == MAP_FAILED) fail(path);
    close(fd);
    return file;
}

static void unmap_file(Mapped file) {
    if (file.size) munmap(file.bytes, file.size);
}

static void write_program(const char *path, Mapped program) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
    if (fd < 0) fail(path);
    for (size_t done = 0; done < program.size;) {
        ssize_t more = write(fd, program.bytes + done, program.size - done);
        if (more <= 0) fail(path);
        done += more;
    }
    if (fchmod(fd, 0755) || close(fd)) fail(path);
}

/* Link what lies beside the program, and in the folders above, beside its new place. What is there stays. */
static void link_neighbours(const char *inner) {
    char folder[PATH_MAX], there[2 * PATH_MAX], here[2 * PATH_MAX];
    snprintf(folder, sizeof folder, "/%s", inner);
    while (*folder) {
        *strrchr(folder, '/') = 0;
        snprintf(there, sizeof there, ROOT "%s", folder);
        DIR *open_folder = opendir(there);
        if (!open_folder) fail(there);
        for (struct dirent *entry; (entry = readdir(open_folder));) {
            if (*entry->d_name == '.') continue;
            snprintf(there, sizeof there, ROOT "%s/%s", folder, entry->d_name);
            snprintf(here, sizeof here, HOME "/real%s/%s", folder, entry->d_name);
            if (symlink(there, here) && errno != EEXIST) fail(here);
        }
        closedir(open_folder);
    }
}

/* A program that was built again since stands in its own place once more, and is moved aside once more. */
static void take_place(const char *path) {
    char program[PATH_MAX], real[2 * PATH_MAX];
    if (access(path, F_OK)) return;
    if (!realpath(path, program)) fail(path);
    const char *inner = program + strlen(ROOT "/");
    if (strncmp(program, ROOT "/", strlen(ROOT "/"))) {
        errno = EINVAL;
        fail(program);
    }
    Mapped file = map_file(program), launcher = map_file("/proc/self/exe");
    snprintf(real, sizeof real, HOME "/real/%s", inner);
    if (access(real, F_OK) || file.size != launcher.size || memcmp(file.bytes, launcher.bytes, file.size)) {
        make_folders(real);
        if (rename(program, real)) fail(real);
        write_program(program, launcher);
        /* It looks for libraries from its own folder. */
        if (memmem(file.bytes, file.size, "$ORIGIN", strlen("$ORIGIN"))) link_neighbours(inner);
    }
    unmap_file(file);
    unmap_file(launcher);
}

static void print_kernel(void) {
    long found = landlock_abi();
    int seccomp = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) == -1 && errno == EFAULT;
    printf("landlock %ld\nseccomp %d\n", found > 0 ? found : 0, seccomp);
}

/* --- seccomp --- */

static struct sock_filter filter[512];
static unsigned short length;

static void put(uint16_t code, uint32_t k, uint8_t yes, uint8_t no) {
    filter[length++] = (struct sock_filter){code, yes, no, k};
}
static void load(size_t offset) { put(BPF_LD | BPF_W | BPF_ABS, offset, 0, 0); }
static void answer(uint32_t what) { put(BPF_RET | BPF_K, what, 0, 0); }
#define ARG(n) (offsetof(struct seccomp_data, args) + 8 * (n))
#define ERROR(number) (SECCOMP_RET_ERRNO | (number))

/* Answer `what` to a call `nr` whose argument `arg`, compared by `test`, is `k`. */
static void refuse_by(int nr, int arg, uint16_t test, uint32_t k, uint32_t what) {
    put(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 4);
    load(ARG(arg));
    put(BPF_JMP | test | BPF_K, k, 0, 1);
    answer(what);
    load(offsetof(struct seccomp_data, nr));
}

static void refuse_call(int nr, uint32_t what) {
    put(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1);
    answer(what);
}

/* New processes and new programs. The launcher's own `execve` passes by a number that the program never learns. */
static void refuse_starting(uint32_t fork_answer, uint32_t exec_answer) {
    put(BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 0, 6);
    load(ARG(3));
    put(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)secret, 0, 3);
    load(ARG(3) + 4);
    put(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(secret >> 32), 0, 1);
    answer(SECCOMP_RET_ALLOW);
    answer(exec_answer);
    refuse_call(SYS_execveat, exec_answer);
    put(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4);
    load(ARG(0));
    put(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
    answer(fork_answer);
    load(offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    refuse_call(SYS_fork, fork_answer);
    refuse_call(SYS_vfork, fork_answer);
#endif
}

static void write_filter(void) {
    load(offsetof(struct seccomp_data, arch));
    put(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
    answer(policy.observe ? SECCOMP_RET_ALLOW : ERROR(EPERM));
    load(offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    if (!policy.observe) {
        put(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
        answer(ERROR(EPERM));
    }
#endif
    refuse_by(SYS_prctl, 0, BPF_JEQ, PROBE, ERROR(CONFINED));
    /* Its flags lie in memory, where no filter sees them; glibc falls back to the older call. */
    refuse_call(435 /* clone3 */, ERROR(ENOSYS));
    if (policy.observe) {
        refuse_starting(SECCOMP_RET_USER_NOTIF, SECCOMP_RET_USER_NOTIF);
        for (size_t i = 0; i < COUNT(writing); i++)
            if (writing[i].flags < 0)
                refuse_call(writing[i].number, SECCOMP_RET_USER_NOTIF);
            else
                refuse_by(writing[i].number, writing[i].flags, BPF_JSET, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC,
                          SECCOMP_RET_USER_NOTIF);
        refuse_call(SYS_bind, SECCOMP_RET_USER_NOTIF);
        refuse_call(SYS_connect, SECCOMP_RET_USER_NOTIF);
    } else if (!policy.is_free[SYSCALLS]) {
        refuse_by(SYS_clone, 0, BPF_JSET, 0x7e020000 /* new namespaces */, ERROR(EPERM));
        refuse_starting(policy.is_free[FORK] ? SECCOMP_RET_ALLOW : ERROR(EPERM),
                        policy.is_free[EXEC] ? SECCOMP_RET_ALLOW : ERROR(EPERM));
        /* Streams that reach a TCP port past Landlock's rules: MPTCP, SMC, and data sent before the connection. */
        refuse_by(SYS_socket, 2, BPF_JEQ, 262, ERROR(EPROTONOSUPPORT));
        refuse_by(SYS_socket, 0, BPF_JEQ, 43, ERROR(EAFNOSUPPORT));
        refuse_by(SYS_sendto, 3, BPF_JSET, MSG_FASTOPEN, ERROR(EOPNOTSUPP));
        refuse_by(SYS_sendmsg, 2, BPF_JSET, MSG_FASTOPEN, ERROR(EOPNOTSUPP));
        refuse_by(SYS_sendmmsg, 3, BPF_JSET, MSG_FASTOPEN, ERROR(EOPNOTSUPP));
        /* Limits of another process, which could end it; TIOCSTI and TIOCLINUX, which type into a terminal. */
        put(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 4);
        load(ARG(0));
        put(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
        answer(ERROR(EPERM));
        load(offsetof(struct seccomp_data, nr));
        refuse_by(SYS_ioctl, 1, BPF_JEQ, 0x5412, ERROR(EPERM));
        refuse_by(SYS_ioctl, 1, BPF_JEQ, 0x541c, ERROR(EPERM));
    }
    for (size_t i = 0; i < COUNT(refused); i++)
        if (policy.observe || (!policy.allowed[i] && !policy.is_free[SYSCALLS]))
            refuse_call(refused[i].number, policy.observe ? SECCOMP_RET_USER_NOTIF : ERROR(EPERM));
    answer(SECCOMP_RET_ALLOW);
}

static int install_filter(unsigned flags) {
    struct sock_fprog program = {length, filter};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

/* --- what the unmodified program does --- */

static void note(int out, const char *what, const char *value) {
    char line[2 * PATH_MAX + 64];
    int size = snprintf(line, sizeof line, "%s %s\n", what, value);
    if (strchr(value, '\n')) return;
    if (write(out, line, size) != size) _exit(1);
}

static void note_port(int out, const char *what, unsigned port) {
    char number[16];
    snprintf(number, sizeof number, "%u", port);
    note(out, what, number);
}

/* The TCP ports on which anything listens now. */
static void note_listening(int out, const char *table) {
    char line[512];
    unsigned port, state;
    FILE *file = fopen(table, "re");
    if (!file) return;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x", &port, &state) == 2 && state == 10)
            note_port(out, "listening", port);
    fclose(file);
}

static int is_tcp(pid_t pid, int fd) {
    char path[64], target[64];
    int type = 0, kind = -1;
    socklen_t size = sizeof type;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
    ssize_t got = readlink(path, target, sizeof target - 1);
    if (got <= 0) return 1;
    int pidfd = syscall(434, pid, 0), copy = pidfd < 0 ? -1 : syscall(438, pidfd, fd, 0);
    if (copy >= 0 && !getsockopt(copy, SOL_SOCKET, SO_TYPE, &type, &size)) kind = type;
    if (copy >= 0) close(copy);
    if (pidfd >= 0) close(pidfd);
    return kind == -1 || kind == SOCK_STREAM;
}

static void note_path(int out, const char *what, const struct seccomp_notif *call, int folder, const char *path) {
    char link[64], whole[2 * PATH_MAX + 8];
    ssize_t got = 0;
    if (*path != '/') {
        if (folder < 0 || (int)call->data.args[folder] == AT_FDCWD)
            snprintf(link, sizeof link, "/proc/%d/cwd", call->pid);
        else
            snprintf(link, sizeof link, "/proc/%d/fd/%d", call->pid, (int)call->data.args[folder]);
        got = readlink(link, whole, PATH_MAX);
        if (got <= 0) return;
        whole[got++] = '/';
    }
    snprintf(whole + got, sizeof whole - got, "%s", path);
    /* Without its folder the call fails, which a test may want: nothing must be made there. */
    char *name = strrchr(whole, '/');
    while (name && name > whole && !name[1]) {
        *name = 0;
        name = strrchr(whole, '/');
    }
    if (name && name > whole) {
        *name = 0;
        if (access(whole, F_OK)) return;
        *name = '/';
    }
    note(out, what, whole);
}

/* Copy from the program's memory. Docker's own filter refuses the call for it, but not the file. */
static ssize_t peek(pid_t pid, uint64_t address, void *room, size_t size) {
    struct iovec here = {room, size}, there = {(void *)(uintptr_t)address, size};
    ssize_t got = process_vm_readv(pid, &here, 1, &there, 1, 0);
    if (got >= 0 || errno != EPERM) return got;
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    int memory = open(path, O_RDONLY | O_CLOEXEC);
    if (memory < 0) return -1;
    got = pread(memory, room, size, address);
    close(memory);
    return got;
}

static void read_string(pid_t pid, uint64_t address, char *path, size_t room) {
    size_t got = 0;
    memset(path, 0, room);
    /* By pages, since the text may end right before memory that isn't there. */
    while (got < room - 1) {
        size_t part = 4096 - (address + got) % 4096;
        if (part > room - 1 - got) part = room - 1 - got;
        if (peek(pid, address + got, path + got, part) <= 0 || memchr(path + got, 0, part)) break;
        got += part;
    }
}

static int note_file(int out, const struct seccomp_notif *call) {
    static char path[PATH_MAX];
    for (size_t i = 0; i < COUNT(writing); i++) {
        if (writing[i].number != call->data.nr) continue;
        int folder = writing[i].folder, step = folder < 0 ? 1 : 2;
        const char *what = call->data.nr == SYS_symlinkat ? "symlink" : call->data.nr == SYS_mkdirat ? "folder" : "write";
#ifdef __x86_64__
        what = call->data.nr == SYS_symlink ? "symlink" : call->data.nr == SYS_mkdir ? "folder" : what;
#endif
        for (int more = 0; more <= writing[i].two; more++) {
            read_string(call->pid, call->data.args[writing[i].path + more * step], path, sizeof path);
            if (*path) note_path(out, what, call, folder < 0 ? -1 : folder + more * step, path);
        }
        return 1;
    }
    return 0;
}

static void note_call(int out, const struct seccomp_notif *call) {
    if (note_file(out, call)) return;
    int forks = call->data.nr == SYS_clone;
#ifdef __x86_64__
    forks |= call->data.nr == SYS_fork || call->data.nr == SYS_vfork;
#endif
    if (forks || call->data.nr == SYS_execve || call->data.nr == SYS_execveat) {
        note(out, "call", forks ? "fork" : "exec");
        return;
    }
    if (call->data.nr != SYS_bind && call->data.nr != SYS_connect) {
        for (size_t i = 0; i < COUNT(refused); i++)
            if (refused[i].number == call->data.nr) note(out, "call", refused[i].name);
        return;
    }
    union {
        struct sockaddr_in6 inet;
        struct sockaddr_un local;
    } place = {0};
    size_t size = call->data.args[2] < sizeof place ? call->data.args[2] : sizeof place - 1;
    if (peek(call->pid, call->data.args[1], &place, size) < 4) return;
    struct sockaddr_in6 name = place.inet;
    if (name.sin6_family == AF_UNIX && call->data.nr == SYS_bind && place.local.sun_path[0])
        note_path(out, "write", call, -1, place.local.sun_path);
    if (name.sin6_family != AF_INET && name.sin6_family != AF_INET6) return;
    if (is_tcp(call->pid, call->data.args[0]))
        note_port(out, call->data.nr == SYS_bind ? "bind" : "connect", ntohs(name.sin6_port));
}

static void watch(int listener, int out) {
    struct seccomp_notif_sizes sizes;
    if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes)) _exit(1);
    struct seccomp_notif *call = malloc(sizes.seccomp_notif);
    struct seccomp_notif_resp *reply = malloc(sizes.seccomp_notif_resp);
    struct pollfd ready = {listener, POLLIN, 0};
    while (poll(&ready, 1, -1) >= 0 && !(ready.revents & POLLHUP)) {
        memset(call, 0, sizes.seccomp_notif);
        memset(reply, 0, sizes.seccomp_notif_resp);
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, call)) continue;
        note_call(out, call);
        reply->id = call->id;
        reply->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, reply);
    }
    _exit(0);
}

/* Start a process of its own that writes down the program's calls. It gets the filter's descriptor over a socket,
 * since a process that has the filter itself would keep the descriptor from ever ending. */
static void observe(void) {
    int pair[2], status;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) fail("a pair of sockets");
    char data = 0;
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {&data, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
    int out = open(policy.observe, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (out < 0) fail(policy.observe);
    note_listening(out, "/proc/net/tcp");
    note_listening(out, "/proc/net/tcp6");
    pid_t child = fork();
    if (child < 0) fail("a process");
    if (child == 0) {
        if (fork() != 0) _exit(0);
        setsid();
        /* A pipe of the driver's that stayed open here would never end. */
        dup2(out, 0), dup2(pair[1], 1);
        syscall(SYS_close_range, 2, ~0U, 0);
        if (recvmsg(1, &message, 0) <= 0 || !CMSG_FIRSTHDR(&message)) _exit(1);
        int listener;
        memcpy(&listener, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof listener);
        close(1);
        watch(listener, 0);
    }
    waitpid(child, &status, 0);
    /* Where Yama allows a parent alone to read its children's memory. */
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    close(pair[1]);
    close(out);
    int listener = install_filter(SECCOMP_FILTER_FLAG_NEW_LISTENER);
    if (listener < 0) fail("the observing filter");
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof listener);
    memcpy(CMSG_DATA(head), &listener, sizeof listener);
    if (sendmsg(pair[0], &message, 0) != 1) fail("the observing filter's descriptor");
    close(listener);
    close(pair[0]);
}

static void confine(char *text) {
    abi = landlock_abi();
    if (abi > 0) open_ruleset();
    each_line(text, 1);
    if (ruleset >= 0) {
        if (syscall(SYS_landlock_restrict_self, ruleset, 0)) fail("Landlock");
        close(ruleset);
    }
    /* A descriptor that the driver left open by mistake is a way to it. */
    if (!policy.is_free[DESCRIPTORS]) syscall(SYS_close_range, 3, ~0U, 0);
    if (install_filter(0) && errno != ENOSYS && errno != EINVAL) fail("seccomp");
}

int main(int argc, char **argv) {
    char self[PATH_MAX], program[2 * PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size < 0) fail("/proc/self/exe");
    self[size] = 0;
    /* In a program's place every argument is the program's. */
    if (!strcmp(self, HOME "/launcher")) {
        for (int i = 1; i < argc; i++) take_place(argv[i]);
        print_kernel();
        return 0;
    }
    if (strncmp(self, ROOT "/", strlen(ROOT "/"))) {
        errno = EINVAL;
        fail(self);
    }
    snprintf(program, sizeof program, "%s/real/%s", HOME, self + strlen(ROOT "/"));
    if (prctl(PROBE, 0, 0, 0, 0) != -1 || errno != CONFINED) {
        char *text = read_policy();
        each_line(text, 0);
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) fail("no_new_privs");
        if (getrandom(&secret, sizeof secret, 0) != sizeof secret) fail("a random number");
        write_filter();
        if (policy.observe)
            observe();
        else
            confine(text);
    }
    syscall(SYS_execve, program, argv, environ, secret, 0, 0);
    fail(program);
}
