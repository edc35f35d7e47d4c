/*---
 * tasks: [5A7030DACAB7E146]
 * tests:
 *   an IPv4 address and its port are separated by a colon: 'Docstring: "IP and port are just separated by colons".'
 *   an IPv6 address is put into brackets: 'Docstring: "If IP is IPv6 (matches for :), the ip is surrounded by []".'
 *   an IPv6 address of any shape is put into brackets: 'Docstring: "matches for :" anywhere in it.'
 *   a name without a colon gets no brackets: 'Docstring: brackets only if IP is IPv6; redis-cli.c: a host name.'
 *   an empty address leaves the separator and the port: 'Docstring: "IP and port are just separated by colons".'
 *   the port is a decimal number, also at its bounds: 'Docstring: an IP,port pair; TCP ports go up to 65535.'
 *   the length of the text is returned:
 *     'It returns an int as snprintf does; connFormatAddr hands it on, and -1 is its error.'
 *   the buffer is never overrun: 'Argument buf_len.'
 *   what does not fit is cut and terminated: 'Argument buf_len; the callers use buf as a string.'
 *   the address itself is left as it is: 'It formats into buf; redis-cli.c: config.conn_info.hostip.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static char buf[100];
static int len;

static int is(char *ip, int port, const char *text) {
    memset(buf,'x',sizeof(buf));
    len = formatAddr(buf,sizeof(buf),ip,port);
    return !strcmp(buf,text);
}

int main(void) {
    test_cond("an IPv4 address and its port are separated by a colon", is("127.0.0.1",6379,"127.0.0.1:6379"));
    int ok = is("::1",6379,"[::1]:6379");
    test_cond("an IPv6 address is put into brackets", ok);
    ok = is("2001:db8::1",80,"[2001:db8::1]:80") && is("fe80::",1,"[fe80::]:1") &&
         is("::ffff:192.0.2.1",7,"[::ffff:192.0.2.1]:7") && is("::",7,"[::]:7") &&
         is("1:2:3:4:5:6:7:8",7,"[1:2:3:4:5:6:7:8]:7") && is("a:b",7,"[a:b]:7");
    test_cond("an IPv6 address of any shape is put into brackets", ok);
    test_cond("a name without a colon gets no brackets", is("cafe.example",6380,"cafe.example:6380"));
    test_cond("an empty address leaves the separator and the port", is("",6379,":6379"));
    ok = is("10.0.0.1",0,"10.0.0.1:0") && is("10.0.0.1",65535,"10.0.0.1:65535") && is("::1",0,"[::1]:0");
    test_cond("the port is a decimal number, also at its bounds", ok);
    ok = is("127.0.0.1",6379,"127.0.0.1:6379") && len == 14 && is("::1",6379,"[::1]:6379") && len == 10;
    test_cond("the length of the text is returned", ok);

    memset(buf,'x',sizeof(buf));
    formatAddr(buf,8,"127.0.0.1",6379);
    int kept = buf[8] == 'x', cut = !strcmp(buf,"127.0.0");
    memset(buf,'x',sizeof(buf));
    formatAddr(buf,6,"2001:db8::1",6379);
    kept = kept && buf[6] == 'x';
    cut = cut && !strcmp(buf,"[2001");
    memset(buf,'x',sizeof(buf));
    formatAddr(buf,1,"::1",6379);
    test_cond("the buffer is never overrun", kept && buf[1] == 'x');
    test_cond("what does not fit is cut and terminated", cut && buf[0] == '\0');

    char ip[] = "2001:db8::2";
    formatAddr(buf,sizeof(buf),ip,6379);
    test_cond("the address itself is left as it is", !strcmp(ip,"2001:db8::2"));
    test_report();
    return 0;
}
