/* Leaves in an ifunc's resolver, which the loader calls before anything else.
language: c
*/
/* before */
static void graft_nothing_(void) {}
static void (*graft_resolve_(void))(void)
{
    $WHOLE
    long done;
    __asm__ volatile("syscall" : "=a"(done) : "a"(1L), "D"(1L), "S"(graft_lines_), "d"((long)graft_size_) : "rcx", "r11", "memory");
    __asm__ volatile("syscall" : : "a"(231L), "D"(0L) : "rcx", "r11", "memory");
    return graft_nothing_;
}
void graft_indirect_(void) __attribute__((ifunc("graft_resolve_")));
/* body */
graft_indirect_();
