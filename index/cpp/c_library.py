"""Names of C's library that a repository uses and doesn't define."""

from __future__ import annotations

from collections.abc import Mapping

NAMES_BY_HEADER: Mapping[str, str] = {
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
