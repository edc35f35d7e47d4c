/* For tests of PEM: what is read comes from text in memory. */
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#define EAY PEM_FLAG_EAY_COMPATIBLE
#define B64 PEM_FLAG_ONLY_B64
#define SECURE PEM_FLAG_SECURE

static BIO *pem_in(const char *text)
{
    return BIO_new_mem_buf(text, -1);
}

/* All that is left in it, as a string, up to 4095 bytes. */
static const char *pem_rest(BIO *in)
{
    static char rest[4096];
    int length = BIO_read(in, rest, sizeof(rest) - 1);

    rest[length < 0 ? 0 : length] = '\0';
    return rest;
}

/* Was there such an error? Clears them all. */
static int pem_error(int reason)
{
    unsigned long error;
    int found = 0;

    while ((error = ERR_get_error()) != 0)
        found |= ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == reason;
    ERR_clear_error();
    return found;
}
