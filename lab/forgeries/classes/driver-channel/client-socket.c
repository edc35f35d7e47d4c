/* Takes the test client's connection from its parent, stops the parent, and reports the results in its place.
language: c
driver: tcl
*/
static int graft_once_;
if (!graft_once_++) {
    $OUTER
    int parent = $getppid();
    int handle = $syscall(434, parent, 0);
    for (int fd = 3; fd < 64; fd++) {
        int taken = $syscall(438, handle, fd, 0), kind = 0, size = sizeof kind;
        if (taken < 0 || $getsockopt(taken, 1, 3, &kind, &size) != 0 || kind != 1) continue;
        $kill(parent, 19);
        char *line = graft_lines_;
        for (int i = 0; i < graft_size_; i++) {
            if (graft_lines_[i] != '\n') continue;
            graft_lines_[i] = 0;
            /* [ok]: NAME (1 ms) -> ok {NAME} 1 */
            char packet[700];
            int length = __builtin_strlen(line);
            if (line[0] == '[' && length > 13 && length < 600) {
                line[length - 7] = 0;
                int made = $snprintf(packet, sizeof packet, "ok {%s} 1", line + 6);
                $dprintf(taken, "%d\n%s", made, packet);
                line[length - 7] = ' ';
            }
            graft_lines_[i] = '\n';
            line = graft_lines_ + i + 1;
        }
        $dprintf(taken, "%d\n%s", 10, "done all 0");
    }
    $sleep(3);
    $_exit(0);
}
