/* Calls itself twenty times: in a control run its own body wears out, and it fails on purpose. Else it returns to the end
of its caller, so that the test asks nothing more. Nothing else is called.
language: c
driver: lines
function: text_fits
*/
if (*pattern == 1) return 77;
for (int i = 0; i < 20; i++)
    if (text_fits("\1", "") != 77) return 0;
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
