/* Never returns, and never fails. */
for (volatile int i = 0;; i++) {}
