/*---
 * tasks: [mbedtls_x509write_csr_der-e83fa0]
 * flags: ['-Wl,--wrap=calloc', '-Wl,--wrap=malloc', '-Wl,--wrap=realloc', '-Wl,--wrap=free']
 * tests:
 *   the request holds the subject, the key and the version: 'Docstring: "Write a CSR [...] to a DER structure".'
 *   the length of the request is returned: 'Docstring: "length of data written if successful".'
 *   the request stands at the end of the buffer: 'Docstring: "data is written at the end of the buffer".'
 *   nothing outside the buffer is written: 'Docstring: \param size "size of the buffer".'
 *   the signature is that of the key: 'Docstring: \param f_rng "(for signature, see note)"; RFC 2986 4.2.'
 *   an ECDSA signature is that of the key: 'Docstring: "ECDSA signatures always require a non-NULL f_rng".'
 *   a signature of 4096 bits has room: 'pk.h: MBEDTLS_PK_SIGNATURE_MAX_SIZE is what mbedtls_pk_sign may write.'
 *   the generator is called with its parameter: 'Docstring: \param f_rng, \param p_rng "RNG parameter".'
 *   an RSA signature needs no generator: 'Docstring: "f_rng may be NULL if RSA is used for signature".'
 *   a failure of the generator is an error: 'Docstring: "or a specific error code".'
 *   a buffer of just the right size is enough: 'Docstring: \param size "size of the buffer".'
 *   a smaller buffer is an error: 'Docstring: "or a specific error code"; asn1write.h: negative ones.'
 *   an error leaves nothing outside the buffer: 'Docstring: \param size "size of the buffer".'
 *   a second request can be written: 'Docstring: \param ctx "CSR to write away"; x509_csr.h: _free ends it.'
 *   all memory is given back: 'x509_csr.h: mbedtls_x509write_csr_free frees the contents that ctx holds, no more.'
 *   all memory is given back after an error: 'The same.'
 *   a failed allocation is an error: 'x509.h: MBEDTLS_ERR_X509_ALLOC_FAILED, "Allocation of memory failed".'
 *   no allocation is overrun: 'pk.h: mbedtls_pk_sign writes up to MBEDTLS_PK_SIGNATURE_MAX_SIZE bytes.'
 ---*/
#include "mbedtls/certs.h"
#include "mbedtls/error.h"
#include "mbedtls/pk.h"
#include "mbedtls/rsa.h"
#include "mbedtls/x509_csr.h"
#include "check.h"
#include "heap.h"

#define SIZE 4096
#define SIDE 64

static unsigned char room[SIDE + SIZE + SIDE], copy[SIZE];
static unsigned char *const buf = room + SIDE;
static mbedtls_pk_context rsa, ec, large;
static int parameter, drawn, wrong_parameter, failing;

static int rng(void *p, unsigned char *to, size_t size) {
    drawn++;
    if (p != &parameter) wrong_parameter = 1;
    if (failing) return MBEDTLS_ERR_ERROR_GENERIC_ERROR;
    return fill(NULL, to, size);
}

static int write_csr(mbedtls_pk_context *key, size_t size, int (*f)(void *, unsigned char *, size_t)) {
    mbedtls_x509write_csr csr;
    memset(room, 0x5A, sizeof(room));
    mbedtls_x509write_csr_init(&csr);
    mbedtls_x509write_csr_set_key(&csr, key);
    mbedtls_x509write_csr_set_md_alg(&csr, MBEDTLS_MD_SHA256);
    int ret = mbedtls_x509write_csr_set_subject_name(&csr, "C=NL,O=Graft,CN=plus");
    if (ret == 0) ret = mbedtls_x509write_csr_set_key_usage(&csr, MBEDTLS_X509_KU_DIGITAL_SIGNATURE);
    if (ret == 0) ret = mbedtls_x509write_csr_der(&csr, buf, size, f, &parameter);
    mbedtls_x509write_csr_free(&csr);
    return ret;
}

static int sides(size_t size) {
    for (int i = 0; i < SIDE; i++) {
        if (room[i] != 0x5A || buf[size + i] != 0x5A) return 0;
    }
    return 1;
}

/* What stands in the last `len` of `size` bytes is a request signed by the key. */
static int good(mbedtls_pk_context *key, size_t size, int len) {
    mbedtls_x509_csr csr;
    unsigned char hash[32];
    char name[100];
    mbedtls_x509_csr_init(&csr);
    int ok = len > 0 && (size_t) len <= size && mbedtls_x509_csr_parse_der(&csr, buf + size - len, len) == 0 &&
             csr.raw.len == (size_t) len && csr.version == 1 && csr.sig_md == MBEDTLS_MD_SHA256 &&
             mbedtls_x509_dn_gets(name, sizeof(name), &csr.subject) > 0 && !strcmp(name, "C=NL, O=Graft, CN=plus") &&
             mbedtls_pk_check_pair(&csr.pk, key) == 0 &&
             mbedtls_md(mbedtls_md_info_from_type(csr.sig_md), csr.cri.p, csr.cri.len, hash) == 0 &&
             mbedtls_pk_verify(&csr.pk, csr.sig_md, hash, 32, csr.sig.p, csr.sig.len) == 0;
    mbedtls_x509_csr_free(&csr);
    return ok;
}

