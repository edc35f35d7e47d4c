/*---
 * tasks: [sanitize_line-674e97.16]
 * tests:
 *   userdata are the passphrase: 'Comment: "We assume that the user passes a default password as userdata".'
 *   userdata are taken for writing too: 'PEM_read_bio_PrivateKey(3): "u ... to use as the passphrase", "PEM write routines".'
 *   no more than the buffer is taken of userdata: 'PEM_read_bio_PrivateKey(3): "size is the maximum length".'
 *   empty userdata are an empty passphrase: 'PEM_read_bio_PrivateKey(3): "If ... u is not NULL", it is the passphrase.'
 *   without userdata the user is asked: 'PEM_read_bio_PrivateKey(3): "prompt for the passphrase"; UI_UTIL_read_pw(3),
 *     "all use the default UI_METHOD".'
 *   for writing the passphrase is verified: 'PEM_read_bio_PrivateKey(3): "will ask the user to verify the passphrase".'
 *   a passphrase that is verified wrong is refused: 'PEM_read_bio_PrivateKey(3): "or -1 if an error occurred".'
 *   for writing four characters are needed: 'MIN_LENGTH; comment: "for encryption, we want a minimum length".'
 *   for reading the passphrase can be short or empty: 'Comment: "for decryption, ... we assume zero".'
 *   a passphrase that is too long is refused: 'PEM_read_bio_PrivateKey(3): "size is the maximum length".'
 *   a user who cancels is told by -1: 'PEM_read_bio_PrivateKey(3): "or -1 if an error occurred".'
 *   the prompt that was set is used: 'evp.h: EVP_set_pw_prompt, EVP_get_pw_prompt.'
 *   without one there is a prompt: 'PEM_read_bio_PrivateKey(3): "will typically prompt for the passphrase".'
 *   nothing is leaked: 'pem.h: PEM_def_callback, a pem_password_cb.'
 ---*/
#include "../testutil.h"
#include <openssl/evp.h>
#include "memory_count.h"
#include "pem_text.h"
#include "scripted_ui.h"

/* What comes of it with a buffer of `num` bytes; "<0" for an error, "over" for a write outside. */
static const char *gets(int num, int rwflag, const char *u)
{
    static char area[300];
    int i, got, over = 0;

    memset(area, '#', sizeof(area));
    got = PEM_def_callback(area + 8, num, rwflag, (void *)u);
    ERR_clear_error();
    for (i = 0; i < (int)sizeof(area); i++)
        over |= (i < 8 || i >= 8 + num) && area[i] != '#';
    if (over || got > num)
        return "over";
    if (got < 0)
        return "<0";
    if (got < 292)
        area[8 + got] = '\0';
    return area + 8;
}

static int userdata(void)
{
    return TEST_str_eq(gets(64, 0, "hello"), "hello")
        && TEST_str_eq(gets(64, 0, "a longer one, with blanks"),
                                                                     "a longer one, with blanks");
}

static int userdata_writing(void)
{
    return TEST_str_eq(gets(64, 1, "hello"), "hello") && TEST_str_eq(gets(64, 1, "abc"), "abc");
}

static int no_more(void)
{
    return TEST_str_eq(gets(5, 0, "hello"), "hello") && TEST_str_eq(gets(4, 0, "hello"), "hell")
        && TEST_str_eq(gets(6, 0, "hello"), "hello") && TEST_str_eq(gets(1, 1, "hello"), "h");
}

static int empty_userdata(void)
{
    ui_type("typed", "typed");
    return TEST_str_eq(gets(64, 0, ""), "") && TEST_str_eq(gets(64, 1, ""), "")
        && TEST_int_eq(ui_script.asked, 0);
}

static int asked(void)
{
    ui_type("typed in", NULL);
    return TEST_str_eq(gets(64, 0, NULL), "typed in") && TEST_int_eq(ui_script.asked, 1)
        && TEST_int_eq(ui_script.types[0], UIT_PROMPT)
        && TEST_int_eq(ui_script.flags[0] & UI_INPUT_FLAG_ECHO, 0);
}

