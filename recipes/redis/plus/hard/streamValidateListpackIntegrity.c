/*---
 * tasks: [lpValidateNext-879598.8]
 * tests:
 *   what XADD and XDEL make is valid: 'Comment: "the structure of the entries matches a valid stream. return 1 if valid".'
 *   an entry with the fields of the master is valid: 't_stream.c: STREAM_ITEM_FLAG_SAMEFIELDS, "Same fields as master entry".'
 *   an entry with other fields is valid: 't_stream.c, streamAppendItem: num-fields and names follow the id.'
 *   no entry at all is valid: 't_stream.c: count and deleted are 0.'
 *   deleted entries are counted: 't_stream.c: "the total number of items actually inside the listpack (both deleted and not) is count+deleted".'
 *   without deep only the header matters: 'Comment in the body: "In non-deep mode we just validated the listpack header".'
 *   a wrong size is not valid: 'Comment: "in term of a valid listpack".'
 *   a listpack without its end is not valid: 'Comment: "in term of a valid listpack".'
 *   a broken entry of the listpack is not valid: 'Comment: "Both in term of a valid listpack".'
 *   an empty listpack is not valid: 't_stream.c: a master entry is the first.'
 *   a master entry that is cut off is not valid: 't_stream.c: count, deleted, num-fields, fields, 0.'
 *   numbers of the master that are texts are not valid: 'lpGetIntegerIfValid; t_stream.c: these are numbers.'
 *   a master entry without its 0 is not valid: 'Comment in the body: "the zero master entry terminator".'
 *   more fields than there are is not valid: 't_stream.c: num-fields.'
 *   an entry that is cut off is not valid: 't_stream.c: flags, ids, values, lp-count.'
 *   flags and ids that are texts are not valid: 't_stream.c: flags and differences of the id are numbers.'
 *   a wrong lp-count is not valid: 't_stream.c: lp-count, "number of elements composing the entry".'
 *   a wrong number of fields of an entry is not valid: 't_stream.c: num-fields of an entry.'
 *   more entries than counted are not valid: 't_stream.c: count and deleted.'
 *   fewer entries than counted are not valid: 't_stream.c: count and deleted.'
 *   something behind the entries is not valid: 'Body: the last entry is followed by the end.'
 *   texts as fields and values may be numbers: 'XADD takes any strings.'
 *   the listpack stays as it is: 'Comment: it validates.'
 ---*/
#include "start.h"
#include "../stream.h"
#include "../testhelp.h"

int streamValidateListpackIntegrity(unsigned char *lp, size_t size, int deep);

/* A listpack of these words, which are separated by blanks. Numbers become numbers. */
static unsigned char *make(const char *words) {
    int n = 0;
    sds *parts = sdssplitlen(words,strlen(words)," ",1,&n);
    unsigned char *lp = lpNew(0);
    for (int j = 0; j < n; j++) if (sdslen(parts[j])) lp = lpAppend(lp,(unsigned char*)parts[j],sdslen(parts[j]));
    sdsfreesplitres(parts,n);
    return lp;
}

static int valid(const char *words) {
    unsigned char *lp = make(words);
    int ret = streamValidateListpackIntegrity(lp,lpBytes(lp),1);
    lpFree(lp);
    return ret;
}