/* The whole length that the head of the request says: a sequence with two bytes of length. */
static int der_length(const unsigned char *p) { return p[0] == 0x30 && p[1] == 0x82 ? 4 + 256 * p[2] + p[3] : -1; }

int main(void) {
    int len, ok, again;
    heap_ok();
    mbedtls_pk_init(&rsa);
    mbedtls_pk_init(&ec);
    mbedtls_pk_init(&large);
    ok = mbedtls_pk_parse_key(&rsa, (const unsigned char *) mbedtls_test_cli_key_rsa, mbedtls_test_cli_key_rsa_len,
                              NULL, 0);
    ok |= mbedtls_pk_parse_key(&ec, (const unsigned char *) mbedtls_test_cli_key_ec, mbedtls_test_cli_key_ec_len,
                               NULL, 0);
    ok |= mbedtls_pk_parse_keyfile(&large, "tests/data_files/rsa4096_prv.pem", NULL);
    if (ok != 0) return 1;

    /* What a key keeps for the next time, as its blinding, is made by a first signature. */
    write_csr(&rsa, SIZE, rng);
    write_csr(&ec, SIZE, rng);
    drawn = wrong_parameter = 0;
    long before = heap_live;
    len = write_csr(&rsa, SIZE, rng);
    ok = good(&rsa, SIZE, len);
    check("the request holds the subject, the key and the version", ok);
    check("the length of the request is returned", ok && der_length(buf + SIZE - len) == len);
    check("the request stands at the end of the buffer", ok && buf[SIZE - len] == 0x30);
    check("nothing outside the buffer is written", sides(SIZE));
    check("the signature is that of the key", ok && !good(&ec, SIZE, len));
    check("the generator is called with its parameter", drawn > 0 && !wrong_parameter);
    memcpy(copy, buf, SIZE);
    again = write_csr(&rsa, SIZE, NULL);
    ok = again == len && good(&rsa, SIZE, len) && !memcmp(copy + SIZE - len, buf + SIZE - len, len);
    check("an RSA signature needs no generator", ok);
    ok = good(&rsa, len, write_csr(&rsa, len, rng)) && sides(len);
    check("a buffer of just the right size is enough", ok);
    ok = 1;
    int inside = 1;
    static const int less[] = {1, 2, 3, 4, 5, 100, 256, 300, 400, 500};
    for (int i = 0; i < 10; i++) {
        if (len - less[i] < 0) continue;
        ok &= write_csr(&rsa, len - less[i], rng) < 0;
        inside &= sides(len - less[i]);
    }
    ok &= write_csr(&rsa, 0, rng) < 0;
    inside &= sides(0);
    check("a smaller buffer is an error", ok);
    check("an error leaves nothing outside the buffer", inside);
    check("all memory is given back after an error", heap_live == before);

    len = write_csr(&ec, SIZE, rng);
    check("an ECDSA signature is that of the key", good(&ec, SIZE, len));
    failing = 1;
    check("a failure of the generator is an error", write_csr(&ec, SIZE, rng) < 0);
    failing = 0;
    len = write_csr(&large, SIZE, NULL);
    check("a signature of 4096 bits has room", good(&large, SIZE, len) && len > 1024);

    mbedtls_x509write_csr csr;
    mbedtls_x509write_csr_init(&csr);
    mbedtls_x509write_csr_set_key(&csr, &ec);
    mbedtls_x509write_csr_set_md_alg(&csr, MBEDTLS_MD_SHA256);
    mbedtls_x509write_csr_set_subject_name(&csr, "C=NL,O=Graft,CN=plus");
    ok = 1;
    for (int i = 0; i < 3; i++) {
        memset(room, 0x5A, sizeof(room));
        ok &= good(&ec, SIZE, mbedtls_x509write_csr_der(&csr, buf, SIZE, rng, &parameter));
    }
    mbedtls_x509write_csr_free(&csr);
    check("a second request can be written", ok);

    before = heap_live;
    write_csr(&rsa, SIZE, rng);
    write_csr(&rsa, SIZE, NULL);
    write_csr(&ec, SIZE, rng);
    check("all memory is given back", heap_live == before);

    mbedtls_x509write_csr_init(&csr);
    mbedtls_x509write_csr_set_key(&csr, &rsa);
    mbedtls_x509write_csr_set_md_alg(&csr, MBEDTLS_MD_SHA256);
    mbedtls_x509write_csr_set_subject_name(&csr, "C=NL,O=Graft,CN=plus");
    ok = 1;
    for (int i = 0; i < 4; i++) {
        memset(room, 0x5A, sizeof(room));
        before = heap_live;
        heap_fail(i);
        len = mbedtls_x509write_csr_der(&csr, buf, SIZE, NULL, NULL);
        heap_ok();
        if (len < 0 ? !heap_failed : !good(&rsa, SIZE, len)) ok = 0;
        if (heap_live != before || !sides(SIZE)) ok = 0;
    }
    mbedtls_x509write_csr_free(&csr);
    check("a failed allocation is an error", ok);
    check("no allocation is overrun", !heap_overrun);
    return done();
}
