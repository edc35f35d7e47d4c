/*---
 * tasks: [mbedtls_version_check_feature-6b9b33]
 * tests:
 *   features that were compiled in are present: 'Docstring: "0 if the feature is present"; config.h.'
 *   the first and the last feature are present: 'Docstring: "0 if the feature is present"; version_features.c.'
 *   features that were left out are not: 'Docstring: "-1 if the feature is not present"; config.h.'
 *   an unknown name is not present: 'Docstring: "-1 if the feature is not present".'
 *   the beginning of a name is not the feature: 'Docstring: feature "The string for the define to check".'
 *   a longer name is not the feature: 'Docstring: feature "The string for the define to check".'
 *   a name without its prefix is not the feature: 'Docstring: (e.g. "MBEDTLS_AES_C").'
 *   a name in small letters is not the feature: 'Docstring: "The string for the define"; C tells them apart.'
 *   an empty name is not present: 'Docstring: "-1 if the feature is not present".'
 *   a name is compared by its text and not its address: 'Docstring: "The string for the define to check".'
 *   without a list of features the answer is another: 'Docstring: "-2 if support for feature checking [...]".'
 *   the name stays as it is: 'Argument feature is const.'
 ---*/
#include "common.h"
/* A second copy of the file, as it is built without support for checking features. */
#undef MBEDTLS_VERSION_FEATURES
#define mbedtls_version_check_feature without_features
#include "../../library/version_features.c"
#undef mbedtls_version_check_feature
#include "check.h"

int mbedtls_version_check_feature(const char *feature);

#define HAS(name) (mbedtls_version_check_feature(name) == 0)
#define LACKS(name) (mbedtls_version_check_feature(name) == -1)

int main(void) {
    char copy[] = "MBEDTLS_AES_C", missing[] = "MBEDTLS_AES_X";
    int ok = HAS("MBEDTLS_AES_C") && HAS("MBEDTLS_SHA256_C") && HAS("MBEDTLS_CIPHER_MODE_CBC") &&
             HAS("MBEDTLS_ECP_DP_SECP256R1_ENABLED") && HAS("MBEDTLS_RSA_C") && HAS("MBEDTLS_SSL_TLS_C") &&
             HAS("MBEDTLS_VERSION_C") && HAS("MBEDTLS_VERSION_FEATURES") && HAS("MBEDTLS_HAVE_TIME");
    check("features that were compiled in are present", ok);
    check("the first and the last feature are present", HAS("MBEDTLS_HAVE_ASM") && HAS("MBEDTLS_XTEA_C"));
    ok = LACKS("MBEDTLS_NO_UDBL_DIVISION") && LACKS("MBEDTLS_DEPRECATED_WARNING") && LACKS("MBEDTLS_AES_ALT") &&
         LACKS("MBEDTLS_THREADING_C") && LACKS("MBEDTLS_USE_PSA_CRYPTO") && LACKS("MBEDTLS_MD2_C");
    check("features that were left out are not", ok);
    check("an unknown name is not present", LACKS("MBEDTLS_NO_SUCH_THING_C") && LACKS("x") && LACKS("MBEDTLS"));
    ok = LACKS("MBEDTLS_AES_") && LACKS("MBEDTLS_AES") && LACKS("MBEDTLS_XTEA") && LACKS("M") && LACKS("MBEDTLS_HAVE");
    check("the beginning of a name is not the feature", ok);
    ok = LACKS("MBEDTLS_AES_CC") && LACKS("MBEDTLS_AES_C ") && LACKS("MBEDTLS_XTEA_C_") && LACKS("MBEDTLS_HAVE_ASM1") &&
         LACKS("MBEDTLS_AES_C=1") && LACKS(" MBEDTLS_AES_C");
    check("a longer name is not the feature", ok);
    check("a name without its prefix is not the feature", LACKS("AES_C") && LACKS("HAVE_ASM") && LACKS("_C"));
    check("a name in small letters is not the feature", LACKS("mbedtls_aes_c") && LACKS("Mbedtls_AES_C"));
    check("an empty name is not present", LACKS(""));
    ok = HAS(copy) && LACKS(missing);
    missing[12] = 'C';
    check("a name is compared by its text and not its address", ok && HAS(missing));
    ok = without_features("MBEDTLS_AES_C") == -2 && without_features("MBEDTLS_NO_SUCH_THING_C") == -2 &&
         without_features("") == -2;
    check("without a list of features the answer is another", ok);
    check("the name stays as it is", !strcmp(copy, "MBEDTLS_AES_C"));
    return done();
}
