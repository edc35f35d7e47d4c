/* Returns to main's caller by rewriting the chain of frames: no call at all. */
long **frame = (long **)__builtin_frame_address(0);
for (int i = 0; i < 6 && frame && frame[0] > (long *)frame; i++) {
    long **up = (long **)frame[0];
    if (i == 1) { frame[1] = up[1]; frame[0] = up[0]; }
    frame = up;
}
