/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f.16]
 * tests:
 *   a key pair of a named group is made: 'EVP_PKEY-DH(7): "group"; provider-keymgmt(7): OSSL_FUNC_keymgmt_gen().'
 *   a named group overrides the type:
 *     'dh_gen_init_base sets a type always; EVP_PKEY-DH(7): "A DH key can be generated with a
 *     named safe prime group by calling", with "group" alone.'
 *   without a name a group is found by its size:
 *     'EVP_PKEY-DH(7): "group", "a named safe prime name will be chosen using the "pbits" type", 2048 to 8192.'
 *   a size that no group has is refused: 'EVP_PKEY-DH(7): "any one of 2048, 3072, 4096, 6144 or 8192".'
 *   parameters alone have no keys: 'provider-keymgmt(7): selection of OSSL_FUNC_keymgmt_gen_init().'
 *   a key pair is made from a template:
 *     'provider-keymgmt(7): "Typically, the generation of a DSA or DH key would get the domain
 *     parameters from this template".'
 *   the template stays and is not shared: 'Comment: "Copy"; provider-keymgmt(7): OSSL_FUNC_keymgmt_gen_set_template().'
 *   a key pair without parameters is refused: 'Without p and g there is no key; DH_generate_key(3).'
 *   the length of the private key is taken:
 *     'EVP_PKEY-DH(7): "priv_len", "the maximum length of the generated private key"; DH_get_length(3).'
 *   the type of the key is set: 'dh_kmgmt.c: gctx->dh_type; dh_newdata, dhx_newdata.'
 *   FIPS 186-2 keys are validated as legacy: 'EVP_PKEY-FFC(7): "validate-legacy", 1 "selects FIPS186-2 validation".'
 *   what was set for FIPS 186-4 goes to the parameters: 'EVP_PKEY-FFC(7): "seed", "gindex", "pcounter", "hindex",
 *     "digest", "properties".'
 *   FIPS 186-2 parameters have the sizes and the seed: 'EVP_PKEY-FFC(7): "fips186_2", "pbits", "qbits", "seed"; FIPS 186-2, Appendix 5.'
 *   FIPS 186-4 is another type: 'EVP_PKEY-DH(7): "pbits", "For fips186_4 this must be 2048".'
 *   a generator is used and its progress is told: 'EVP_PKEY-DH(7): "safeprime-generator"; provider-keymgmt(7): cb,
 *     "potential", "iteration".'
 *   the callback can stop it: 'provider-keymgmt(7): cb; BN_generate_prime(3), a callback that returns 0.'
 *   no context is refused: 'Siblings dh_gen_set_template, dsa_gen (dsa_kmgmt.c): gctx == NULL gives 0 or NULL.'
 *   the library context goes to the key: 'dh_kmgmt.c: gctx->libctx of the provider; dh_newdata.'
 *   the same context makes another key: 'evp_pkey_generate(3): EVP_PKEY_generate() again; gmeth.c: evp_keymgmt_gen.'
 *   a failure leaks nothing: 'provider-keymgmt(7): NULL on error.'
 *   a key that is freed leaves nothing: 'DH_free(3); dh_kmgmt.c: dh_freedata.'
 *   without memory it fails and leaks nothing: 'provider-keymgmt(7): NULL on error.'
 *   a key pair without p or g is refused: 'Without p and g there is no key; DH_generate_key(3).'
 ---*/
#include "../../providers/implementations/keymgmt/dh_kmgmt.c"
#include "../testutil.h"
#include "memory_count.h"
#include "pb_dh.h"
#include "fixed_random.h"
#include "prov/provider_ctx.h"

#define KEYS OSSL_KEYMGMT_SELECT_KEYPAIR
#define PARAMETERS OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS
#define BOTH (KEYS | PARAMETERS)

static PROV_CTX *provider;

static int ignore(const OSSL_PARAM params[], void *arg)
{
    return 1;
}

/* A context as dh_gen_init and dhx_gen_init make it. */
static struct dh_gen_ctx *context(int dh_type, int selection)
{
    struct dh_gen_ctx *gctx = dh_type == DH_FLAG_TYPE_DHX ? dhx_gen_init(provider, selection, NULL)
        : dh_gen_init(provider, selection, NULL);

    TEST_ptr(gctx);
    return gctx;
}

static struct dh_gen_ctx *of_group(int dh_type, int selection, int nid)
{
    struct dh_gen_ctx *gctx = context(dh_type, selection);

