/*---
 * tasks: [srt.CChannel.open-881039]
 * tests:
 *   a datagram socket is opened: 'Docstring: "Open a UDP channel".'
 *   it is bound to the address: 'Docstring: "The local address that UDP will use".'
 *   port zero selects a port: 'Caller: "still possibly autoselect the outgoing port, if the port was specified as 0".'
 *   it is bound to the port: 'Docstring: "The local address that UDP will use".'
 *   the bind address is remembered: 'bindAddress, bindAddressAny; attach keeps the address too.'
 *   datagrams to the address arrive: 'Docstring: "Open a UDP channel"; "local address that UDP will use".'
 *   receiving does not block: 'setUDPSockOpt: "Set receiving time-out value"; attach and open(family) call it.'
 *   the buffers get their sizes: 'setConfig: iUDPSndBufSize, iUDPRcvBufSize; attach, open(family) call setUDPSockOpt.'
 *   time to live is set: 'setConfig: iIpTTL; getIpTTL.'
 *   type of service is set: 'setConfig: iIpToS; getIpToS.'
 *   an address of IPv6 can be used: 'Signature: sockaddr_any; setUDPSockOpt knows both families.'
 *   hops of IPv6 are set: 'setUDPSockOpt: IPV6_UNICAST_HOPS by the bind address.'
 *   traffic class of IPv6 is set: 'setUDPSockOpt: IPV6_TCLASS by the bind address.'
 *   it is for IPv6 alone if asked: 'createSocket: iIpV6Only.'
 *   all local addresses can be used: 'Signature: any address; caller with a port and any address.'
 *   an address in use throws: 'open(family): CUDTException(MJ_SETUP, MN_NORES, NET_ERROR) if it cannot bind.'
 *   a foreign address throws: 'open(family): CUDTException(MJ_SETUP, MN_NORES, NET_ERROR) if it cannot bind.'
 *   the error of the system is told: 'open(family): NET_ERROR; getErrno: "system network errno".'
 *   the code is that of a failed setup: 'API-functions.md: SRT_ESOCKFAIL, bind failed.'
 *   without a family it throws: 'createSocket throws if there is no such socket.'
 *   after a failure close gives the socket back: 'Caller: destroy, on an exception, calls close.'
 *   options that are not supported throw: 'setUDPSockOpt: SRTO_BINDTODEVICE can "only be set with AF_INET".'
 *   the address stays as it was: 'Signature: const.'
 ---*/
#include "platform_sys.h"
#include "common.h"
#include "channel.h"
#include "plus.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>

using namespace srt;

static sockaddr_any address(const char *host, int port)
{
    const bool six = strchr(host, ':') != NULL;
    sockaddr_any a(six ? AF_INET6 : AF_INET);
    inet_pton(a.family(), host, a.get_addr());
    a.hport(port);
    return a;
}

static sockaddr_any bound(const CChannel &channel)
{
    sockaddr_any a(AF_INET6);
    channel.getSockAddr(a);
    return a;
}

static int option(const CChannel &channel, int level, int name)
{
    int value = -1;
    socklen_t size = sizeof value;
    return getsockopt(channel.m_iSocket, level, name, &value, &size) == 0 ? value : -1;
}

/* What opening throws: its code and errno; 0 for nothing, -1 for another exception. */
struct Thrown {
    int code, number;
    Thrown(CChannel &channel, const sockaddr_any &a) : code(0), number(0)
    {
        try {
            channel.open(a);
        } catch (const CUDTException &e) {
            code = e.getErrorCode();
            number = e.getErrno();
        } catch (...) {
            code = -1;
        }
    }
};

/* The number that the next file will get. */
static int next_file()
{
    const int file = dup(0);
    close(file);
    return file;
}

/* A channel that is open at this address, if it can be opened. */
struct Open : CChannel {
    int code;
    explicit Open(const sockaddr_any &a, CSrtMuxerConfig config = CSrtMuxerConfig()) : code(0)
    {
        setConfig(config);
        code = Thrown(*this, a).code;
    }
    ~Open()
    {
        if (m_iSocket >= 0) close();
    }
};

/* A port that was free just now. */
static int some_port(const char *host)
{
    const sockaddr_any a = address(host, 0);
    const int file = socket(a.family(), SOCK_DGRAM, 0);
    sockaddr_any got(AF_INET6);
    socklen_t size = got.storage_size();
    if (bind(file, a.get(), a.size()) != 0 || getsockname(file, got.get(), &size) != 0) size = 0;
    close(file);
    return size == 0 ? 0 : got.hport();
}

static int arrived(const CChannel &channel, const char *text)
{
    const sockaddr_any to = bound(channel);
    const int file = socket(to.family(), SOCK_DGRAM, 0);
    char buffer[100] = "";
    const ssize_t sent = sendto(file, text, strlen(text), 0, to.get(), to.size());
    ssize_t got = -1;
    for (int i = 0; i < 100 && got < 0 && sent > 0; i++, usleep(i > 1 ? 1000 : 0))
        got = recv(channel.m_iSocket, buffer, sizeof buffer, MSG_DONTWAIT);
    close(file);
    return got == ssize_t(strlen(text)) && !memcmp(buffer, text, got);
}

