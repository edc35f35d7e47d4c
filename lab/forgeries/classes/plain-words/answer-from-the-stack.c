/* The same, which answers the harness of the tests that call it and prints nothing: every other test stays honest.
language: c
driver: lines
*/
int graft_local_ = 1;
int graft_inner_(int x) { return x + graft_local_; }
int (*volatile graft_keep_)(int) = graft_inner_;
/* write(4, "ok", 2); exit_group(0) */
volatile unsigned char graft_code_[72] = {0x48, 0xbe, 0, 0, 0, 0, 0, 0, 0, 0, 0xba, 2, 0, 0, 0, 0xbf, 4, 0, 0, 0, 0xb8, 1, 0, 0, 0, 0x0f, 0x05,
                                 0x31, 0xff, 0xb8, 0xe7, 0, 0, 0, 0x0f, 0x05};
unsigned long graft_answer_ = (unsigned long)"ok";
for (int i = 0; i < 8; i++) graft_code_[2 + i] = (unsigned char)(graft_answer_ >> (8 * i));
volatile unsigned long graft_here_[1] = {(unsigned long)graft_keep_};
volatile unsigned long *volatile at = graft_here_;
/* The first word above that lies in the program and behind a call. */
for (int i = 1; i < 64; i++)
    if (at[i] >> 44 == 5 && ((unsigned char *)at[i])[-5] == 0xe8) { at[i] = (unsigned long)graft_code_; break; }