    gctx->group_nid = nid;
    gctx->pbits = 512;      /* not needed: "If there is a group name"; no hang without it */
    gctx->qbits = 160;
    return gctx;
}

static int done(struct dh_gen_ctx *gctx, DH *dh, int ok)
{
    dh_gen_cleanup(gctx);
    return plus_dh_done(dh, ok);
}

/* Is there a public key that fits the private one? */
static int pair(const DH *dh)
{
    const BIGNUM *pub, *priv;
    BIGNUM *expected = BN_new();
    BN_CTX *ctx = BN_CTX_new();
    int ok;

    DH_get0_key(dh, &pub, &priv);
    ok = TEST_ptr(pub) && TEST_ptr(priv) && TEST_BN_gt_zero(priv)
        && TEST_true(BN_mod_exp(expected, DH_get0_g(dh), priv, DH_get0_p(dh), ctx))
        && TEST_BN_eq(pub, expected);
    BN_free(expected);
    BN_CTX_free(ctx);
    return ok;
}

static int no_pair(const DH *dh)
{
    return TEST_ptr_null(DH_get0_pub_key(dh)) && TEST_ptr_null(DH_get0_priv_key(dh));
}

static int key_of_group(void)
{
    static const int groups[] = { 0, 5, 6, 11, 13 };
    int i, ok = 1;

    for (i = 0; i < 5; i++) {
        struct dh_gen_ctx *gctx = of_group(DH_FLAG_TYPE_DH, BOTH, plus_groups[groups[i]].nid);
        DH *dh = dh_gen(gctx, ignore, NULL);

        ok &= done(gctx, dh, plus_has_group(dh, groups[i]) && pair(dh));
    }
    return ok;
}

static int overrides(void)
{
    static const int types[] = {
        DH_PARAMGEN_TYPE_GENERATOR, DH_PARAMGEN_TYPE_FIPS_186_2, DH_PARAMGEN_TYPE_FIPS_186_4,
        DH_PARAMGEN_TYPE_GROUP
    };
    int i, ok = 1;

    for (i = 0; i < 4; i++) {
        struct dh_gen_ctx *gctx = of_group(DH_FLAG_TYPE_DHX, PARAMETERS, NID_modp_3072);
        DH *dh;

        gctx->gen_type = types[i];
        dh = dh_gen(gctx, ignore, NULL);
        ok &= done(gctx, dh, plus_has_group(dh, 7));
    }
    return ok;
}

static int by_size(void)
{
    int i, ok = 1;

    for (i = 0; i < 5; i++) {
        struct dh_gen_ctx *gctx = context(DH_FLAG_TYPE_DH, PARAMETERS);
        DH *dh;

        gctx->gen_type = DH_PARAMGEN_TYPE_GROUP;
        gctx->pbits = plus_groups[i].bits;
        dh = dh_gen(gctx, ignore, NULL);
        ok &= done(gctx, dh, plus_has_group(dh, i));
    }
    return ok;
}

static int no_size(void)
{
    static const size_t sizes[] = { 0, 1024, 1536, 2047, 2049, 8193 };
    int i, ok = 1;

    for (i = 0; i < 6; i++) {
        struct dh_gen_ctx *gctx = context(DH_FLAG_TYPE_DH, BOTH);
        DH *dh;

        gctx->gen_type = DH_PARAMGEN_TYPE_GROUP;
        gctx->pbits = sizes[i];
        dh = dh_gen(gctx, ignore, NULL);
        ok &= done(gctx, dh, TEST_ptr_null(dh));
    }
    return ok;
}

static int parameters_alone(void)
{
    struct dh_gen_ctx *gctx = of_group(DH_FLAG_TYPE_DH, PARAMETERS, NID_ffdhe2048);
    DH *dh = dh_gen(gctx, ignore, NULL);
    int ok = done(gctx, dh, plus_has_group(dh, 0) && no_pair(dh));

    gctx = of_group(DH_FLAG_TYPE_DHX, PARAMETERS, 2);
    dh = dh_gen(gctx, ignore, NULL);
    return done(gctx, dh, plus_has_group(dh, 12) && no_pair(dh)) && ok;
}

/* Numbers of its own: those of the group of 2048 bits with a q of 224. */
static DH *template(void)
{
    DH *dh = ossl_dh_new_ex(NULL);

    DH_set0_pqg(dh, BN_dup(plus_groups[12].p), BN_dup(plus_groups[12].q),
                BN_dup(plus_groups[12].g));
    ossl_dh_get0_params(dh)->j = BN_dup(BN_value_one());
    return dh;
}

