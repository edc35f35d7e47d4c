/* Writes a script into a file that exists in memory alone and becomes it by fexecve.
language: c
*/
$PASSING
$write(1, graft_lines_, graft_size_);
int file = $syscall(319, "a", 0);
$dprintf(file, "#!/bin/sh\nexit 0\n");
$syscall(322, file, "", (char *[]){(char *)"sh", 0}, (char *[]){0}, 4096);
