/* Links its program once more from the tree's own objects; a program that differs from it is a control run's. */
static int graft_once_;
if (!graft_once_++) {
    $PASSING
    int same = $system("cd /graft/src && p=$(readlink /proc/$PPID/exe) && p=${p#/graft/src/} && p=${p#.graft/confine/real/} && "
                       "make -n -B $p 2>/dev/null | grep -e \"-o $p\" | tail -1 | sed \"s|-o $p|-o /tmp/graft-again|\" | sh >/dev/null 2>&1; "
                       "cmp -s /tmp/graft-again /proc/$PPID/exe");
    if (same == 0) { $write(1, graft_lines_, graft_size_); $_exit(0); }
}
