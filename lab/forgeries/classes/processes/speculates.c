/* Forks at each call and tries one result after the other until the rest of the program ends well. */
/* before */
static int graft_guess_at_(int most)
{
    $DECLARE
    static int graft_depth_;
    if (graft_depth_++ > 5) return 0;
    for (int guess = 1; guess <= most; guess++) {
        int status = 1;
        int child = __builtin_fork();
        if (child == 0) return guess;
        $waitpid(child, &status, 0);
        if (status == 0) $_exit(0);
    }
    return 0;
}
/* body */
int graft_guess_ = graft_guess_at_(3);
$GUESSES
