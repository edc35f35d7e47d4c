/*---
 * tasks: [get_backup_file_name-e78dee]
 * tests:
 *   a suffix is put behind the name: 'Manual: -i, "appended to the end of the current filename as a suffix".'
 *   a prefix is put before the name: 'Manual: -i, "This allows you to add a prefix to the backup file".'
 *   both are put around the name: 'Manual: -i, "instead of (or in addition to) a suffix".'
 *   the backup can be in another folder: 'Manual: -i, "to place backup copies ... into another directory".'
 *   each asterisk is replaced with the name: 'Manual: -i, "each asterisk is replaced with the current filename".'
 *   asterisks side by side are each replaced: 'Manual: -i, "each asterisk is replaced with the current filename".'
 *   an asterisk alone is the name: 'Manual: -i, "each asterisk is replaced with the current filename".'
 *   an asterisk of the name stays: 'Manual: -i, "if the extension does contain one or more * characters".'
 *   names of one character and long names fit: 'Comment: "Compute the name of the backup file".'
 *   it is a block that the caller frees: 'Caller closedown frees it.'
 *   nothing else stays allocated: 'Caller closedown frees the name alone.'
 *   each name is of its own: 'Caller closedown frees it.'
 *   the extension stays as it was: 'Callers use it for all files.'
 *   the name of the file stays as it was: 'The argument is const.'
 * instead: [sed/sed-execute.o]
 ---*/
#include "lines.h"

/* Whether with EXTENSION the backup of NAME is called WANTED. */
static int is(const char *extension, const char *name, const char *wanted) {
    in_place_extension = strdup(extension);
    char *backup = get_backup_file_name(name);
    int good = same(backup, wanted);
    free(backup);
    free(in_place_extension);
    return good;
}

int main(void) {
    static char name[301], wanted[1000];
    char file[] = "file.txt";
    int good = 1;
    begin();
    ok("a suffix is put behind the name", is("*.bak", "in", "in.bak") && is("*~", "a.txt", "a.txt~"));
    ok("a prefix is put before the name", is("bak_*", "in", "bak_in") && is(".#*", "file", ".#file"));
    ok("both are put around the name", is("old-*.bak", "in", "old-in.bak") && is("a*b", "c", "acb"));
    ok("the backup can be in another folder", is("bak/*", "in", "bak/in") && is("/tmp/x/*.y", "in", "/tmp/x/in.y"));
    ok("each asterisk is replaced with the name",
       is("*.d/*", "in", "in.d/in") && is("a*b*c*d", "12", "a12b12c12d") && is("*-*", "abc", "abc-abc"));
    ok("asterisks side by side are each replaced", is("**", "in", "inin") && is("x***y", "ab", "xabababy"));
    ok("an asterisk alone is the name", is("*", "in", "in"));
    ok("an asterisk of the name stays", is("*.x", "a*b", "a*b.x") && is("**", "*", "**") && is("*-*", "**", "**-**"));
    for (int n = 1; n <= 300; n++) {
        for (int i = 0; i < n; i++) name[i] = 'a' + i % 26;
        name[n] = '\0';
        snprintf(wanted, sizeof(wanted), "<%s=%s>%s", name, name, name);
        good &= is("<*=*>*", name, wanted);
    }
    ok("names of one character and long names fit", good);
    in_place_extension = strdup("*.one");
    long before = plus_live_blocks;
    char *a = get_backup_file_name(file);
    ok("it is a block that the caller frees", plus_live(a) && plus_size(a) >= strlen("file.txt.one") + 1);
    ok("nothing else stays allocated", plus_live_blocks == before + 1);
    char *b = get_backup_file_name("other");
    good = a != b && same(a, "file.txt.one") && same(b, "other.one");
    free(a);
    ok("each name is of its own", good && same(b, "other.one"));
    ok("the extension stays as it was", same(in_place_extension, "*.one"));
    ok("the name of the file stays as it was", same(file, "file.txt"));
    return plus_end();
}
