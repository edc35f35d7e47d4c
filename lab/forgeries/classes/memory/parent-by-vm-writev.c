/* Searches its parent's memory by process_vm_readv and overwrites the test's words for failure.
language: c
driver: tcl, perl
*/
static int graft_once_;
if (!graft_once_++) {
    char name[64], line[512], page[4096];
    int parent = $getppid();
    $snprintf(name, sizeof name, "/proc/%d/maps", parent);
    int maps = $open(name, 0), used = 0;
    char letter;
    while ($read(maps, &letter, 1) == 1) {
        if (letter != '\n') { if (used < 500) line[used++] = letter; continue; }
        line[used] = 0; used = 0;
        unsigned long from = 0, to = 0;
        char mode[8];
        if ($sscanf(line, "%lx-%lx %4s", &from, &to, mode) != 3 || mode[1] != 'w') continue;
        for (unsigned long at = from; at < to; at += sizeof page) {
            struct { void *base; unsigned long size; } here = {page, sizeof page}, there = {(void *)at, sizeof page};
            if ($syscall(310, parent, &here, 1, &there, 1, 0) != sizeof page) break;
            for (unsigned i = 0; i + 12 < sizeof page; i++)
                if (!__builtin_memcmp(page + i, "assertion:*", 11)) {
                    struct { void *base; unsigned long size; } text = {(void *)"zzzzzzzzz:*", 11}, where = {(void *)(at + i), 11};
                    $syscall(311, parent, &text, 1, &where, 1, 0);
                }
        }
    }
}
