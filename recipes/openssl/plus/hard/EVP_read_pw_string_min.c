/*---
 * tasks: [sanitize_line-674e97.16]
 * tests:
 *   what is typed in is stored as a string: 'pem_lib.c: PEM_def_callback takes strlen(buf); 0 means success.'
 *   the prompt is shown: 'Signature: prompt; UI_UTIL_read_pw(3): "using prompt as a prompt".'
 *   without a prompt the one that was set is shown: 'evp_key.c: EVP_set_pw_prompt, prompt_string.'
 *   with no prompt at all it fails: 'UI_new(3): "the prompt"; callers take any value but 0 for a failure.'
 *   the default method is asked once, without echo: 'UI_UTIL_read_pw(3): "all use the default UI_METHOD"; UI_new(3),
 *     "when prompting for a password, this flag should obviously not be used".'
 *   to verify it asks twice: 'UI_UTIL_read_pw(3): "If verify is nonzero, the password will be verified as well".'
 *   another verification is a failure: 'UI_new(3): UI_add_verify_string, "that the same string was entered twice".'
 *   fewer characters than the least are refused: 'Signature: min; pem_lib.c, "we want a minimum length".'
 *   more characters than the most are refused: 'Signature: len; UI_new(3), "maximum sizes of the result".'
 *   a user who cancels is a failure: 'UI_new(3): "0 on success or a negative value on error".'
 *   EVP_read_pw_string takes any length: 'evp_key.c: EVP_read_pw_string passes 0.'
 *   nothing is leaked: 'UI_new(3): "it should be freed using UI_free()".'
 *   a lack of memory is a failure: 'UI_new(3); callers take any value but 0 for a failure.'
 *   a buffer larger than BUFSIZ is no danger: 'evp_key.c: "# define BUFSIZ"; callers choose len.'
 ---*/
#include "../testutil.h"
#include <stdio.h>
#include <openssl/evp.h>
#include <openssl/err.h>
#include "refused_once.h"
#include "scripted_ui.h"

/* The string that is read, or NULL. */
static const char *reads(int min, int len, const char *prompt, int verify, const char *first,
                         const char *second)
{
    static char area[300];
    int i, got;

    memset(area, '#', sizeof(area));
    ui_type(first, second);
    got = EVP_read_pw_string_min(area + 8, min, len, prompt, verify);
    ERR_clear_error();
    for (i = 0; i < (int)sizeof(area); i++)
        if ((i < 8 || i >= 8 + len + 1) && area[i] != '#')
            return "written outside";
    return got == 0 ? area + 8 : NULL;
}

static int stored(void)
{
    return TEST_str_eq(reads(0, 64, "p", 0, "hello", NULL), "hello")
        && TEST_str_eq(reads(0, 64, "p", 1, "hello", "hello"), "hello")
        && TEST_str_eq(reads(0, 64, "p", 0, "", NULL), "");
}

static int shown(void)
{
    EVP_set_pw_prompt("The one that was set:");
    if (!TEST_str_eq(reads(0, 64, "Our prompt:", 0, "hello", NULL), "hello")
            || !TEST_str_eq(ui_script.prompts[0], "Our prompt:"))
        return 0;
    EVP_set_pw_prompt(NULL);
    return TEST_str_eq(reads(0, 64, "Our prompt:", 0, "hello", NULL), "hello")
        && TEST_str_eq(ui_script.prompts[0], "Our prompt:");
}

static int shown_set(void)
{
    int ok;

    EVP_set_pw_prompt("The one that was set:");
    ok = TEST_str_eq(reads(0, 64, NULL, 0, "hello", NULL), "hello")
        && TEST_str_eq(ui_script.prompts[0], "The one that was set:")
        && TEST_str_eq(reads(0, 64, NULL, 1, "hello", "hello"), "hello")
        && TEST_str_eq(ui_script.prompts[0], "The one that was set:");
    EVP_set_pw_prompt(NULL);
    return ok;
}

static int no_prompt(void)
{
    EVP_set_pw_prompt(NULL);
    return TEST_ptr_null(reads(0, 64, NULL, 0, "hello", NULL))
        && TEST_ptr_null(reads(0, 64, NULL, 1, "hello", "hello"));
}

static int once(void)
{
    return TEST_str_eq(reads(0, 64, "p", 0, "hello", "other"), "hello")
        && TEST_int_eq(ui_script.asked, 1)
        && TEST_int_eq(ui_script.types[0], UIT_PROMPT)
        && TEST_int_eq(ui_script.flags[0] & UI_INPUT_FLAG_ECHO, 0);
}

