/*---
 * tasks: [mbedtls_version_get_string_full-dc6987]
 * tests:
 *   the text is that of the header: 'version.h: MBEDTLS_VERSION_STRING_FULL; Docstring: "Get the full version string".'
 *   the text has the stated form: 'Docstring: "mbed TLS x.y.z"; version.h: the three numbers.'
 *   the text is terminated: 'Docstring: "including a terminating null byte".'
 *   no more than 18 bytes are written: 'Docstring: "will use 18 bytes AT MOST including a terminating null byte".'
 *   it agrees with the bare version and its number: 'version.h: the siblings mbedtls_version_get_string, _number.'
 *   what the buffer held before does not matter: 'Docstring: string "will receive the value".'
 ---*/
#include "mbedtls/version.h"
#include "check.h"
#include "edge.h"

int main(void) {
    char text[64], form[64], bare[16];
    unsigned char filler[18];
    memset(text, 'x', sizeof(text));
    mbedtls_version_get_string_full(text);
    int ended = memchr(text, 0, 18) != NULL;
    text[63] = '\0';
    check("the text is that of the header", !strcmp(text, MBEDTLS_VERSION_STRING_FULL));
    sprintf(form, "mbed TLS %d.%d.%d", MBEDTLS_VERSION_MAJOR, MBEDTLS_VERSION_MINOR, MBEDTLS_VERSION_PATCH);
    check("the text has the stated form", !strcmp(text, form));
    check("the text is terminated", ended && text[strlen(form)] == '\0');
    int ok = 1;
    for (int i = 18; i < 63; i++) ok &= text[i] == 'x';
    memset(filler, 'y', 18);
    char *edge = (char *) at_edge(filler, 18);
    mbedtls_version_get_string_full(edge);
    check("no more than 18 bytes are written", ok && !strcmp(edge, form));
    mbedtls_version_get_string(bare);
    unsigned int n = mbedtls_version_get_number();
    sprintf(form, "mbed TLS %u.%u.%u", n >> 24, n >> 16 & 255, n >> 8 & 255);
    check("it agrees with the bare version and its number", !strcmp(text, form) && !strcmp(text + 9, bare));
    ok = 1;
    for (int c = 0; c < 256; c++) {
        memset(text, c, sizeof(text));
        mbedtls_version_get_string_full(text);
        ok &= !memcmp(text, MBEDTLS_VERSION_STRING_FULL, sizeof(MBEDTLS_VERSION_STRING_FULL));
    }
    check("what the buffer held before does not matter", ok);
    return done();
}
