/* Files of the plus tests: a folder of their own, which is the working directory until plus_leave. */
#ifndef FILES_H
#define FILES_H
#include "plus.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

static char plus_home[4096];

static void plus_enter(void) {
    char folder[] = "/tmp/plus-sedXXXXXX", here[] = "plus-sedXXXXXX";
    char *made = mkdtemp(folder) ? folder : mkdtemp(here);
    if (!made || chdir(made) || !getcwd(plus_home, sizeof(plus_home))) exit(2);
}

/* Calls ACT with the name of each entry of the working directory. Gives their number. */
static int plus_each(void (*act)(const char *name)) {
    DIR *folder = opendir(".");
    struct dirent *e;
    int n = 0;
    while ((e = readdir(folder)))
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
            n++;
            if (act) act(e->d_name);
        }
    closedir(folder);
    return n;
}

static void plus_remove(const char *name) {
    if (unlink(name) && !chdir(name)) {
        plus_each(plus_remove);
        if (chdir("..") || rmdir(name)) exit(2);
    }
}

static void plus_leave(void) {
    if (chdir(plus_home)) exit(2);
    plus_each(plus_remove);
    if (chdir("..") || rmdir(plus_home)) exit(2);
}

static void put_file(const char *name, const char *text) {
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    size_t size = strlen(text);
    if (fd < 0 || write(fd, text, size) != (ssize_t)size || close(fd)) exit(2);
}

static int there(const char *name) {
    struct stat st;
    return !lstat(name, &st);
}

/* Whether the file NAME holds just TEXT. */
static int holds(const char *name, const char *text) {
    static char have[20000];
    int fd = open(name, O_RDONLY);
    ssize_t size = fd < 0 ? -1 : read(fd, have, sizeof(have));
    if (fd >= 0) close(fd);
    return size == (ssize_t)strlen(text) && !memcmp(have, text, size);
}
#endif