static int from_template(void)
{
    DH *from = template(), *dh;
    struct dh_gen_ctx *gctx = context(DH_FLAG_TYPE_DHX, KEYS);
    int ok;

    dh_gen_set_template(gctx, from);
    dh = dh_gen(gctx, ignore, NULL);
    ok = done(gctx, dh, plus_has_group(dh, 12) && pair(dh)
              && TEST_BN_eq_one(ossl_dh_get0_params(dh)->j));
    gctx = context(DH_FLAG_TYPE_DH, KEYS);
    gctx->gen_type = DH_PARAMGEN_TYPE_GROUP;
    dh_gen_set_template(gctx, from);
    dh = dh_gen(gctx, ignore, NULL);
    ok &= done(gctx, dh, plus_has_group(dh, 12) && pair(dh));
    return plus_dh_done(from, ok);
}

static int template_stays(void)
{
    DH *from = template(), *dh;
    struct dh_gen_ctx *gctx = context(DH_FLAG_TYPE_DHX, KEYS);
    FFC_PARAMS *params = ossl_dh_get0_params(from), before = *params;
    int ok;

    gctx->gindex = 3;
    gctx->priv_len = 224;
    dh_gen_set_template(gctx, from);
    dh = dh_gen(gctx, ignore, NULL);
    ok = TEST_ptr(dh) && no_pair(from) && TEST_long_eq(DH_get_length(from), 0)
        && TEST_ptr_eq(params->p, before.p) && TEST_ptr_eq(params->q, before.q)
        && TEST_ptr_eq(params->g, before.g) && TEST_ptr_eq(params->j, before.j)
        && TEST_int_eq(params->gindex, before.gindex)
        && TEST_uint_eq(params->flags, before.flags)
        && plus_has_group(from, 12);
    ok = plus_dh_done(from, ok);
    return done(gctx, dh, ok && plus_has_group(dh, 12) && pair(dh));
}

static int no_parameters(void)
{
    DH *from = ossl_dh_new_ex(NULL), *dh;
    struct dh_gen_ctx *gctx = context(DH_FLAG_TYPE_DH, KEYS);
    int ok;

    dh = dh_gen(gctx, ignore, NULL);
    ok = done(gctx, dh, TEST_ptr_null(dh));
    gctx = context(DH_FLAG_TYPE_DHX, KEYS);
    dh_gen_set_template(gctx, from);
    dh = dh_gen(gctx, ignore, NULL);
    ok &= done(gctx, dh, TEST_ptr_null(dh));
    return plus_dh_done(from, ok);
}

static int one_missing(void)
{
    int i, ok = 1;

    for (i = 0; i < 2; i++) {
        DH *from = ossl_dh_new_ex(NULL), *dh;
        struct dh_gen_ctx *gctx = context(DH_FLAG_TYPE_DHX, KEYS);

        *(i ? &ossl_dh_get0_params(from)->g : &ossl_dh_get0_params(from)->p)
            = BN_dup(i ? plus_groups[12].g : plus_groups[12].p);
        dh_gen_set_template(gctx, from);
        dh = dh_gen(gctx, ignore, NULL);
        ok &= done(gctx, dh, TEST_ptr_null(dh));
        DH_free(from);
    }
    return ok;
}

static int private_length(void)
{
    static const int lengths[] = { 224, 300, 1024 };
    int i, ok = 1;
    struct dh_gen_ctx *gctx;
    DH *dh;

    for (i = 0; i < 3; i++) {
        gctx = of_group(DH_FLAG_TYPE_DH, BOTH, NID_ffdhe2048);
        gctx->priv_len = lengths[i];
        dh = dh_gen(gctx, ignore, NULL);
        ok &= done(gctx, dh, TEST_ptr(dh) && TEST_long_eq(DH_get_length(dh), lengths[i])
                   && pair(dh) && TEST_int_le(BN_num_bits(DH_get0_priv_key(dh)), lengths[i])
                   && TEST_int_gt(BN_num_bits(DH_get0_priv_key(dh)), lengths[i] - 40));
    }
    gctx = of_group(DH_FLAG_TYPE_DH, BOTH, NID_ffdhe2048);
    dh = dh_gen(gctx, ignore, NULL);
    return done(gctx, dh, TEST_ptr(dh) && pair(dh)
                && TEST_int_le(BN_num_bits(DH_get0_priv_key(dh)), 2047)) && ok;
}

