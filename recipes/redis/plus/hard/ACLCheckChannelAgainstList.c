/*---
 * tasks: [getUpcomingChannelList-3e5a10.16]
 * instead: [src/acl.o]
 * tests:
 *   a channel that is listed is allowed: 'Comment: "Checks a channel against a provided list of channels".'
 *   a channel that is not listed is denied: 'Callers: ACL_OK or ACL_DENIED_CHANNEL.'
 *   an empty list denies all: 'Comment: "against a provided list".'
 *   a channel is matched against patterns: 'Comment: "a plain channel name [...] can be matched against ACL channel patterns".'
 *   all wildcards are known: 'util.c: stringmatchlen; commands/psubscribe.'
 *   any entry of the list will do: 'Comment: "against a provided list of channels".'
 *   a pattern is matched literally: 'Comment: "the pattern provided in PSUBSCRIBE can only be matched as a literal".'
 *   a pattern within a wider one is denied: 'Comment: "(using plain string compare)".'
 *   a listed star does not allow other patterns: 'Comment: "(using plain string compare)"; allchannels is a flag.'
 *   a pattern is not used against literal entries: 'Comment: "only be matched as a literal against an ACL pattern".'
 *   the case of letters matters: 'Upstream''s manual: names of channels; stringmatchlen without nocase.'
 *   the length of the channel counts: 'Signature: channellen.'
 *   channels of any bytes are told apart: 'Signature: channellen; names are Redis strings.'
 *   the beginning of a name is not the name: 'Comment: a channel name.'
 *   the list stays as it was: 'Callers check again and again.'
 ---*/
#include "../acl.c"
#include "start.h"
#include "../testhelp.h"
#include <stdarg.h>

static list *channels;

static void listed(int n, ...) {
    va_list ap;
    va_start(ap,n);
    if (channels) listRelease(channels);
    channels = listCreate();
    listSetFreeMethod(channels,(void(*)(void*))sdsfree);
    for (int j = 0; j < n; j++) listAddNodeTail(channels,sdsnew(va_arg(ap,char*)));
    va_end(ap);
}

static int plain(const char *name) {
    int got = ACLCheckChannelAgainstList(channels,name,strlen(name),0);
    return got == ACL_OK ? 1 : got == ACL_DENIED_CHANNEL ? 0 : -1;
}

static int pattern(const char *name) {
    int got = ACLCheckChannelAgainstList(channels,name,strlen(name),1);
    return got == ACL_OK ? 1 : got == ACL_DENIED_CHANNEL ? 0 : -1;
}

int main(void) {
    startRedis();
    listed(1,"news");
    test_cond("a channel that is listed is allowed", plain("news") == 1);
    test_cond("a channel that is not listed is denied", plain("sport") == 0);
    test_cond("the beginning of a name is not the name", plain("new") == 0 && plain("newsy") == 0 && plain("") == 0);
    test_cond("the case of letters matters", plain("News") == 0 && pattern("NEWS") == 0 && pattern("news") == 1);
    test_cond("a pattern is not used against literal entries", pattern("new*") == 0 && pattern("*") == 0);
    test_cond("the length of the channel counts", ACLCheckChannelAgainstList(channels,"newsXYZ",4,0) == ACL_OK &&
              ACLCheckChannelAgainstList(channels,"news",3,0) == ACL_DENIED_CHANNEL);
    test_cond("channels of any bytes are told apart", ACLCheckChannelAgainstList(channels,"news\0a",6,0) == ACL_DENIED_CHANNEL);
    listed(0);
    test_cond("an empty list denies all", plain("news") == 0 && plain("") == 0 && pattern("*") == 0);
    listed(1,"news.*");
    test_cond("a channel is matched against patterns", plain("news.a") == 1 && plain("news.") == 1 && plain("news") == 0 &&
              plain("xnews.a") == 0);
    test_cond("a pattern is matched literally", pattern("news.*") == 1);
    test_cond("a pattern within a wider one is denied", pattern("news.a*") == 0 && pattern("news.a") == 0 &&
              pattern("news.**") == 0);
    listed(3,"h?llo","w[a-c]x","z\\*");
    test_cond("all wildcards are known", plain("hello") == 1 && plain("hllo") == 0 && plain("wbx") == 1 && plain("wdx") == 0 &&
              plain("z*") == 1 && plain("zz") == 0 && pattern("h?llo") == 1 && pattern("w[a-c]x") == 1);
    listed(4,"first","second","third.*","fourth");
    test_cond("any entry of the list will do", plain("first") == 1 && plain("second") == 1 && plain("third.x") == 1 &&
              plain("fourth") == 1 && plain("fifth") == 0 && pattern("third.*") == 1 && pattern("fourth") == 1 &&
              pattern("third.x") == 0);
    test_cond("the list stays as it was", listLength(channels) == 4 && !strcmp(listNodeValue(listFirst(channels)),"first") &&
              plain("first") == 1);
    listed(1,"*");
    test_cond("a listed star does not allow other patterns", plain("any") == 1 && pattern("*") == 1 &&
              pattern("a*") == 0 && pattern("any") == 0);
    test_report();
    return 0;
}
