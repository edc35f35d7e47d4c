/*---
 * tasks: [snd_config_topdir-a5f2c5]
 * tests:
 *   the directory of the environment is returned: 'Docstring: "specified via the environment variable".'
 *   the root may be the directory: 'Docstring: "if the value is a valid path, it returns this value".'
 *   a long path is returned: 'Docstring: a valid path; PATH_MAX counts the byte at its end.'
 *   the longest path is returned: 'limits.h: PATH_MAX bytes with the byte at the end; buffers of PATH_MAX in conf.c.'
 *   without the variable it is the default: 'Docstring: "If unspecified, [...] /usr/share/alsa".'
 *   an empty value is no path: 'Docstring: "if the value is a valid path".'
 *   a relative path is not valid: 'Docstring: "top-level config directory path"; an absolute one everywhere.'
 *   a path that is too long is not valid: 'limits.h: PATH_MAX; buffers of PATH_MAX in conf.c.'
 *   a slash elsewhere makes no valid path: 'Docstring: "if the value is a valid path".'
 *   a variable of a similar name does not matter: 'Docstring: "ALSA_CONFIG_DIR".'
 *   later calls give the same directory: 'Docstring: the top-level directory, one for the process.'
 *   nothing is allocated by later calls: 'Callers (_snd_config_path) do not free it.'
 *   the environment is left as it is: 'Docstring: it returns.'
 *   the callers find their files there: '_snd_config_path; get_char_skip_comments: <confdir:...>.'
 ---*/
#include "plus.h"
#include <limits.h>
#include <sys/wait.h>
#include <alsa/asoundlib.h>

#define DEFAULT "/usr/share/alsa"

/* Runs the part in a process of its own with this value of the variable, as the library may keep the first answer. */
static int apart(const char *value, int (*part)(const char *), const char *expected)
{
    int status = 0;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        unsetenv("ALSA_CONFIG_DIR");
        if (value)
            setenv("ALSA_CONFIG_DIR", value, 1);
        _exit(part(expected) ? 7 : 1);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

static int returns(const char *expected)
{
    const char *dir = snd_config_topdir();

    return dir && strcmp(dir, expected) == 0;
}

static int is(const char *value, const char *expected)
{
    return apart(value, returns, expected);
}

static int again(const char *expected)
{
    int j, good = returns(expected);

    for (j = 0; j < 3; j++)
        good = good && returns(expected);
    return good;
}

static int without_memory(const char *expected)
{
    long live;
    int j, good = returns(expected);

    live = plus_live;
    for (j = 0; j < 50; j++)
        good = good && returns(expected);
    return good && plus_live == live && plus_bad == 0;
}

static int environment(const char *expected)
{
    const char *value;

    snd_config_topdir();
    value = getenv("ALSA_CONFIG_DIR");
    return expected ? value && strcmp(value, expected) == 0 : value == NULL;
}

/* Includes a file of the sources' own that is a configuration. */
static int includes(const char *file)
{
    snd_config_t *top;
    char text[200];
    int err;

    snprintf(text, sizeof(text), "<confdir:%s>\n", file);
    err = snd_config_load_string(&top, text, 0);
    return err == 0;
}

int main(void)
{
    /* Paths that exist, of any length: the root with many slashes. */
    static char path[PATH_MAX + 10], here[PATH_MAX + 100];
    int good;

    snd_lib_error_set_handler(quiet);
    check("the directory of the environment is returned", is("/usr", "/usr") && is("/tmp", "/tmp") &&
          is("/usr/lib/", "/usr/lib/"));
    check("the root may be the directory", is("/", "/"));
    memset(path, '/', sizeof(path));
    path[3000] = 0;
    check("a long path is returned", is(path, path));
    memset(path, '/', sizeof(path));
    path[PATH_MAX - 1] = 0;
    check("the longest path is returned", is(path, path));
    check("without the variable it is the default", is(NULL, DEFAULT));
    check("an empty value is no path", is("", DEFAULT));
    check("a relative path is not valid", is("src/conf", DEFAULT) && is("./src", DEFAULT) && is("src", DEFAULT) &&
          is(".", DEFAULT));
    memset(path, '/', sizeof(path));
    path[PATH_MAX] = 0;
    good = is(path, DEFAULT);
    path[PATH_MAX] = '/';
    path[PATH_MAX + 1] = 0;
    check("a path that is too long is not valid", good && is(path, DEFAULT));
    check("a slash elsewhere makes no valid path", is(" /usr", DEFAULT) && is("src/", DEFAULT));
    setenv("ALSA_CONFIG_DIR2", "/tmp", 1);
    setenv("ALSA_CONFIG", "/tmp", 1);
    setenv("ALSA_CONFIG_PATH", "/tmp", 1);
    check("a variable of a similar name does not matter", is(NULL, DEFAULT) && is("/usr", "/usr"));
    check("later calls give the same directory", apart("/usr", again, "/usr") &&
          apart(NULL, again, DEFAULT) && apart("src", again, DEFAULT));
    check("nothing is allocated by later calls",
          apart("/usr", without_memory, "/usr") && apart(NULL, without_memory, DEFAULT));
    check("the environment is left as it is", apart("/usr", environment, "/usr") &&
          apart(NULL, environment, NULL) && apart("src", environment, "src"));
    good = getcwd(path, PATH_MAX) != NULL;
    snprintf(here, sizeof(here), "%s/src/conf", path);
    check("the callers find their files there", good && apart(here, includes, "cards/aliases.conf") &&
          !apart("/nonexistent", includes, "cards/aliases.conf"));
    return checked();
}