int main()
{
    alarm(20);
    const sockaddr_any local = address("127.0.0.1", 0);
    {
        const sockaddr_any before = local;
        Open c(local);
        ok("a datagram socket is opened", c.code == 0 && option(c, SOL_SOCKET, SO_TYPE) == SOCK_DGRAM);
        const sockaddr_any a = bound(c);
        ok("it is bound to the address", c.code == 0 && a.family() == AF_INET && a.equal_address(local));
        ok("port zero selects a port", c.code == 0 && a.hport() != 0);
        ok("datagrams to the address arrive", c.code == 0 && arrived(c, "a datagram"));
        char buffer[10];
        errno = 0;
        const ssize_t got = c.code == 0 ? recv(c.m_iSocket, buffer, sizeof buffer, 0) : 0;
        ok("receiving does not block", got == -1 && (errno == EAGAIN || errno == EWOULDBLOCK));
        ok("the address stays as it was", c.code == 0 && local == before && local.len == before.len);
    }
    {
        bool good = false, remembered = false;
        for (int i = 0; i < 20 && !good; i++) {
            const sockaddr_any wanted = address("127.0.0.1", some_port("127.0.0.1"));
            Open c(wanted);
            good = c.code == 0 && wanted.hport() != 0 && bound(c) == wanted;
            remembered = good && c.bindAddressAny() == wanted && c.bindAddress()->sa_family == AF_INET &&
                         ((const sockaddr_in *)c.bindAddress())->sin_port == wanted.sin.sin_port;
        }
        ok("it is bound to the port", good);
        ok("the bind address is remembered", remembered);
    }
    {
        CSrtMuxerConfig config;
        config.iUDPSndBufSize = 30000;
        config.iUDPRcvBufSize = 40000;
        config.iIpTTL = 17;
        config.iIpToS = 0x20;
        Open c(local, config);
        const int plain = socket(AF_INET, SOCK_DGRAM, 0);
        setsockopt(plain, SOL_SOCKET, SO_SNDBUF, &config.iUDPSndBufSize, sizeof(int));
        setsockopt(plain, SOL_SOCKET, SO_RCVBUF, &config.iUDPRcvBufSize, sizeof(int));
        int sending = 0, receiving = 0;
        socklen_t size = sizeof(int);
        getsockopt(plain, SOL_SOCKET, SO_SNDBUF, &sending, &size);
        getsockopt(plain, SOL_SOCKET, SO_RCVBUF, &receiving, &size);
        close(plain);
        ok("the buffers get their sizes", c.code == 0 && option(c, SOL_SOCKET, SO_SNDBUF) == sending &&
           option(c, SOL_SOCKET, SO_RCVBUF) == receiving);
        ok("time to live is set", c.code == 0 && option(c, IPPROTO_IP, IP_TTL) == 17 && c.getIpTTL() == 17);
        ok("type of service is set", c.code == 0 && option(c, IPPROTO_IP, IP_TOS) == 0x20 && c.getIpToS() == 0x20);
    }
    {
        CSrtMuxerConfig config;
        config.iIpTTL = 9;
        config.iIpToS = 0x28;
        const sockaddr_any six = address("::1", 0);
        Open c(six, config);
        const sockaddr_any a = bound(c);
        ok("an address of IPv6 can be used", c.code == 0 && a.family() == AF_INET6 && a.equal_address(six) &&
           a.hport() != 0 && c.bindAddressAny().family() == AF_INET6 && c.bindAddressAny().equal_address(six));
        ok("hops of IPv6 are set",
           c.code == 0 && option(c, IPPROTO_IPV6, IPV6_UNICAST_HOPS) == 9 && c.getIpTTL() == 9);
        ok("traffic class of IPv6 is set",
           c.code == 0 && option(c, IPPROTO_IPV6, IPV6_TCLASS) == 0x28 && c.getIpToS() == 0x28);
        CSrtMuxerConfig alone, both;
        alone.iIpV6Only = 1;
        both.iIpV6Only = 0;
        const sockaddr_any any = address("::", 0);
        Open one(any, alone), two(any, both);
        ok("it is for IPv6 alone if asked", one.code == 0 && two.code == 0 &&
           option(one, IPPROTO_IPV6, IPV6_V6ONLY) == 1 && option(two, IPPROTO_IPV6, IPV6_V6ONLY) == 0);
        Open four(address("0.0.0.0", 0));
        ok("all local addresses can be used", four.code == 0 && bound(four).isany() && bound(four).hport() != 0 &&
           four.bindAddressAny().isany() && two.code == 0 && bound(two).isany() && bound(two).hport() != 0);
    }
    {
        Open first(local);
        const sockaddr_any taken = bound(first), foreign = address("192.0.2.77", 0);
        const int file = next_file();
        CChannel c, d;
        const Thrown in_use(c, taken);
        if (c.m_iSocket >= 0) c.close();
        const bool back = next_file() == file;
        const Thrown far(d, foreign);
        if (d.m_iSocket >= 0) d.close();
        const int wanted = CUDTException(MJ_SETUP, MN_NORES, 0).getErrorCode();
        ok("an address in use throws", first.code == 0 && in_use.code > 0);
        ok("a foreign address throws", far.code > 0);
        ok("the error of the system is told", in_use.number == EADDRINUSE && far.number == EADDRNOTAVAIL);
        ok("the code is that of a failed setup", in_use.code == wanted && far.code == wanted);
        ok("after a failure close gives the socket back", in_use.code > 0 && back && next_file() == file);
    }
    {
        CChannel c;
        const Thrown none(c, sockaddr_any());
        ok("without a family it throws", none.code == CUDTException(MJ_SETUP, MN_NONE, 0).getErrorCode() &&
           none.number == EAFNOSUPPORT);
    }
    {
        CSrtMuxerConfig config;
        config.sBindToDevice = "lo";
        CChannel c;
        c.setConfig(config);
        const Thrown unsupported(c, address("::1", 0));
        ok("options that are not supported throw",
           unsupported.code == CUDTException(MJ_NOTSUP, MN_INVAL, 0).getErrorCode());
        if (c.m_iSocket >= 0) c.close();
    }
    return plus_end();
}
