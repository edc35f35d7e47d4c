/*---
 * tasks: [extend_abbrs-e17d00]
 * tests:
 *   the abbreviation is copied: 'Comment: "Copy to ABBRS the abbreviation at ABBR with size ABBR_SIZE".'
 *   its own null byte is copied: 'Comment: the size "includes its trailing null byte".'
 *   a null byte more marks the end: 'Comment: "Append an extra null byte to mark the end of ABBRS".'
 *   nothing is written behind it: 'Callers give a part of a block of limited size (save_abbr).'
 *   an empty abbreviation is copied: 'Caller tzalloc: NAME may be the empty string.'
 *   a long abbreviation is copied whole: 'Caller tzalloc: NAME may be of any length.'
 *   what is before is kept: 'Caller save_abbr puts it behind other abbreviations.'
 *   the abbreviation stays as it was: 'Its type is char const *.'
 ---*/
#include "plus.h"
#include "../time_rz.c"

int main(void) {
    char room[700], text[600];
    plus_start();
    memset(room, '#', sizeof(room));
    strcpy(text, "CEST");
    memset(text + 5, '%', 20);
    extend_abbrs(room + 10, text, 5);
    ok("the abbreviation is copied", !memcmp(room + 10, "CEST", 4));
    ok("its own null byte is copied", room[14] == '\0');
    ok("a null byte more marks the end", room[15] == '\0');
    ok("nothing is written behind it", room[16] == '#' && room[17] == '#' && room[300] == '#');
    int before = 1;
    for (int i = 0; i < 10; i++) before &= room[i] == '#';
    ok("what is before is kept", before);
    ok("the abbreviation stays as it was", !memcmp(text, "CEST\0%%%", 8));
    memset(room, '#', sizeof(room));
    extend_abbrs(room, "", 1);
    ok("an empty abbreviation is copied", room[0] == '\0' && room[1] == '\0' && room[2] == '#');
    int whole = 1;
    for (size_t size = 2; size < 500; size++) {
        for (size_t i = 0; i + 1 < size; i++) text[i] = 'A' + i % 26;
        text[size - 1] = '\0';
        text[size] = '%';
        memset(room, '#', sizeof(room));
        extend_abbrs(room, text, size);
        whole &= !memcmp(room, text, size) && room[size] == '\0' && room[size + 1] == '#';
    }
    ok("a long abbreviation is copied whole", whole);
    return plus_end();
}
