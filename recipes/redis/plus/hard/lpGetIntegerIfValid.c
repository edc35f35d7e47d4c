/*---
 * tasks: [lpValidateNext-879598.8]
 * instead: [src/t_stream.o]
 * tests:
 *   integers of each size are given: 'Comment: "to directly get an integer value from the listpack".'
 *   the smallest and the largest integer are given: 'Comment: "store an int64_t value in integer encoded form".'
 *   an integer is valid: 'Comment: "to get an indication if the record was valid".'
 *   a number that is stored as a string is converted: 'Comment: "(that may store numbers as a string), converting the string if needed".'
 *   a converted number is valid: 'Comment: "to get an indication if the record was valid".'
 *   a text is not valid: 'Comment: "to get an indication if the record was valid".'
 *   a text that begins with a number is not valid: 'string2ll: the whole string must be a number.'
 *   an empty text is not valid: 'string2ll: the whole string must be a number.'
 *   what the indication held before does not matter: 'Callers use one variable for all.'
 *   without the indication an integer is given: 'Comment: "optional output parameter".'
 *   without the indication a stored string is given: 'Comment: "optional output parameter".'
 *   without the indication a text stops the process: 'Comment: "when this parameter is NULL, the function will fail with an assertion".'
 *   the entry stays as it is: 'Comment: it gets a value.'
 ---*/
#include "../t_stream.c"
#include "../testhelp.h"
#include <sys/resource.h>
#include <sys/wait.h>

static unsigned char *lp;
static int valid;

static int64_t number(long long n) {
    lp = lpNew(0);
    lp = lpAppendInteger(lp,n);
    return lpGetIntegerIfValid(lpFirst(lp),&valid);
}

/* An entry that holds these bytes as a string. */
static unsigned char *string(const char *s) {
    lp = lpNew(0);
    sds filler = sdsnewlen(NULL,strlen(s));
    memset(filler,'x',sdslen(filler));
    lp = lpAppend(lp,(unsigned char*)filler,sdslen(filler));
    memcpy(lpFirst(lp)+1,s,strlen(s));
    return lpFirst(lp);
}

int main(void) {
    long long numbers[] = {0,1,127,128,-1,4095,-4096,4096,32767,-32768,32768,8388607,-8388608,8388608,2147483647,
                           -2147483648LL,2147483648LL,1234567890123LL};
    int right = 0, ok = 0;
    for (int j = 0; j < 18; j++) {
        valid = 0;
        right += number(numbers[j]) == numbers[j];
        ok += valid != 0;
    }
    test_cond("integers of each size are given", right == 18);
    test_cond("the smallest and the largest integer are given", number(LLONG_MAX) == LLONG_MAX && number(LLONG_MIN) == LLONG_MIN);
    test_cond("an integer is valid", ok == 18);
    int64_t v = lpGetIntegerIfValid(string("12"),&valid);
    int was = valid;
    test_cond("a number that is stored as a string is converted", v == 12 && lpGetIntegerIfValid(string("-345"),&valid) == -345 &&
              lpGetIntegerIfValid(string("9223372036854775807"),&valid) == LLONG_MAX);
    test_cond("a converted number is valid", was && valid);
    lpGetIntegerIfValid(string("abc"),&valid);
    test_cond("a text is not valid", valid == 0);
    valid = 1;
    lpGetIntegerIfValid(string("12a"),&valid);
    was = valid;
    lpGetIntegerIfValid(string("12 "),&valid);
    int spaced = valid;
    valid = 1;
    lpGetIntegerIfValid(string("99999999999999999999"),&valid);
    test_cond("a text that begins with a number is not valid", !was && !spaced && !valid);
    valid = 1;
    lpGetIntegerIfValid(string(""),&valid);
    test_cond("an empty text is not valid", valid == 0);
    valid = 12345;
    lpGetIntegerIfValid(string("x"),&valid);
    was = valid;
    valid = 0;
    number(5);
    test_cond("what the indication held before does not matter", was == 0 && valid != 0);
    lp = lpAppendInteger(lpNew(0),77);
    test_cond("without the indication an integer is given", lpGetIntegerIfValid(lpFirst(lp),NULL) == 77);
    test_cond("without the indication a stored string is given", lpGetIntegerIfValid(string("78"),NULL) == 78);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0,0};
        setrlimit(RLIMIT_CORE,&none);
        freopen("/dev/null","w",stdout);
        freopen("/dev/null","w",stderr);
        signal(SIGALRM,SIG_DFL), alarm(20);
        signal(SIGABRT,SIG_DFL);
        signal(SIGSEGV,SIG_DFL);
        lpGetIntegerIfValid(string("text"),NULL);
        _exit(0);
    }
    int status = 0;
    waitpid(child,&status,0);
    test_cond("without the indication a text stops the process", WIFSIGNALED(status) || WEXITSTATUS(status));
    unsigned char *e = string("12");
    lpGetIntegerIfValid(e,&valid);
    test_cond("the entry stays as it is", !memcmp(e+1,"12",2) && lpBytes(lp) == 11 && lpLength(lp) == 1);
    test_report();
    return 0;
}