#define M "1 0 1 f 0 "            /* A master entry with a field, and one entry. */
#define E "2 0 0 v 4 "            /* An entry with the same field. */
#define O "0 5 1 2 a b va vb 8 "  /* An entry with two fields of its own. */

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(20);
    test_cond("an entry with the fields of the master is valid", valid(M E) == 1 && valid("1 0 3 a b c 0 2 0 0 x y z 6") == 1 &&
              valid("3 0 1 f 0 " E E E) == 1);
    test_cond("an entry with other fields is valid", valid(M O) == 1 && valid("2 0 1 f 0 " E O) == 1 &&
              valid("2 0 2 f g 0 " "0 0 0 1 x y 6 " "2 1 0 v w 5") == 1);
    test_cond("no entry at all is valid", valid("0 0 1 f 0") == 1);
    test_cond("deleted entries are counted", valid("1 1 1 f 0 3 0 0 v 4 " E) == 1 && valid("0 2 1 f 0 3 0 0 v 4 3 1 0 v 4") == 1 &&
              valid("1 0 1 f 0 3 0 0 v 4 " E) == 0 && valid("1 1 1 f 0 " E) == 0);
    test_cond("texts as fields and values may be numbers", valid("1 0 1 77 0 2 0 0 -5 4") == 1 &&
              valid("1 0 0 0 0 0 0 1 0 0 6") == 1);
    unsigned char *lp = make("total nonsense 1 2 3");
    test_cond("without deep only the header matters", streamValidateListpackIntegrity(lp,lpBytes(lp),0) == 1 &&
              streamValidateListpackIntegrity(lp,lpBytes(lp),1) == 0);
    lp = make(M E);
    size_t size = lpBytes(lp);
    test_cond("a wrong size is not valid", !streamValidateListpackIntegrity(lp,size-1,0) &&
              !streamValidateListpackIntegrity(lp,size+1,0) && !streamValidateListpackIntegrity(lp,size-1,1) &&
              !streamValidateListpackIntegrity(lp,6,1));
    lp[size-1] = 0;
    test_cond("a listpack without its end is not valid", !streamValidateListpackIntegrity(lp,size,0) &&
              !streamValidateListpackIntegrity(lp,size,1));
    lp[size-1] = 0xff;
    int broken = 0;
    for (int j = 1; j < 10; j++) {
        unsigned char *e = lpSeek(lp,j);
        e[-1] ^= 1;
        broken += !streamValidateListpackIntegrity(lp,size,1) && streamValidateListpackIntegrity(lp,size,0);
        e[-1] ^= 1;
    }
    lp[size-2] ^= 1;
    broken += !streamValidateListpackIntegrity(lp,size,1);
    lp[size-2] ^= 1;
    test_cond("a broken entry of the listpack is not valid", broken == 10 && streamValidateListpackIntegrity(lp,size,1) == 1);
    unsigned char *copy = zmalloc(size);
    memcpy(copy,lp,size);
    streamValidateListpackIntegrity(lp,size,1);
    test_cond("the listpack stays as it is", !memcmp(copy,lp,size));
    test_cond("an empty listpack is not valid", !valid(""));
    test_cond("a master entry that is cut off is not valid", !valid("1") && !valid("1 0") && !valid("1 0 1") &&
              !valid("1 0 1 f") && !valid("0 0 1 f") && !valid("0 0") && !valid("0"));
    test_cond("numbers of the master that are texts are not valid", !valid("x 0 1 f 0 " E) && !valid("1 x 1 f 0 " E) &&
              !valid("1 0 x f 0 " E));
    test_cond("a master entry without its 0 is not valid", !valid("1 0 1 f 1 " E) && !valid("1 0 1 f x " E) &&
              !valid("1 0 1 f " E));
    test_cond("more fields than there are is not valid", !valid("1 0 2 f 0 " E) && !valid("1 0 9999999999 f 0 " E) &&
              !valid("1 0 0 f 0 " E) && !valid("0 0 5 f 0"));
    test_cond("an entry that is cut off is not valid", !valid(M) && !valid(M "2") && !valid(M "2 0") && !valid(M "2 0 0") &&
              !valid(M "2 0 0 v") && !valid(M "0 5 1 2 a b va vb") && !valid(M "0 5 1 2 a b va") && !valid(M "0 5 1 2 a") &&
              !valid(M "0 5 1 2") && !valid(M "0 5 1"));
    test_cond("flags and ids that are texts are not valid", !valid(M "x 0 0 v 4") && !valid(M "2 x 0 v 4") &&
              !valid(M "2 0 x v 4") && !valid(M "0 5 x 2 a b va vb 8"));
    test_cond("a wrong lp-count is not valid", !valid(M "2 0 0 v 3") && !valid(M "2 0 0 v 5") && !valid(M "2 0 0 v x") &&
              !valid(M "0 5 1 2 a b va vb 7") && !valid(M "0 5 1 2 a b va vb 5") && !valid("2 0 1 f 0 " E "2 0 0 v 0"));
    test_cond("a wrong number of fields of an entry is not valid", !valid(M "0 5 1 1 a b va vb 8") &&
              !valid(M "0 5 1 3 a b va vb 8") && !valid(M "0 5 1 x a b va vb 8") && !valid(M "0 0 0 v 4"));
    test_cond("more entries than counted are not valid", !valid(M E E) && !valid("0 0 1 f 0 " E) && !valid(M E O));
    test_cond("fewer entries than counted are not valid", !valid("2 0 1 f 0 " E) && !valid("1 1 1 f 0 " E) &&
              !valid("1000000000000 0 1 f 0 " E) && !valid("0 1 1 f 0"));
    test_cond("something behind the entries is not valid", !valid(M E "0") && !valid(M E "x") && !valid("0 0 1 f 0 0"));

    client *c = fakeClient();
    const char *adds[][7] = {{"xadd","s","1-1","f","v","g","w"},{"xadd","s","2-1","f","12","g","x"},
                             {"xadd","s","2-2","h","1","f","a long value that is no number at all"},
                             {"xadd","s","9-0","f","","g","1"}};
    for (int j = 0; j < 4; j++) {
        setArguments(c,7,adds[j]);
        c->cmd->proc(c);
    }
    const char *del[] = {"xdel","s","2-1"};
    setArguments(c,3,del);
    c->cmd->proc(c);
    sds key = sdsnew("s");
    stream *s = ((robj*)dictGetVal(dbFind(c->db,key)))->ptr;
    raxIterator ri;
    raxStart(&ri,s->rax);
    raxSeek(&ri,"^",NULL,0);
    int nodes = 0, ok = 1;
    while (raxNext(&ri)) {
        nodes++;
        ok &= streamValidateListpackIntegrity(ri.data,lpBytes(ri.data),1) == 1;
        ok &= streamValidateListpackIntegrity(ri.data,lpBytes(ri.data),0) == 1;
    }
    raxStop(&ri);
    test_cond("what XADD and XDEL make is valid", nodes == 1 && s->length == 3 && ok);
    test_report();
    return 0;
}
