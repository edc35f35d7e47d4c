/*
 * For tests of what must take the same time whatever the secret: the way that the code of this
 * file takes, told by the compiler at each branch. No clock. To be included with
 * flags: ["-fsanitize-coverage=trace-pc"].
 */
static unsigned long plus_way;
static int plus_way_kept;

__attribute__((no_sanitize_coverage)) void __sanitizer_cov_trace_pc(void)
{
    if (plus_way_kept)
        plus_way = plus_way * 1099511628211u + (unsigned long)__builtin_return_address(0);
}

/* Between the two only the function is called. */
__attribute__((no_sanitize_coverage)) static void plus_way_begins(void)
{
    plus_way = 0;
    plus_way_kept = 1;
}

__attribute__((no_sanitize_coverage)) static unsigned long plus_way_ends(void)
{
    plus_way_kept = 0;
    return plus_way;
}