static int verified(void)
{
    ui_type("typed in", "typed in");
    return TEST_str_eq(gets(64, 1, NULL), "typed in") && TEST_int_eq(ui_script.asked, 2)
        && TEST_int_eq(ui_script.types[1], UIT_VERIFY);
}

static int verified_wrong(void)
{
    ui_type("typed in", "typed it");
    return TEST_str_eq(gets(64, 1, NULL), "<0");
}

static int four(void)
{
    ui_type("abc", "abc");
    if (!TEST_str_eq(gets(64, 1, NULL), "<0"))
        return 0;
    ui_type("", "");
    if (!TEST_str_eq(gets(64, 1, NULL), "<0"))
        return 0;
    ui_type("abcd", "abcd");
    return TEST_str_eq(gets(64, 1, NULL), "abcd");
}

static int short_read(void)
{
    ui_type("abc", NULL);
    if (!TEST_str_eq(gets(64, 0, NULL), "abc"))
        return 0;
    ui_type("", NULL);
    return TEST_str_eq(gets(64, 0, NULL), "");
}

static int too_long(void)
{
    ui_type("123456789", "123456789");
    if (!TEST_str_eq(gets(8, 0, NULL), "<0"))
        return 0;
    ui_type("123456789", "123456789");
    if (!TEST_str_eq(gets(8, 1, NULL), "<0"))
        return 0;
    ui_type("1234567", "1234567");
    return TEST_str_eq(gets(8, 1, NULL), "1234567");
}

static int cancels(void)
{
    char buf[16];

    ui_type(NULL, NULL);
    if (!TEST_int_eq(PEM_def_callback(buf, sizeof(buf), 0, NULL), -1))
        return 0;
    ui_type("typed", NULL);
    if (!TEST_int_eq(PEM_def_callback(buf, sizeof(buf), 1, NULL), -1))
        return 0;
    ERR_clear_error();
    return 1;
}

static int prompt_set(void)
{
    int ok;

    EVP_set_pw_prompt("A prompt of our own:");
    ui_type("typed", NULL);
    ok = TEST_str_eq(gets(64, 0, NULL), "typed")
        && TEST_str_eq(ui_script.prompts[0], "A prompt of our own:");
    EVP_set_pw_prompt(NULL);
    return ok;
}

static int some_prompt(void)
{
    EVP_set_pw_prompt(NULL);
    ui_type("typed", "typed");
    return TEST_str_eq(gets(64, 1, NULL), "typed") && TEST_str_ne(ui_script.prompts[0], "")
        && TEST_str_ne(ui_script.prompts[0], "(none)");
}

static int balanced(void)
{
    long before;
    int i;

    for (i = 0; i < 3; i++) {
        if (i == 2)
            before = memory_blocks;
        if (!userdata() || !asked() || !verified() || !verified_wrong() || !four() || !too_long()
                || !cancels())
            return 0;
    }
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    ui_begin();
    add_test("userdata are the passphrase", userdata);
    add_test("userdata are taken for writing too", userdata_writing);
    add_test("no more than the buffer is taken of userdata", no_more);
    add_test("empty userdata are an empty passphrase", empty_userdata);
    add_test("without userdata the user is asked", asked);
    add_test("for writing the passphrase is verified", verified);
    add_test("a passphrase that is verified wrong is refused", verified_wrong);
    add_test("for writing four characters are needed", four);
    add_test("for reading the passphrase can be short or empty", short_read);
    add_test("a passphrase that is too long is refused", too_long);
    add_test("a user who cancels is told by -1", cancels);
    add_test("the prompt that was set is used", prompt_set);
    add_test("without one there is a prompt", some_prompt);
    add_test("nothing is leaked", balanced);
    return 1;
}

void cleanup_tests(void)
{
    ui_end();
}
