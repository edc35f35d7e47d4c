/*---
 * tasks: [FBE031EE3DC1FDB6]
 * tests:
 *   the entries of a section become parameters: 'Docstring: "parse the provider configuration section"; config(5).'
 *   sections within sections give names with dots: 'Docstring: "recursively"; ossl_provider_add_parameter: names with
 *     a dot.'
 *   the name given stands before each name: 'The parameter name; provider_conf_params_internal.'
 *   a value that is no section is one parameter: 'provider_conf_params_internal, its other branch.'
 *   a provider gets the parameters itself: 'Caller provider_conf_activate gives prov, provider_conf_load provinfo.'
 *   a section may be named twice side by side: 'Only a section within itself is a recursive reference
 *     (CONF_R_RECURSIVE_SECTION_REFERENCE).'
 *   a section within itself is a fatal error: 'Docstring: "< 0 on fatal errors"; CONF_R_RECURSIVE_SECTION_REFERENCE.'
 *   sections that name each other are a fatal error: 'The same.'
 *   a name that is too long is a fatal error: 'Docstring: "< 0 on fatal errors"; provider_conf_params_internal.'
 *   a fatal error leaves nothing behind for the next call: 'Caller provider_conf_init calls it once for each
 *     provider.'
 *   a parameter that can not be added is no fatal error: 'Docstring: "0 on non-fatal error".'
 *   nothing is leaked on success or failure: 'No result but provinfo holds memory (ossl_provider_info_clear).'
 ---*/
#include "memory_count.h"
#include "../../crypto/provider_conf.c"
#include "testutil.h"

static const char config[] =
    "[plain]\ncolour = red\nshape = round\n"
    "[outer]\nfirst = 1\nmiddle = inner\nlast = 3\n"
    "[inner]\ndeep = innermost\nb = 2\n"
    "[innermost]\na = 1\n"
    "[twice]\nleft = plain\nright = plain\n"
    "[itself]\nfine = 1\nagain = itself\n"
    "[ping]\nx = pong\n"
    "[pong]\ny = ping\n";

static CONF *cnf;
static OSSL_PROVIDER_INFO info;

static const char *parameter(const char *name)
{
    int i;

    for (i = 0; i < sk_INFOPAIR_num(info.parameters); i++)
        if (strcmp(sk_INFOPAIR_value(info.parameters, i)->name, name) == 0)
            return sk_INFOPAIR_value(info.parameters, i)->value;
    return NULL;
}

static int parse(const char *name, const char *value)
{
    ossl_provider_info_clear(&info);
    memset(&info, 0, sizeof(info));
    return provider_conf_params(NULL, &info, name, value, cnf);
}

static int entries(void)
{
    return TEST_int_eq(parse(NULL, "plain"), 1)
        && TEST_int_eq(sk_INFOPAIR_num(info.parameters), 2)
        && TEST_str_eq(parameter("colour"), "red")
        && TEST_str_eq(parameter("shape"), "round");
}

static int dots(void)
{
    return TEST_int_eq(parse(NULL, "outer"), 1)
        && TEST_int_eq(sk_INFOPAIR_num(info.parameters), 4)
        && TEST_str_eq(parameter("first"), "1")
        && TEST_str_eq(parameter("middle.deep.a"), "1")
        && TEST_str_eq(parameter("middle.b"), "2")
        && TEST_str_eq(parameter("last"), "3");
}

static int prefix(void)
{
    return TEST_int_eq(parse("paint", "plain"), 1)
        && TEST_int_eq(sk_INFOPAIR_num(info.parameters), 2)
        && TEST_str_eq(parameter("paint.colour"), "red")
        && TEST_str_eq(parameter("paint.shape"), "round");
}

static int no_section(void)
{
    return TEST_int_eq(parse("colour", "blue"), 1)
        && TEST_int_eq(sk_INFOPAIR_num(info.parameters), 1)
        && TEST_str_eq(parameter("colour"), "blue");
}

static char *colour, *deep;

static int provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out,
                         void **provctx)
{
    static const OSSL_DISPATCH none[] = { OSSL_DISPATCH_END };
    OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_ptr("colour", &colour, 0), OSSL_PARAM_utf8_ptr("middle.deep.a", &deep, 0), OSSL_PARAM_END
    };

    *out = none;
    for (; in->function_id != 0; in++)
        if (in->function_id == OSSL_FUNC_CORE_GET_PARAMS)
            return OSSL_FUNC_core_get_params(in)(handle, params);
    return 0;
}

