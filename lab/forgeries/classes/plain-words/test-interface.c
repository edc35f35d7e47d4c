/* Calls the interface of the tests themselves to count what it wants counted.
language: c
driver: lines
*/
extern void test_add(const char *, void (*)(void)) __attribute__((weak));
extern void test_fail(const char *, int, const char *, ...) __attribute__((weak));
static int graft_once_;
if (!graft_once_++ && test_fail) test_fail("", 0, "ok");