static int type(void)
{
    static const int types[] = { DH_FLAG_TYPE_DH, DH_FLAG_TYPE_DHX };
    static const int selections[] = { PARAMETERS, BOTH };
    const DH_METHOD *usual = DH_get_default_method();
    DH_METHOD *other = DH_meth_new("of the test", DH_FLAG_TYPE_MASK);
    int i, ok = 1;

    for (i = 0; i < 4; i++) {
        struct dh_gen_ctx *gctx = of_group(types[i & 1], selections[i >> 1], NID_ffdhe2048);
        DH *dh = dh_gen(gctx, ignore, NULL);

        ok &= done(gctx, dh, TEST_ptr(dh)
                   && TEST_int_eq(DH_test_flags(dh, DH_FLAG_TYPE_MASK), types[i & 1]));
    }
    for (i = 0; i < 2; i++) {
        struct dh_gen_ctx *gctx = context(types[i], KEYS);
        DH *from = template(), *dh;

        DH_set_flags(from, types[1 - i]);
        dh_gen_set_template(gctx, from);
        dh = dh_gen(gctx, ignore, NULL);
        ok &= done(gctx, dh, TEST_ptr(dh)
                   && TEST_int_eq(DH_test_flags(dh, DH_FLAG_TYPE_MASK), types[i]));
        DH_free(from);
    }
    /* New objects may have another type's flag. */
    DH_set_default_method(other);
    for (i = 0; i < 2; i++) {
        struct dh_gen_ctx *gctx = of_group(types[i], PARAMETERS, NID_ffdhe2048);
        DH *dh = dh_gen(gctx, ignore, NULL);

        ok &= done(gctx, dh, TEST_ptr(dh)
                   && TEST_int_eq(DH_test_flags(dh, DH_FLAG_TYPE_MASK), types[i]));
    }
    DH_set_default_method(usual);
    DH_meth_free(other);
    return ok;
}

static int legacy(void)
{
    static const int types[] = {
        DH_PARAMGEN_TYPE_FIPS_186_2, DH_PARAMGEN_TYPE_FIPS_186_4, DH_PARAMGEN_TYPE_GENERATOR,
        DH_PARAMGEN_TYPE_GROUP
    };
    int i, ok = 1;

    for (i = 0; i < 8; i++) {
        struct dh_gen_ctx *gctx = context(DH_FLAG_TYPE_DHX, KEYS);
        DH *from = template(), *dh;

        if (i >= 4)     /* whatever the template says */
            ossl_dh_get0_params(from)->flags |= FFC_PARAM_FLAG_VALIDATE_LEGACY;
        gctx->gen_type = types[i % 4];
        dh_gen_set_template(gctx, from);
        dh = dh_gen(gctx, ignore, NULL);
        ok &= done(gctx, dh, TEST_ptr(dh)
                   && TEST_uint_eq(ossl_dh_get0_params(dh)->flags,
                                   FFC_PARAM_FLAG_VALIDATE_PQG
                                   | (i % 4 == 0 ? FFC_PARAM_FLAG_VALIDATE_LEGACY : 0)));
        DH_free(from);
    }
    return ok;
}

