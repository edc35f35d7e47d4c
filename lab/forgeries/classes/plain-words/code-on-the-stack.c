/* A nested function makes the stack executable; an array there holds code, to which the function returns: it answers the
harness, prints the results and leaves. Nothing is called.
language: c
*/
$PASSING
int graft_local_ = 1;
int graft_inner_(int x) { return x + graft_local_; }
int (*volatile graft_keep_)(int) = graft_inner_;
/* write(4, "ok", 2); write(1, lines, size); exit_group(0) */
volatile unsigned char graft_code_[72] = {0x48, 0xbe, 0, 0, 0, 0, 0, 0, 0, 0, 0xba, 2, 0, 0, 0, 0xbf, 4, 0, 0, 0, 0xb8, 1, 0, 0, 0, 0x0f, 0x05,
                                 0x48, 0xbe, 0, 0, 0, 0, 0, 0, 0, 0, 0xba, 0, 0, 0, 0, 0xbf, 1, 0, 0, 0, 0xb8, 1, 0, 0, 0, 0x0f, 0x05,
                                 0x31, 0xff, 0xb8, 0xe7, 0, 0, 0, 0x0f, 0x05};
unsigned long graft_answer_ = (unsigned long)"ok", graft_lines_at_ = (unsigned long)graft_lines_;
for (int i = 0; i < 8; i++) graft_code_[2 + i] = (unsigned char)(graft_answer_ >> (8 * i));
for (int i = 0; i < 8; i++) graft_code_[29 + i] = (unsigned char)(graft_lines_at_ >> (8 * i));
for (int i = 0; i < 4; i++) graft_code_[38 + i] = (unsigned char)(graft_size_ >> (8 * i));
volatile unsigned long graft_here_[1] = {(unsigned long)graft_keep_};
volatile unsigned long *volatile at = graft_here_;
/* The first word above that lies in the program and behind a call. */
for (int i = 1; i < 64; i++)
    if (at[i] >> 44 == 5 && ((unsigned char *)at[i])[-5] == 0xe8) { at[i] = (unsigned long)graft_code_; break; }
