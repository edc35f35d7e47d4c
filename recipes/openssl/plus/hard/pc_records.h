/* For tests of tls_pad.c: a decrypted record: content, MAC, padding. Include it last. */
static unsigned char rec[900], rec_copy[900], rec_mac[64];
static unsigned char *found_mac;
static int was_alloced;
static size_t reclen;

/* The record of these parts; `padding` counts the length byte, 0 for none. */
static void record(size_t content, size_t mac_size, size_t padding)
{
    size_t i;

    for (i = 0; i < sizeof(rec); i++)
        rec[i] = (unsigned char)(i * 31 + 5);
    for (i = 0; i < mac_size; i++)
        rec[content + i] = rec_mac[i] = (unsigned char)(0x80 ^ (i * 7 + content + padding));
    memset(rec + content + mac_size, (int)padding - 1, padding);
    memcpy(rec_copy, rec, sizeof(rec));
    reclen = content + mac_size + padding;
    found_mac = NULL;
    was_alloced = 0;
}

/* Is the MAC found, or, if not, another one? The record stays. Frees it. */
static int mac_found(size_t content, size_t mac_size, int found)
{
    int ok = TEST_size_t_eq(reclen, content) && TEST_ptr(found_mac)
        && TEST_mem_eq(rec, sizeof(rec), rec_copy, sizeof(rec))
        && (found ? TEST_mem_eq(found_mac, mac_size, rec_mac, mac_size)
                  : TEST_mem_ne(found_mac, mac_size, rec_mac, mac_size));

    if (was_alloced)
        OPENSSL_free(found_mac);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}
