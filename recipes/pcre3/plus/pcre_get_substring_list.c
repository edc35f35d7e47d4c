/*---
 * tasks: [pcre_get_substring_list-7027e6]
 * tests:
 *   success is 0: 'Docstring: "if successful: 0".'
 *   the list begins with the whole match: 'Docstring: "all of the captured substrings".'
 *   the groups follow in order: 'Docstring: "a list of pointers and all of the captured substrings".'
 *   each string ends with a zero: 'pcreapi.3: the strings are zero-terminated; docstring of pcre_copy_substring.'
 *   zeros in a string are copied: 'pcreapi.3: captured substrings may have binary zeros.'
 *   an empty group gives an empty string: 'Docstring: "all of the captured substrings".'
 *   an unset group gives an empty string: 'pcreapi.3: of a substring that is unset "they return an empty string".'
 *   a NULL pointer ends the list: 'Docstring: "A NULL pointer is put on the end of the list".'
 *   only as many as the count are in the list: 'Docstring: stringcount, "the number of substrings ...".'
 *   the strings are copies: 'Docstring: "Copy all captured strings to new store".'
 *   all is in one chunk of store: 'Docstring: "gets one chunk of store".'
 *   the store is big enough: 'Docstring: it builds the list and the substrings "in it".'
 *   pcre_free_substring_list frees all of it: 'pcreapi.3: pcre_free_substring_list.'
 *   without store there is an error: 'Docstring: PCRE_ERROR_NOMEMORY, "failed to get store".'
 *   the offsets stay as they were: 'Docstring: only listptr is "set".'
 *   a match of one long string is copied: 'Docstring: "all of the captured substrings".'
 *   many strings are copied: 'Docstring: "all of the captured substrings".'
 *   lists of 16-bit strings are right: 'Docstring, of pcre16_get_substring_list.'
 *   the store of 16-bit strings is one chunk and big enough: 'Docstring: "gets one chunk of store".'
 *   lists of 32-bit strings are right: 'Docstring, of pcre32_get_substring_list.'
 *   the store of 32-bit strings is one chunk and big enough: 'Docstring: "gets one chunk of store".'
 *   without store the others give an error too: 'Docstring: PCRE_ERROR_NOMEMORY, "failed to get store".'
 ---*/
#include "plus.h"
#include "pcre.h"

static int within(const void *p, size_t size) {
    return (char *) p >= plus_block && (char *) p + size <= plus_block + plus_size;
}

static int filled(const char *p, size_t size) {
    while (size-- > 0) if (*p++ != 'q') return 0;
    return *p == 0;
}

