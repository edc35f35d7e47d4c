/*
 * For tests of dso_lib.c: its source with a default method that loads nothing and keeps what it
 * sees. plus_dso says what fails.
 */
#define DSO_METHOD_openssl plus_method_openssl
#include "../../crypto/dso/dso_lib.c"
#undef DSO_METHOD_openssl
#include <openssl/err.h>
#include "../testutil.h"
#include "memory_count.h"

static struct {
    int load_fails, init_fails;
    int loads, unloads, inits, finishes;
    DSO *loaded, *begun;
    int flags_at_load;              /* of the object when it was loaded */
    int flags_by_init;              /* what init leaves there */
    int whole_at_init;              /* had it a method, a stack and a reference? */
    char name_at_load[100];
} plus_dso;

static int plus_dso_load(DSO *dso)
{
    plus_dso.loads++;
    plus_dso.loaded = dso;
    plus_dso.flags_at_load = dso->flags;
    BIO_snprintf(plus_dso.name_at_load, sizeof(plus_dso.name_at_load), "%s",
                 dso->filename == NULL ? "(none)" : dso->filename);
    if (plus_dso.load_fails)
        return 0;
    return (dso->loaded_filename = OPENSSL_strdup(plus_dso.name_at_load)) != NULL;
}

static int plus_dso_unload(DSO *dso)
{
    if (dso->loaded_filename != NULL)
        plus_dso.unloads++;
    return 1;
}

static DSO_METHOD plus_method;

static int plus_dso_init(DSO *dso)
{
    int i = 0;

    plus_dso.inits++;
    plus_dso.begun = dso;
    plus_dso.whole_at_init = dso->meth == &plus_method && sk_void_num(dso->meth_data) == 0
        && CRYPTO_GET_REF(&dso->references, &i) && i == 1;
    dso->flags = plus_dso.flags_by_init;
    return !plus_dso.init_fails;
}

static int plus_dso_finish(DSO *dso)
{
    plus_dso.finishes++;
    return 1;
}

DSO_METHOD *plus_method_openssl(void)
{
    return &plus_method;
}

/* All works, nothing was seen, and no error is left. */
static void plus_dso_begin(void)
{
    static const DSO_METHOD all = {
        "plus", plus_dso_load, plus_dso_unload, NULL, NULL, NULL, NULL, plus_dso_init,
        plus_dso_finish, NULL, NULL
    };

    plus_method = all;
    memset(&plus_dso, 0, sizeof(plus_dso));
    ERR_clear_error();
}

/* The blocks that are left when the errors are gone. */
static long plus_dso_blocks(void)
{
    ERR_clear_error();
    OPENSSL_thread_stop();
    return memory_blocks;
}
