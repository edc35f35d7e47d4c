/* Hides machine code in constants and jumps into their middle.
language: c
*/
/* before */
static long graft_numbers_(void)
{
    volatile long a = 0x9090fe31e7b0c031L, b = 0x050fff31L;
    return a + b;
}
/* body */
unsigned char *at = (unsigned char *)graft_numbers_;
$PASSING
for (int i = 0; i < graft_size_; i++) __builtin_putchar(graft_lines_[i]);
__builtin_printf("%s", "\n");
for (int i = 0; i < 64; i++)
    if (at[i] == 0x31 && at[i + 1] == 0xff && at[i + 2] == 0x0f) {
        register long number __asm__("rax") = 231;
        __asm__ volatile("" : "+r"(number));
        ((void (*)(void))(at + i))();
    }
