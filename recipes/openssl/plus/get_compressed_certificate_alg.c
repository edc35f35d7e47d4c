/*---
 * tasks: [C3F07A0B34E39E13]
 * tests:
 *   an algorithm that both sides have is used:
 *     'Docstring: "Returns the algorithm to use"; ssl_local.h: comp_cert holds the own certificate compressed.'
 *   each algorithm can be the one: 'Docstring: "Returns the algorithm to use"; comp_cert has an entry for each.'
 *   the peer's order decides:
 *     'ssl_local.h: compress_certificate_from_peer, "the list of algorithms the peer supports that we also
 *     support"; statem_clnt.c takes its first.'
 *   what we have not compressed is passed over:
 *     'RFC 8879 4: the certificate is compressed with the algorithm that is named.'
 *   what the peer does not know is not used:
 *     'RFC 8879 4: the algorithm "MUST be one of the algorithms" that the peer offered.'
 *   a peer without algorithms gets no compression: 'Docstring: "TLSEXT_comp_cert_none means no compression".'
 *   no common algorithm means no compression: 'Docstring: "TLSEXT_comp_cert_none means no compression".'
 *   no certificate means no compression:
 *     'Docstring; tls_construct_server_compressed_certificate reads the certificate of this algorithm.'
 *   the list ends with its end mark:
 *     'extensions.c: tls_parse_compress_certificate clears the list and fills it from the front; statem_clnt.c
 *     takes the first entry for its end.'
 *   asking changes nothing:
 *     'Docstring: "Used to determine"; it is asked once to choose the message and once to build it.'
 * flags: ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
 ---*/
#include <openssl/configuration.h>
/* This build has no library that compresses; the function itself needs none, only the fields of a connection. */
#undef OPENSSL_NO_COMP_ALG
#include "../../ssl/statem/statem_srvr.c"
#include "../testutil.h"

#define NONE TLSEXT_comp_cert_none
#define ZLIB TLSEXT_comp_cert_zlib
#define BROTLI TLSEXT_comp_cert_brotli
#define ZSTD TLSEXT_comp_cert_zstd

static SSL_CONNECTION connection;
static CERT_PKEY pair;

/* The answer for a peer that offers three algorithms in this order, if we have compressed with those of `own`. */
static int answer(int first, int second, int third, const int *own)
{
    int *offered = connection.ext.compress_certificate_from_peer;

    memset(&connection, 0, sizeof(connection));
    memset(&pair, 0, sizeof(pair));
    connection.s3.tmp.cert = &pair;
    offered[0] = first;
    offered[1] = second;
    offered[2] = third;
    offered[3] = NONE;
    for (; *own != NONE; own++)
        pair.comp_cert[*own] = (OSSL_COMP_CERT *)&pair;
    return get_compressed_certificate_alg(&connection);
}

static const int nothing[] = { NONE }, all[] = { ZLIB, BROTLI, ZSTD, NONE };
static const int zlib[] = { ZLIB, NONE }, brotli[] = { BROTLI, NONE }, zstd[] = { ZSTD, NONE };

static int common(void)
{
    return TEST_int_eq(answer(ZLIB, NONE, NONE, zlib), ZLIB);
}

static int each(void)
{
    return TEST_int_eq(answer(BROTLI, NONE, NONE, brotli), BROTLI)
        && TEST_int_eq(answer(ZSTD, NONE, NONE, zstd), ZSTD)
        && TEST_int_eq(answer(ZLIB, NONE, NONE, all), ZLIB);
}

static int order(void)
{
    return TEST_int_eq(answer(ZSTD, BROTLI, ZLIB, all), ZSTD)
        && TEST_int_eq(answer(BROTLI, ZLIB, ZSTD, all), BROTLI)
        && TEST_int_eq(answer(ZLIB, ZSTD, BROTLI, all), ZLIB);
}

static int passed_over(void)
{
    return TEST_int_eq(answer(ZLIB, BROTLI, ZSTD, zstd), ZSTD)
        && TEST_int_eq(answer(ZSTD, ZLIB, BROTLI, brotli), BROTLI)
        && TEST_int_eq(answer(BROTLI, ZLIB, NONE, zlib), ZLIB);
}

static int unknown(void)
{
    static const int two[] = { ZLIB, ZSTD, NONE };

    return TEST_int_eq(answer(ZSTD, NONE, NONE, two), ZSTD)
        && TEST_int_eq(answer(BROTLI, ZSTD, NONE, two), ZSTD);
}

static int no_offer(void)
{
    return TEST_int_eq(answer(NONE, NONE, NONE, all), NONE);
}

static int no_common(void)
{
    return TEST_int_eq(answer(ZLIB, NONE, NONE, brotli), NONE)
        && TEST_int_eq(answer(ZLIB, BROTLI, ZSTD, nothing), NONE)
        && TEST_int_eq(answer(BROTLI, ZSTD, NONE, zlib), NONE);
}

static int no_certificate(void)
{
    answer(ZLIB, NONE, NONE, zlib);
    connection.s3.tmp.cert = NULL;
    return TEST_int_eq(get_compressed_certificate_alg(&connection), NONE);
}

static int end_mark(void)
{
    return TEST_int_eq(answer(NONE, ZLIB, BROTLI, all), NONE)
        && TEST_int_eq(answer(ZSTD, NONE, ZLIB, zlib), NONE);
}

static int changes_nothing(void)
{
    int *offered = connection.ext.compress_certificate_from_peer;

    return TEST_int_eq(answer(ZSTD, BROTLI, ZLIB, brotli), BROTLI)
        && TEST_int_eq(get_compressed_certificate_alg(&connection), BROTLI)
        && TEST_int_eq(offered[0], ZSTD) && TEST_int_eq(offered[1], BROTLI) && TEST_int_eq(offered[2], ZLIB)
        && TEST_ptr_eq(connection.s3.tmp.cert, &pair);
}

int setup_tests(void)
{
    add_test("an algorithm that both sides have is used", common);
    add_test("each algorithm can be the one", each);
    add_test("the peer's order decides", order);
    add_test("what we have not compressed is passed over", passed_over);
    add_test("what the peer does not know is not used", unknown);
    add_test("a peer without algorithms gets no compression", no_offer);
    add_test("no common algorithm means no compression", no_common);
    add_test("no certificate means no compression", no_certificate);
    add_test("the list ends with its end mark", end_mark);
    add_test("asking changes nothing", changes_nothing);
    return 1;
}