int main(void) {
    static const int offsets[] = {2, 9, 2, 5, 5, 5, -1, -1, 4, 7, 1, 3};
    char subject[] = "xxabc\0def--";
    int ovector[12], r, i, j, good, bad;
    const char **list = NULL;
    static char big[5000];
    static int many[600];

    pcre_malloc = pcre16_malloc = pcre32_malloc = plus_malloc;
    pcre_free = pcre16_free = pcre32_free = plus_free;
    memcpy(ovector, offsets, sizeof(offsets));
    r = pcre_get_substring_list(subject, ovector, 5, &list);
    ok("success is 0", r == 0 && list != NULL);
    ok("all is in one chunk of store", plus_calls == 1 && (char *) list == plus_block &&
       within(list, 6 * sizeof(*list)) && within(list[0], 8) &&
       within(list[1], 4) && within(list[2], 1) && within(list[3], 1) &&
       within(list[4], 4));
    memset(subject, '!', 9);
    ok("the strings are copies", list[1] != subject + 2 && list[1][0] == 'a');
    ok("the list begins with the whole match", !memcmp(list[0], "abc\0def", 7));
    ok("the groups follow in order", !memcmp(list[1], "abc", 3) && !memcmp(list[4], "c\0d", 3));
    ok("each string ends with a zero", list[0][7] == 0 && list[1][3] == 0 && list[4][3] == 0);
    ok("zeros in a string are copied", !memcmp(list[4], "c\0d", 4) && !memcmp(list[0], "abc\0def", 8));
    ok("an empty group gives an empty string", list[2][0] == 0);
    ok("an unset group gives an empty string", list[3][0] == 0);
    ok("a NULL pointer ends the list", list[5] == NULL);
    ok("the offsets stay as they were", !memcmp(ovector, offsets, sizeof(offsets)));
    pcre_free_substring_list(list);
    ok("pcre_free_substring_list frees all of it", plus_live == 0);
    bad = plus_bad != 0;

    strcpy(subject, "xxabcdefgh");
    pcre_get_substring_list(subject, ovector, 2, &list);
    good = !strcmp(list[0], "abcdefg") && !strcmp(list[1], "abc") && list[2] == NULL;
    pcre_free_substring_list(list);
    pcre_get_substring_list(subject, ovector, 1, &list);
    ok("only as many as the count are in the list", good && !strcmp(list[0], "abcdefg") && list[1] == NULL);
    pcre_free_substring_list(list);

    memset(big, 'q', sizeof(big) - 1);
    ovector[0] = 3;
    ovector[1] = 4503;
    r = pcre_get_substring_list(big, ovector, 1, &list);
    ok("a match of one long string is copied", r == 0 && filled(list[0], 4500) && list[1] == NULL);
    pcre_free_substring_list(list);
    for (i = 0; i < 300; i++) {
        many[2 * i] = i % 7 == 3 ? -1 : i;
        many[2 * i + 1] = i % 7 == 3 ? -1 : i + i % 11;
    }
    r = pcre_get_substring_list(big, many, 300, &list);
    good = r == 0 && list[300] == NULL;
    for (i = 0; i < 300; i++) good &= filled(list[i], i % 7 == 3 ? 0 : i % 11);
    ok("many strings are copied", good);
    pcre_free_substring_list(list);
    ok("the store is big enough", !bad && plus_bad == 0 && plus_live == 0);

    plus_refuse = 1;
    ok("without store there is an error", pcre_get_substring_list(big, ovector, 1, &list) == PCRE_ERROR_NOMEMORY);
    plus_refuse = 0;

    {
        static const unsigned short text[] = {0x141, 'x', 0xd801, 0, 0xff00, 'y', 'z'};
        int ov[] = {0, 6, -1, -1, 2, 5, 4, 4, 6, 7};
        PCRE_SPTR16 *got = NULL;
        plus_calls = plus_bad = 0;
        r = pcre16_get_substring_list(text, ov, 5, &got);
        ok("lists of 16-bit strings are right",
           r == 0 && !memcmp(got[0], text, 12) && got[0][6] == 0 && got[1][0] == 0 && !memcmp(got[2], text + 2, 6) &&
           got[2][3] == 0 && got[3][0] == 0 && got[4][0] == 'z' && got[4][1] == 0 && got[5] == NULL);
        good = plus_calls == 1 && within(got[0], 14) && within(got[1], 2) && within(got[2], 8) && within(got[3], 2) &&
               within(got[4], 4);
        pcre16_free_substring_list(got);
        ok("the store of 16-bit strings is one chunk and big enough", good && plus_bad == 0 && plus_live == 0);
    }
    {
        static const unsigned int text[] = {0x10141, 'x', 0x10ffff, 0, 0xff0000, 'y', 'z'};
        int ov[] = {0, 6, -1, -1, 2, 5, 4, 4, 6, 7};
        PCRE_SPTR32 *got = NULL;
        PCRE_SPTR16 *other;
        plus_calls = plus_bad = 0;
        r = pcre32_get_substring_list(text, ov, 5, &got);
        ok("lists of 32-bit strings are right",
           r == 0 && !memcmp(got[0], text, 24) && got[0][6] == 0 && got[1][0] == 0 && !memcmp(got[2], text + 2, 12) &&
           got[2][3] == 0 && got[3][0] == 0 && got[4][0] == 'z' && got[4][1] == 0 && got[5] == NULL);
        good = plus_calls == 1 && within(got[0], 28) && within(got[1], 4) && within(got[2], 16) && within(got[3], 4) &&
               within(got[4], 8);
        pcre32_free_substring_list(got);
        ok("the store of 32-bit strings is one chunk and big enough", good && plus_bad == 0 && plus_live == 0);
        plus_refuse = 1;
        ok("without store the others give an error too",
           pcre16_get_substring_list((PCRE_SPTR16) text, ov, 1, &other) == PCRE_ERROR_NOMEMORY &&
           pcre32_get_substring_list(text, ov, 1, &got) == PCRE_ERROR_NOMEMORY);
    }
    return plus_end();
}