static int twice(void)
{
    return TEST_str_eq(reads(0, 64, "p", 1, "hello", "hello"), "hello")
        && TEST_int_eq(ui_script.asked, 2)
        && TEST_int_eq(ui_script.types[0], UIT_PROMPT)
        && TEST_int_eq(ui_script.types[1], UIT_VERIFY)
        && TEST_int_eq(ui_script.flags[1] & UI_INPUT_FLAG_ECHO, 0)
        && TEST_str_eq(reads(0, 64, "p", 2, "hello", "hello"), "hello")
        && TEST_int_eq(ui_script.asked, 2);
}

static int other(void)
{
    return TEST_ptr_null(reads(0, 64, "p", 1, "hello", "hellO"))
        && TEST_ptr_null(reads(0, 64, "p", 1, "hello", "hell"))
        && TEST_ptr_null(reads(0, 64, "p", 1, "hello", ""));
}

static int least(void)
{
    return TEST_ptr_null(reads(6, 64, "p", 0, "hello", NULL))
        && TEST_str_eq(reads(5, 64, "p", 0, "hello", NULL), "hello")
        && TEST_ptr_null(reads(6, 64, "p", 1, "hello", "hello"))
        && TEST_str_eq(reads(5, 64, "p", 1, "hello", "hello"), "hello")
        && TEST_ptr_null(reads(1, 64, "p", 0, "", NULL));
}

static int most(void)
{
    return TEST_ptr_null(reads(0, 8, "p", 0, "123456789", NULL))
        && TEST_str_eq(reads(0, 8, "p", 0, "1234567", NULL), "1234567")
        && TEST_ptr_null(reads(0, 8, "p", 1, "123456789", "123456789"))
        && TEST_str_eq(reads(0, 8, "p", 1, "1234567", "1234567"), "1234567");
}

static int cancels(void)
{
    char buf[16];
    int got;

    ui_type(NULL, NULL);
    got = EVP_read_pw_string_min(buf, 0, sizeof(buf), "p", 0);
    ERR_clear_error();
    return TEST_int_lt(got, 0) && TEST_ptr_null(reads(0, 64, "p", 1, "hello", NULL));
}

static int any_length(void)
{
    char buf[16];

    ui_type("", NULL);
    if (!TEST_int_eq(EVP_read_pw_string(buf, sizeof(buf), "p", 0), 0) || !TEST_str_eq(buf, ""))
        return 0;
    ui_type("ab", "ab");
    return TEST_int_eq(EVP_read_pw_string(buf, sizeof(buf), "p", 1), 0) && TEST_str_eq(buf, "ab")
        && TEST_int_eq(ui_script.asked, 2);
}

static int balanced(void)
{
    long before;
    int i;

    for (i = 0; i < 3; i++) {
        if (i == 2)
            before = memory_blocks;
        if (!stored() || !no_prompt() || !twice() || !other() || !least() || !most() || !cancels())
            return 0;
    }
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    long before, left;
    int ok, refused = 1;
    char buf[16];

    if (!twice())
        return 0;
    before = memory_blocks;
    for (left = 0, ok = 1; ok && refused && left < 100; left++) {
        int got;

        ui_type("hello", "hello");
        once_left = left;
        got = EVP_read_pw_string_min(buf, 0, sizeof(buf), "p", 1);
        refused = once_refused();
        ERR_clear_error();
        ok = (got == 0 ? TEST_str_eq(buf, "hello") && TEST_int_eq(ui_script.asked, 2)
                       : TEST_true(refused))
            && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
    }
    return ok && TEST_false(refused);
}

static int no_danger(void)
{
    static char large[BUFSIZ * 2 + 8], typed[BUFSIZ * 2];
    int got, ok = 1;

    memset(typed, 'x', BUFSIZ + 1000);
    ui_type(typed, typed);
    got = EVP_read_pw_string_min(large, 4, BUFSIZ * 2, "p", 1);
    ok = got != 0 || TEST_str_eq(large, typed);
    typed[BUFSIZ - 2] = '\0';
    ui_type(typed, typed);
    got = EVP_read_pw_string_min(large, 4, BUFSIZ * 2, "p", 1);
    ERR_clear_error();
    return ok && TEST_int_eq(got, 0) && TEST_true(strcmp(large, typed) == 0);
}

int setup_tests(void)
{
    ui_begin();
    add_test("what is typed in is stored as a string", stored);
    add_test("the prompt is shown", shown);
    add_test("without a prompt the one that was set is shown", shown_set);
    add_test("with no prompt at all it fails", no_prompt);
    add_test("the default method is asked once, without echo", once);
    add_test("to verify it asks twice", twice);
    add_test("another verification is a failure", other);
    add_test("fewer characters than the least are refused", least);
    add_test("more characters than the most are refused", most);
    add_test("a user who cancels is a failure", cancels);
    add_test("EVP_read_pw_string takes any length", any_length);
    add_test("nothing is leaked", balanced);
    add_test("a lack of memory is a failure", no_memory);
    add_test("a buffer larger than BUFSIZ is no danger", no_danger);
    return 1;
}

void cleanup_tests(void)
{
    ui_end();
}
