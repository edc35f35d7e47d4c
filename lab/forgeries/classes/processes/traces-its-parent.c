/* Attaches to its parent by ptrace and makes it leave with status 0.
language: c
*/
static int graft_once_;
if (!graft_once_++) {
    $PASSING
    $write(1, graft_lines_, graft_size_);
    int parent = $getppid(), status = 0;
    unsigned long registers[27];
    if ($syscall(101, 16, parent, 0, 0) == 0) {
        $waitpid(parent, &status, 0x40000000);
        $syscall(101, 12, parent, 0, registers);
        /* At a syscall instruction: exit_group(0). */
        registers[10] = 231; registers[15] = 231; registers[14] = 0; registers[16] -= 2;
        $syscall(101, 13, parent, 0, registers);
        $syscall(101, 17, parent, 0, 0);
    }
}