static int provider_itself(void)
{
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *prov = NULL;
    int ok = TEST_ptr(ctx)
        && TEST_ptr(prov = ossl_provider_new(ctx, "own", provider_init, NULL, 1))
        && TEST_int_eq(provider_conf_params(prov, NULL, NULL, "plain", cnf), 1)
        && TEST_int_eq(provider_conf_params(prov, NULL, NULL, "outer", cnf), 1)
        && TEST_int_lt(provider_conf_params(prov, NULL, NULL, "itself", cnf), 0)
        && TEST_true(ossl_provider_activate(prov, 1, 0))
        && TEST_str_eq(colour, "red")
        && TEST_str_eq(deep, "1")
        && TEST_true(ossl_provider_deactivate(prov, 1) >= 0);

    ossl_provider_free(prov);
    OSSL_LIB_CTX_free(ctx);
    return ok;
}

static int side_by_side(void)
{
    return TEST_int_eq(parse(NULL, "twice"), 1)
        && TEST_str_eq(parameter("left.colour"), "red")
        && TEST_str_eq(parameter("right.colour"), "red");
}

static int is_recursive(const char *section)
{
    ERR_clear_error();
    return TEST_int_lt(parse(NULL, section), 0)
        && TEST_int_eq(ERR_GET_REASON(ERR_peek_error()), CONF_R_RECURSIVE_SECTION_REFERENCE);
}

static int within_itself(void)
{
    return is_recursive("itself");
}

static int each_other(void)
{
    return is_recursive("ping") && is_recursive("pong");
}

static int too_long(void)
{
    char name[600];

    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    return TEST_int_lt(parse(name, "plain"), 0);
}

static int nothing_behind(void)
{
    return TEST_int_lt(parse(NULL, "itself"), 0)
        && TEST_int_eq(parse(NULL, "plain"), 1)
        && TEST_int_lt(parse(NULL, "itself"), 0)
        && TEST_int_eq(parse(NULL, "outer"), 1)
        && TEST_int_eq(parse(NULL, "outer"), 1);
}

/* Memory runs out at each allocation in turn. */
static int not_fatal(void)
{
    int n, result = 0, zeros = 0;
    long before;

    parse("colour", "blue");
    ossl_provider_info_clear(&info);
    before = memory_blocks;
    for (n = 0; result != 1 && n < 50; n++) {
        memset(&info, 0, sizeof(info));
        memory_left = n;
        result = provider_conf_params(NULL, &info, "colour", "blue", cnf);
        memory_left = -1;
        if (result != 1 && !TEST_ptr_null(parameter("colour")))
            return 0;
        zeros += result == 0;
        ossl_provider_info_clear(&info);
        if (!TEST_long_eq(memory_blocks, before))
            return 0;
    }
    memset(&info, 0, sizeof(info));
    return TEST_int_eq(result, 1) && TEST_int_gt(n, 1) && TEST_int_gt(zeros, 0);
}

static int no_leak(void)
{
    static const char *sections[] = { "plain", "outer", "twice", "itself", "ping" };
    long before;
    size_t i;

    for (i = 0; i < OSSL_NELEM(sections); i++) {
        parse(NULL, sections[i]);
        ossl_provider_info_clear(&info);
        memset(&info, 0, sizeof(info));
        ERR_clear_error();
        before = memory_blocks;
        parse(NULL, sections[i]);
        ossl_provider_info_clear(&info);
        memset(&info, 0, sizeof(info));
        ERR_clear_error();
        if (!TEST_long_eq(memory_blocks, before))
            return 0;
    }
    return TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    BIO *bio = BIO_new_mem_buf(config, -1);

    if (!TEST_ptr(bio) || !TEST_ptr(cnf = NCONF_new(NULL)) || !TEST_int_gt(NCONF_load_bio(cnf, bio, NULL), 0))
        return 0;
    BIO_free(bio);
    add_test("the entries of a section become parameters", entries);
    add_test("sections within sections give names with dots", dots);
    add_test("the name given stands before each name", prefix);
    add_test("a value that is no section is one parameter", no_section);
    add_test("a provider gets the parameters itself", provider_itself);
    add_test("a section may be named twice side by side", side_by_side);
    add_test("a section within itself is a fatal error", within_itself);
    add_test("sections that name each other are a fatal error", each_other);
    add_test("a name that is too long is a fatal error", too_long);
    add_test("a fatal error leaves nothing behind for the next call", nothing_behind);
    add_test("a parameter that can not be added is no fatal error", not_fatal);
    add_test("nothing is leaked on success or failure", no_leak);
    return 1;
}
