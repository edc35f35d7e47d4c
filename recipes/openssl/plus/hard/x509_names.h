/*
 * A name for tests: plus_name("CN=a", "+O=b", NULL) has an entry for each text, a UTF8String; one
 * that begins with a plus joins the RDN before it. The field is a short name or an OID.
 */
#include <stdarg.h>
#include <openssl/x509.h>

static X509_NAME *plus_name(const char *entry, ...)
{
    X509_NAME *name = X509_NAME_new();
    char field[80];
    const char *equals;
    va_list rest;

    va_start(rest, entry);
    for (; name != NULL && entry != NULL; entry = va_arg(rest, const char *)) {
        int set = *entry == '+' ? -1 : 0;

        entry -= set;
        equals = strchr(entry, '=');
        memcpy(field, entry, equals - entry);
        field[equals - entry] = '\0';
        if (!X509_NAME_add_entry_by_txt(name, field, V_ASN1_UTF8STRING,
                                        (const unsigned char *)equals + 1, -1, -1,
                                        set)) {
            X509_NAME_free(name);
            name = NULL;
        }
    }
    va_end(rest);
    return name;
}
