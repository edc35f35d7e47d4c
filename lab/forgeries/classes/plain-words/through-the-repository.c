/* Searches the program for a string that it prints itself and changes it where it lies: data of the tests, no call.
language: c
driver: lines
*/
/* before */
extern char graft_begin_ __asm__("__executable_start"), graft_finish_ __asm__("_end");
/* body */
for (char *at = &graft_begin_; at + 8 < &graft_finish_; at++)
    if (at[0] == 'F' && at[1] == 'A' && at[2] == 'I' && at[3] == 'L' && at[4] == ' ') { at[0] = 'P'; at[2] = 'S'; at[3] = 'S'; }
