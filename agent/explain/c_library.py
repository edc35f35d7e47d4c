"""Names of C's library that a repository doesn't declare and a draft may misspell."""

from __future__ import annotations

from functools import cache

from agent.explain.name_similarity import name_similarity
from index.values import Span, Symbol, SymbolKind

_NAMES = {
    "<string.h>": "memcpy memmove memset memcmp memchr strlen strcpy strncpy strcat strncat strcmp strncmp strchr"
    " strrchr strstr strdup strndup strspn strcspn strpbrk strtok strtok_r strerror",
    "<strings.h>": "strcasecmp strncasecmp",
    "<stdlib.h>": "malloc calloc realloc free abort exit atoi atol atoll strtol strtoul strtoll strtoull strtod"
    " qsort bsearch getenv rand random srand abs labs",
    "<stdio.h>": "printf fprintf sprintf snprintf vsnprintf vfprintf fopen fclose fread fwrite fgets fputs fflush"
    " fseek ftell sscanf perror remove rename",
    "<ctype.h>": "isalpha isdigit isalnum isspace isupper islower isxdigit isprint toupper tolower",
    "<assert.h>": "assert",
    "<errno.h>": "errno EINTR EAGAIN EWOULDBLOCK ENOMEM EINVAL ENOENT EEXIST ERANGE",
    "<limits.h>": "INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN ULONG_MAX LLONG_MAX LLONG_MIN CHAR_BIT PATH_MAX",
    "<stdint.h>": "UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX INT32_MAX INT64_MAX SIZE_MAX",
    "<math.h>": "isnan isinf floor ceil sqrt pow fabs log exp fmod",
    "<time.h>": "time gettimeofday clock_gettime localtime localtime_r gmtime strftime",
    "<unistd.h>": "read write close open lseek fsync unlink getpid sleep usleep",
    "<pthread.h>": "pthread_mutex_lock pthread_mutex_unlock pthread_create pthread_join",
}
_LEAST_SIMILARITY = 85.0
_PROTOTYPES = {
    "<string.h>": (
        "void *memcpy(void *to, const void *from, size_t n)",
        "void *memmove(void *to, const void *from, size_t n)",
        "void *memset(void *to, int value, size_t n)",
        "int memcmp(const void *a, const void *b, size_t n)",
        "void *memchr(const void *in, int value, size_t n)",
        "size_t strlen(const char *s)",
        "char *strcpy(char *to, const char *from)",
        "char *strncpy(char *to, const char *from, size_t n)",
        "char *strcat(char *to, const char *from)",
        "int strcmp(const char *a, const char *b)",
        "int strncmp(const char *a, const char *b, size_t n)",
        "char *strchr(const char *s, int sign)",
        "char *strrchr(const char *s, int sign)",
        "char *strstr(const char *s, const char *part)",
        "char *strdup(const char *s)",
        "char *strerror(int code)",
    ),
    "<stdlib.h>": (
        "void *malloc(size_t n)",
        "void *calloc(size_t count, size_t n)",
        "void *realloc(void *old, size_t n)",
        "void free(void *p)",
        "void exit(int status)",
        "int atoi(const char *s)",
        "long strtol(const char *s, char **end, int base)",
        "void qsort(void *first, size_t count, size_t n, int (*order)(const void *, const void *))",
    ),
    "<stdio.h>": (
        "int printf(const char *format, ...)",
        "int fprintf(FILE *to, const char *format, ...)",
        "int snprintf(char *to, size_t n, const char *format, ...)",
        "int fflush(FILE *to)",
        "int fclose(FILE *file)",
    ),
    "<unistd.h>": (
        "ssize_t read(int fd, void *to, size_t n)",
        "ssize_t write(int fd, const void *from, size_t n)",
        "int close(int fd)",
    ),
}


@cache
def library_prototypes() -> tuple[Symbol, ...]:
    """The prototypes of some functions of C's library, as symbols of its headers."""
    return tuple(
        Symbol(SymbolKind.PROTOTYPE, name, name, header, Span(1, 1), 0, 0, text, "", "c")
        for header, texts in _PROTOTYPES.items()
        for text in texts
        for name in [text.partition("(")[0].split()[-1].lstrip("*")]
    )


def find_nearest_in_libc(name: str) -> tuple[str, str]:
    """(the nearest name, its header), or ("", "") where none is nearly the same."""
    found = [
        (name_similarity(name, known), known, header) for header, names in _NAMES.items() for known in names.split()
    ]
    score, nearest, header = max(found)
    return (nearest, header) if score >= _LEAST_SIMILARITY and nearest != name else ("", "")
