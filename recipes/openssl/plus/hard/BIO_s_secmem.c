/*---
 * tasks: [sanitize_line-674e97.16, sanitize_line-674e97.8]
 * tests:
 *   it is a memory BIO: 'BIO_s_mem(3): "BIO_s_secmem() is like BIO_s_mem() except".'
 *   what is written is stored in the secure heap: 'BIO_s_mem(3): "the secure heap is used for buffer storage".'
 *   a BIO of the other kind does not store it there: 'BIO_s_mem(3): only BIO_s_secmem uses the secure heap.'
 *   each call gives the same method: 'BIO_s_mem(3): "return a valid memory BIO_METHOD structure"; none frees it.'
 *   it is read and written as a memory BIO: 'BIO_s_mem(3): "is like BIO_s_mem()"; BIO_gets, BIO_reset, EOF.'
 ---*/
#include "../testutil.h"
#include <openssl/bio.h>
#include <openssl/buffer.h>

static int memory(void)
{
    BIO *bio = BIO_new(BIO_s_secmem());
    int ok = TEST_ptr(BIO_s_secmem()) && TEST_ptr(bio)
        && TEST_int_eq(BIO_method_type(bio), BIO_TYPE_MEM);

    BIO_free(bio);
    return ok;
}

/* Does the BIO store in the secure heap what is written? */
static int stores(const BIO_METHOD *method)
{
    BIO *bio = BIO_new(method);
    BUF_MEM *mem = NULL;
    char large[3000];
    int secure;

    memset(large, 'x', sizeof(large));
    BIO_puts(bio, "secret");
    BIO_get_mem_ptr(bio, &mem);
    secure = mem != NULL && CRYPTO_secure_allocated(mem->data);
    BIO_write(bio, large, sizeof(large));
    BIO_get_mem_ptr(bio, &mem);
    if (secure != CRYPTO_secure_allocated(mem->data))
        secure = -1;
    BIO_free(bio);
    return secure;
}

static int stored(void)
{
    size_t before = CRYPTO_secure_used();

    return TEST_true(CRYPTO_secure_malloc_initialized()) && TEST_int_eq(stores(BIO_s_secmem()), 1)
        && TEST_size_t_eq(CRYPTO_secure_used(), before);
}

static int other(void)
{
    return TEST_int_eq(stores(BIO_s_mem()), 0) && TEST_ptr_ne(BIO_s_mem(), BIO_s_secmem());
}

static int same(void)
{
    const BIO_METHOD *method = BIO_s_secmem();

    return TEST_ptr_eq(BIO_s_secmem(), method) && TEST_ptr_eq(BIO_s_secmem(), method);
}

static int read_and_written(void)
{
    BIO *bio = BIO_new(BIO_s_secmem());
    char line[32];
    int ok = TEST_int_eq(BIO_puts(bio, "one\ntwo\n"), 8)
        && TEST_int_eq(BIO_write(bio, "three", 5), 5)
        && TEST_size_t_eq(BIO_ctrl_pending(bio), 13)
        && TEST_int_eq(BIO_gets(bio, line, sizeof(line)), 4) && TEST_str_eq(line, "one\n")
        && TEST_int_eq(BIO_read(bio, line, 4), 4) && TEST_mem_eq(line, 4, "two\n", 4)
        && TEST_int_eq(BIO_read(bio, line, sizeof(line)), 5) && TEST_mem_eq(line, 5, "three", 5)
        && TEST_int_eq(BIO_read(bio, line, sizeof(line)), -1) && TEST_true(BIO_should_retry(bio))
        && TEST_true(BIO_eof(bio))
        && TEST_int_eq(BIO_puts(bio, "again"), 5) && TEST_int_eq(BIO_reset(bio), 1)
        && TEST_size_t_eq(BIO_ctrl_pending(bio), 0);

    BIO_free(bio);
    return ok;
}

int setup_tests(void)
{
    CRYPTO_secure_malloc_init(65536, 16);
    add_test("it is a memory BIO", memory);
    add_test("what is written is stored in the secure heap", stored);
    add_test("a BIO of the other kind does not store it there", other);
    add_test("each call gives the same method", same);
    add_test("it is read and written as a memory BIO", read_and_written);
    return 1;
}