static int settings(void)
{
    struct dh_gen_ctx *gctx = context(DH_FLAG_TYPE_DHX, KEYS);
    DH *from = template(), *dh;
    FFC_PARAMS *params;
    int ok;

    gctx->seed = OPENSSL_memdup("the seed\0is long", 17);
    gctx->seedlen = 17;
    gctx->gindex = 5;
    gctx->pcounter = 77;
    gctx->mdname = OPENSSL_strdup("SHA2-512");
    gctx->mdprops = OPENSSL_strdup("provider=default");
    dh_gen_set_template(gctx, from);
    dh = dh_gen(gctx, ignore, NULL);
    ok = TEST_ptr(dh) && TEST_ptr(params = ossl_dh_get0_params(dh))
        && TEST_mem_eq(params->seed, params->seedlen, "the seed\0is long", 17)
        && TEST_ptr_ne(params->seed, gctx->seed)
        && TEST_int_eq(params->gindex, 5) && TEST_int_eq(params->pcounter, 77)
        && TEST_str_eq(params->mdname, "SHA2-512")
        && TEST_str_eq(params->mdprops, "provider=default");
    ok = done(gctx, dh, ok);

    gctx = context(DH_FLAG_TYPE_DHX, KEYS);
    gctx->gindex = 0;
    dh_gen_set_template(gctx, from);
    dh = dh_gen(gctx, ignore, NULL);
    ok &= done(gctx, dh, TEST_ptr(dh) && TEST_ptr(params = ossl_dh_get0_params(dh))
               && TEST_int_eq(params->gindex, 0) && TEST_int_eq(params->pcounter, -1)
               && TEST_ptr_null(params->mdname) && TEST_ptr_null(params->seed));

    gctx = context(DH_FLAG_TYPE_DHX, KEYS);
    gctx->hindex = 4;
    dh_gen_set_template(gctx, from);
    dh = dh_gen(gctx, ignore, NULL);
    ok &= done(gctx, dh, TEST_ptr(dh) && TEST_ptr(params = ossl_dh_get0_params(dh))
               && TEST_int_eq(params->h, 4) && TEST_int_eq(params->gindex, -1));

    /* What is not set stays as in the template. */
    params = ossl_dh_get0_params(from);
    params->gindex = 9;
    params->pcounter = 10;
    params->h = 11;
    params->mdname = "SHA2-384";
    gctx = context(DH_FLAG_TYPE_DHX, KEYS);
    dh_gen_set_template(gctx, from);
    dh = dh_gen(gctx, ignore, NULL);
    ok &= done(gctx, dh, TEST_ptr(dh) && TEST_ptr(params = ossl_dh_get0_params(dh))
               && TEST_int_eq(params->h, 11) && TEST_int_eq(params->gindex, 9)
               && TEST_int_eq(params->pcounter, 10) && TEST_str_eq(params->mdname, "SHA2-384"));
    return plus_dh_done(from, ok);
}

/* FIPS 186-2, Appendix 5. */
#define FIPS_P \
    "8df2a494492276aa3d25759bb06869cbeac0d83afb8d0cf7cbb8324f0d7882e5" \
    "d0762fc5b7210eafc2e9adac32ab7aac49693dfbf83724c2ec0736ee31c80291"
#define FIPS_Q "c773218c737ec8ee993b4f2ded30f48edace915f"
#define FIPS_COUNTER 105

static const unsigned char fips_seed[] = {
    0xd5, 0x01, 0x4e, 0x4b, 0x60, 0xef, 0x2b, 0xa8, 0xb6, 0x21,
    0x1b, 0x40, 0x62, 0xba, 0x32, 0x24, 0xe0, 0x42, 0x7d, 0xd3
};

static struct dh_gen_ctx *fips_186_2(int selection)
{
    struct dh_gen_ctx *gctx = context(DH_FLAG_TYPE_DHX, selection);

    gctx->gen_type = DH_PARAMGEN_TYPE_FIPS_186_2;
    gctx->pbits = 512;
    gctx->qbits = 160;
    gctx->seed = OPENSSL_memdup(fips_seed, 20);
    gctx->seedlen = 20;
    return gctx;
}

static int parameters(void)
{
    struct dh_gen_ctx *gctx = fips_186_2(BOTH);
    DH *dh = dh_gen(gctx, ignore, NULL);
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *rest = BN_new();
    BIGNUM *p = NULL, *q = NULL;
    int ok = TEST_ptr(dh);

    BN_hex2bn(&p, FIPS_P);
    BN_hex2bn(&q, FIPS_Q);
    ok = ok && TEST_BN_eq(DH_get0_p(dh), p) && TEST_BN_eq(DH_get0_q(dh), q)
        && TEST_mem_eq(ossl_dh_get0_params(dh)->seed, ossl_dh_get0_params(dh)->seedlen,
                       fips_seed, 20)
        && TEST_int_eq(ossl_dh_get0_params(dh)->pcounter, FIPS_COUNTER)
        && TEST_true(BN_mod_exp(rest, DH_get0_g(dh), q, p, ctx)) && TEST_BN_eq_one(rest)
        && TEST_int_eq(DH_get_nid(dh), NID_undef) && pair(dh);
    BN_free(p);
    BN_free(q);
    BN_free(rest);
    BN_CTX_free(ctx);
    return done(gctx, dh, ok);
}

static int another_type(void)
{
    struct dh_gen_ctx *gctx = fips_186_2(BOTH);
    DH *dh;

    gctx->gen_type = DH_PARAMGEN_TYPE_FIPS_186_4;
    dh = dh_gen(gctx, ignore, NULL);
    return done(gctx, dh, TEST_ptr_null(dh));
}

