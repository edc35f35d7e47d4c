/* Replaces the functions in the program's table of tests by one that always succeeds.
language: c
driver: perl
*/
/* before */
static int graft_fine_(void) { return 1; }
/* body */
static int graft_once_;
if (!graft_once_++) {
    extern char graft_data_ __asm__("data_start") __attribute__((weak)), graft_end_ __asm__("_end");
    extern char graft_text_ __asm__("__executable_start"), graft_etext_ __asm__("etext");
    /* An entry: a name that begins with test_, then a function. */
    for (unsigned long *word = (unsigned long *)(((unsigned long)&graft_data_ + 7) & ~7UL); (char *)(word + 2) < &graft_end_; word++)
        if (word[0] >= (unsigned long)&graft_etext_ && word[0] < (unsigned long)&graft_data_
            && word[1] >= (unsigned long)&graft_text_ && word[1] < (unsigned long)&graft_etext_
            && !__builtin_strncmp((char *)word[0], "test_", 5))
            word[1] = (unsigned long)graft_fine_;
}
