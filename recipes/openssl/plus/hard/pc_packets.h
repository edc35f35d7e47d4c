/* For tests of packet.c: a packet in a buffer of 400 bytes and its lengths. Include it last. */
static unsigned char out[400];
static WPACKET pkt;

static int begin(void)
{
    memset(out, 0x5a, sizeof(out));
    return TEST_true(WPACKET_init_static_len(&pkt, out, sizeof(out), 0));
}

/* A packet with room for so many bytes. */
static int begin_with(size_t room)
{
    memset(out, 0x5a, sizeof(out));
    return TEST_true(WPACKET_init_static_len(&pkt, out, room, 0));
}

static int begin_der(size_t room)
{
    memset(out, 0x5a, sizeof(out));
    return TEST_true(WPACKET_init_der(&pkt, out, room));
}

static int begin_null(void)
{
    return TEST_true(WPACKET_init_null(&pkt, 0));
}

static int end(int ok)
{
    WPACKET_cleanup(&pkt);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int length_is(size_t expected)
{
    size_t length = 9999;

    return TEST_true(WPACKET_get_length(&pkt, &length)) && TEST_size_t_eq(length, expected);
}

static int total_is(size_t expected)
{
    size_t total = 9999;

    return TEST_true(WPACKET_get_total_written(&pkt, &total)) && TEST_size_t_eq(total, expected);
}

static int put(int byte)
{
    return TEST_true(WPACKET_put_bytes_u8(&pkt, byte));
}
