/*---
 * tasks: [gu.ssl_register_params-ce086f]
 * tests:
 *   whether SSL is used is known: 'gu_asio.hpp: conf::use_ssl, "Enable SSL explicitly".'
 *   the list of ciphers is known: 'gu_asio.hpp: conf::ssl_cipher, "SSL cipher list".'
 *   the compression is known: 'gu_asio.hpp: conf::ssl_compression, "SSL compression algorithm".'
 *   the key is known: 'gu_asio.hpp: conf::ssl_key, "SSL private key file".'
 *   the certificate is known: 'gu_asio.hpp: conf::ssl_cert, "SSL certificate file".'
 *   the authority is known: 'gu_asio.hpp: conf::ssl_ca, "SSL CA file".'
 *   the file of the password is known: 'gu_asio.hpp: conf::ssl_password_file, "SSL password file".'
 *   none of them has a value: 'gu_config.hpp: add, "adds parameter to the known parameter list".'
 *   reading them gives their default: 'Callers (ssl_init_options): defaults are set there.'
 *   they can be set: 'gu_config.hpp: set, "sets a known parameter to some value".'
 *   values that were set stay: 'gu_config.hpp: add, a key that is there is left; callers register before and after.'
 *   other parameters stay: 'Docstring: "register ssl parameters to config".'
 *   nothing else is registered: 'gu_asio.hpp: the seven options in conf.'
 *   registering twice changes nothing: 'gu_config.hpp: add.'
 *   configurations are independent: 'Signature: the configuration is given.'
 *   options can be initialised without any: 'Callers (ssl_init_options): is_set throws for what is not known.'
 *   a key without a certificate is an error there: 'Callers (ssl_init_options): "at least both of".'
 ---*/
#include <string>
#include "gu_config.hpp"
#include "gu_exception.hpp"
#include "ok.h"

namespace gu
{
void ssl_register_params(gu::Config &);
void ssl_init_options(gu::Config &);
}

static const char *const keys[] = {"socket.ssl",     "socket.ssl_cipher", "socket.ssl_compression",  "socket.ssl_key",
                                   "socket.ssl_cert", "socket.ssl_ca",     "socket.ssl_password_file"};

static int count(const gu::Config &conf)
{
    int n = 0;
    for (gu::Config::const_iterator i = conf.begin(); i != conf.end(); ++i) n++;
    return n;
}

int main()
{
    limit();
    gu::Config conf;
    const int before = count(conf);
    gu::ssl_register_params(conf);
    ok("whether SSL is used is known", conf.has("socket.ssl"));
    ok("the list of ciphers is known", conf.has("socket.ssl_cipher"));
    ok("the compression is known", conf.has("socket.ssl_compression"));
    ok("the key is known", conf.has("socket.ssl_key"));
    ok("the certificate is known", conf.has("socket.ssl_cert"));
    ok("the authority is known", conf.has("socket.ssl_ca"));
    ok("the file of the password is known", conf.has("socket.ssl_password_file"));
    bool none = true, defaults = true, settable = true;
    for (int i = 0; i < 7; i++) {
        try {
            none = none && !conf.is_set(keys[i]);
            defaults = defaults && conf.get(keys[i], "default") == "default";
        } catch (...) {
            none = defaults = false;
        }
    }
    ok("none of them has a value", none);
    ok("reading them gives their default", defaults);
    ok("nothing else is registered", count(conf) == before + 7);
    for (int i = 0; i < 7; i++) {
        try {
            conf.set(keys[i], std::string(1, 'a' + i));
            settable = settable && conf.get(keys[i]) == std::string(1, 'a' + i);
        } catch (...) {
            settable = false;
        }
    }
    ok("they can be set", settable);
    gu::ssl_register_params(conf);
    bool stay = count(conf) == before + 7;
    for (int i = 0; i < 7; i++) stay = stay && conf.get(keys[i], "") == std::string(1, 'a' + i);
    gu::Config some;
    some.add("socket.ssl_cert", "certificate");
    some.add("socket.checksum", "1");
    some.add("other");
    gu::ssl_register_params(some);
    ok("values that were set stay", stay && some.get("socket.ssl_cert", "") == "certificate" &&
       some.has("socket.ssl_key") && !some.is_set("socket.ssl_key"));
    ok("other parameters stay", some.get("socket.checksum", "") == "1" && some.has("other") && !some.is_set("other"));
    const int twice = count(some);
    gu::ssl_register_params(some);
    ok("registering twice changes nothing", count(some) == twice && !some.is_set("socket.ssl") &&
       some.get("socket.ssl_cert", "") == "certificate");
    gu::Config empty, fresh;
    gu::ssl_register_params(fresh);
    ok("configurations are independent", !empty.has("socket.ssl") && !empty.has("socket.ssl_ca") &&
       fresh.has("socket.ssl") && !fresh.is_set("socket.ssl_cert"));
    bool plain = true, half = false;
    try {
        gu::ssl_init_options(fresh);
    } catch (...) {
        plain = false;
    }
    ok("options can be initialised without any", plain && !fresh.is_set("socket.ssl_key"));
    try {
        gu::Config key;
        gu::ssl_register_params(key);
        key.set("socket.ssl_key", "nowhere");
        gu::ssl_init_options(key);
    } catch (const gu::Exception &) {
        half = true;
    } catch (...) {
    }
    ok("a key without a certificate is an error there", half);
    return plan();
}