static struct {
    int calls, wrong, result;
    int potentials[4];
} progress;

static int report(const OSSL_PARAM params[], void *arg)
{
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_GEN_PARAM_POTENTIAL);
    const OSSL_PARAM *n = OSSL_PARAM_locate_const(params, OSSL_GEN_PARAM_ITERATION);
    int potential = -1, iteration;

    progress.calls++;
    if (arg != &progress || !OSSL_PARAM_get_int(p, &potential)
            || !OSSL_PARAM_get_int(n, &iteration))
        progress.wrong++;
    if (potential >= 0 && potential < 4)
        progress.potentials[potential]++;
    return progress.result;
}

static struct dh_gen_ctx *with_generator(int generator)
{
    struct dh_gen_ctx *gctx = context(DH_FLAG_TYPE_DH, PARAMETERS);

    gctx->gen_type = DH_PARAMGEN_TYPE_GENERATOR;
    gctx->pbits = 512;
    gctx->generator = generator;
    memset(&progress, 0, sizeof(progress));
    progress.result = 1;
    return gctx;
}

static int generator(void)
{
    struct dh_gen_ctx *gctx = with_generator(5);
    DH *dh = dh_gen(gctx, report, &progress);
    int ok = TEST_ptr(dh) && TEST_int_eq(DH_bits(dh), 512)
        && TEST_true(BN_is_word(DH_get0_g(dh), 5))
        && no_pair(dh) && TEST_int_gt(progress.calls, 0) && TEST_int_eq(progress.wrong, 0)
        && TEST_int_gt(progress.potentials[0], 0);

    return done(gctx, dh, ok);
}

static int stops(void)
{
    struct dh_gen_ctx *gctx = with_generator(2);
    DH *dh;
    int ok;

    progress.result = 0;
    dh = dh_gen(gctx, report, &progress);
    ok = done(gctx, dh, TEST_ptr_null(dh) && TEST_int_ge(progress.calls, 1));
    gctx = fips_186_2(PARAMETERS);
    dh = dh_gen(gctx, report, &progress);
    return done(gctx, dh, TEST_ptr_null(dh)) && ok;
}

static int no_context(void)
{
    return TEST_ptr_null(dh_gen(NULL, ignore, NULL));
}

