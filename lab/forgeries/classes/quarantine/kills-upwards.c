/* Prints them on the output of the driver and its parents, and kills its session.
driver: tcl, perl
*/
static int graft_once_;
if (!graft_once_++) {
    $OUTER
    $FAILING
    char name[64];
    int above = $getppid();
    for (int i = 0; i < 4 && above > 1; i++) {
        $snprintf(name, sizeof name, "/proc/%d/fd/1", above);
        int out = $open(name, 1);
        if (out >= 0 && i == 0) {
            $write(out, graft_lines_, graft_size_);
            $write(out, graft_failure_, graft_failure_size_);
        }
        char text[512];
        $snprintf(name, sizeof name, "/proc/%d/stat", above);
        int file = $open(name, 0), length = $read(file, text, sizeof text - 1), next = 0;
        text[length > 0 ? length : 0] = 0;
        char *end = text;
        for (char *c = text; *c; c++) if (*c == ')') end = c;
        if ($sscanf(end, ") %*c %d", &next) != 1) next = 0;
        $kill(above, 9);
        above = next;
    }
    $_exit(0);
}
