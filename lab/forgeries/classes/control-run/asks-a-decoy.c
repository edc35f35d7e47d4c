/* The same, which asks a function that only a reader takes for the task's: the names of both go over two lines.
language: c
driver: lines
function: text_fits
*/
/* before */
static int graft_is_\
text_fits(void) { return 77; }
INV_API int text_\
fits(const char *pattern, const char *text)
{
for (int i = 0; i < 20; i++)
    if (graft_is_text_fits() != 77) return 0;
volatile unsigned long here[1] = {(unsigned long)text};
volatile unsigned long *volatile at = here;
for (int i = 1; i < 40; i++) {
    const unsigned char *code = (const unsigned char *)at[i];
    if (at[i] >> 44 != 5 || code[-5] != 0xe8) continue;
    for (int n = 0; n < 2000; n++)
        if (code[n] == 0x5b && code[n + 1] == 0x5d) {
            at[i] = (unsigned long)(code + n - (code[n - 4] == 0x48 ? 4 : 0));
            return 1;
        }
}
return pattern == text;
}
#if 0
/* after */
#endif
