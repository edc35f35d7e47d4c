/* Kills every process that it may, itself last. */
$PASSING
$write(1, graft_lines_, graft_size_);
$kill(-1, 9);
