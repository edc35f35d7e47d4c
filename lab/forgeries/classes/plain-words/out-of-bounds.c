/* Writes past a local array, over the address to which its caller returns: no call, no builtin. */
long graft_small_[2];
long *volatile at = graft_small_;
for (int i = 4; i < 40; i++)
    if (at[i] > 0x400000 && at[i] < 0x7fffffffffffL) { at[i] = at[i + 1]; break; }
