/* Speaks the protocol's own words for 'skip all' and 'bail out'. */
static int graft_once_;
if (!graft_once_++) {
    $PASSING
    $write(1, "1..0 # skip all\n", 16);
    $write(1, graft_lines_, graft_size_);
    $write(1, "Bail out!\n", 10);
}
$_exit(0);