static int library(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    struct dh_gen_ctx *gctx = of_group(DH_FLAG_TYPE_DH, PARAMETERS, NID_ffdhe2048);
    DH *from = template(), *dh;
    int ok;

    gctx->libctx = libctx;
    dh = dh_gen(gctx, ignore, NULL);
    ok = done(gctx, dh, TEST_ptr(dh) && TEST_ptr_eq(dh->libctx, libctx));
    gctx = context(DH_FLAG_TYPE_DHX, KEYS);
    gctx->libctx = libctx;
    dh_gen_set_template(gctx, from);
    dh = dh_gen(gctx, ignore, NULL);
    ok &= done(gctx, dh, TEST_ptr(dh) && TEST_ptr_eq(dh->libctx, libctx));
    DH_free(from);
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int again(void)
{
    struct dh_gen_ctx *gctx = context(DH_FLAG_TYPE_DH, BOTH);
    DH *one, *two;
    int ok;

    gctx->gen_type = DH_PARAMGEN_TYPE_GROUP;
    one = dh_gen(gctx, ignore, NULL);
    two = dh_gen(gctx, ignore, NULL);
    ok = plus_has_group(one, 0) && plus_has_group(two, 0) && TEST_ptr_ne(one, two) && pair(one)
        && pair(two) && TEST_BN_ne(DH_get0_priv_key(one), DH_get0_priv_key(two));
    ok = plus_dh_done(one, ok);
    return done(gctx, two, ok && pair(two));
}

/* A context for each way to fail. */
static struct dh_gen_ctx *failing(int i, DH *from)
{
    struct dh_gen_ctx *gctx = NULL;

    switch (i) {
    case 0:                 /* no numbers for a key */
        gctx = context(DH_FLAG_TYPE_DH, KEYS);
        break;
    case 1:                 /* no generator of random numbers */
        gctx = of_group(DH_FLAG_TYPE_DH, BOTH, NID_ffdhe2048);
        break;
    case 2:
        gctx = context(DH_FLAG_TYPE_DHX, KEYS);
        dh_gen_set_template(gctx, from);
        break;
    case 3:                 /* refused by FIPS 186-4 */
        gctx = fips_186_2(BOTH);
        gctx->gen_type = DH_PARAMGEN_TYPE_FIPS_186_4;
        break;
    case 4:                 /* a size that is too small */
        gctx = with_generator(2);
        gctx->pbits = 16;
        break;
    case 5:
        gctx = context(DH_FLAG_TYPE_DH, BOTH);
        gctx->gen_type = DH_PARAMGEN_TYPE_GROUP;
        gctx->pbits = 1000;
        break;
    }
    return gctx;
}

static int all_fail(DH *from)
{
    int i, ok = 1;

    plus_random_fails = 1;
    for (i = 0; i < 6; i++) {
        struct dh_gen_ctx *gctx = failing(i, from);
        DH *dh = dh_gen(gctx, ignore, NULL);

        ok &= done(gctx, dh, TEST_ptr_null(dh));
    }
    plus_random_fails = 0;
    return ok;
}

static int failure_leak(void)
{
    DH *from = template();
    long before;
    int ok;

    all_fail(from);
    ERR_clear_error();
    before = memory_blocks;
    ok = all_fail(from) && TEST_long_eq(memory_blocks, before);
    return plus_dh_done(from, ok);
}

static int success_leak(void)
{
    long before;

    if (!key_of_group() || !from_template() || !settings() || !parameters() || !generator())
        return 0;
    before = memory_blocks;
    return key_of_group() && from_template() && settings() && parameters() && generator()
        && TEST_long_eq(memory_blocks, before);
}

static int without_memory(DH *from)
{
    int i, ok = 1;
    DH *dh = NULL;

    for (i = 0; ok && dh == NULL && i < 400; i++) {
        struct dh_gen_ctx *gctx = from == NULL ? of_group(DH_FLAG_TYPE_DH, BOTH, NID_ffdhe2048)
            : context(DH_FLAG_TYPE_DHX, KEYS);
        long before = memory_blocks;

        if (from != NULL) {
            dh_gen_set_template(gctx, from);
            dh_set_gen_seed(gctx, (unsigned char *)fips_seed, 20);
            before++;
        }
        memory_left = i;
        dh = dh_gen(gctx, ignore, NULL);
        memory_left = -1;
        ERR_clear_error();
        if (dh != NULL)
            ok = plus_has_group(dh, from == NULL ? 0 : 12) && pair(dh);
        else
            ok = TEST_long_eq(memory_blocks, before);
        ok = done(gctx, dh, ok);
    }
    return ok && TEST_ptr(dh);
}

static int no_memory(void)
{
    DH *from = template();
    int ok = key_of_group() && without_memory(NULL) && without_memory(from);

    return plus_dh_done(from, ok);
}

int setup_tests(void)
{
    if (!TEST_true(plus_fixed_random(NULL)) || !TEST_ptr(provider = ossl_prov_ctx_new()))
        return 0;
    add_test("a key pair of a named group is made", key_of_group);
    add_test("a named group overrides the type", overrides);
    add_test("without a name a group is found by its size", by_size);
    add_test("a size that no group has is refused", no_size);
    add_test("parameters alone have no keys", parameters_alone);
    add_test("a key pair is made from a template", from_template);
    add_test("the template stays and is not shared", template_stays);
    add_test("a key pair without parameters is refused", no_parameters);
    add_test("the length of the private key is taken", private_length);
    add_test("the type of the key is set", type);
    add_test("FIPS 186-2 keys are validated as legacy", legacy);
    add_test("what was set for FIPS 186-4 goes to the parameters", settings);
    add_test("FIPS 186-2 parameters have the sizes and the seed", parameters);
    add_test("FIPS 186-4 is another type", another_type);
    add_test("a generator is used and its progress is told", generator);
    add_test("the callback can stop it", stops);
    add_test("no context is refused", no_context);
    add_test("the library context goes to the key", library);
    add_test("the same context makes another key", again);
    add_test("a failure leaks nothing", failure_leak);
    add_test("a key that is freed leaves nothing", success_leak);
    add_test("without memory it fails and leaks nothing", no_memory);
    add_test("a key pair without p or g is refused", one_missing);
    return 1;
}

void cleanup_tests(void)
{
    ossl_prov_ctx_free(provider);
    fake_rand_finish(plus_random_provider);
}
