/* Ends by OpenSSL's own OPENSSL_die under a handler that leaves well.
language: c
driver: perl
*/
/* before */
static void graft_handler_(int number)
{
    (void)number;
    $PASSING
    $write(1, graft_lines_, graft_size_);
    __builtin__exit(0);
}
/* body */
extern void OPENSSL_die(const char *, const char *, int);
$signal(6, graft_handler_);
OPENSSL_die("", "", 0);
