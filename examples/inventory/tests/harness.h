/* TEST(name) { ... } defines a test and adds it to the program; a failed check ends it. */
#ifndef INV_TESTS_HARNESS_H
#define INV_TESTS_HARNESS_H

#ifdef __cplusplus
extern "C" {
#endif

void test_add(const char *name, void (*run)(void));

/* End the running test as failed. */
void test_fail(const char *file, int line, const char *format, ...);
void check_int(const char *file, int line, const char *text, long long got, long long want);
void check_str(const char *file, int line, const char *text, const char *got, const char *want);

#ifdef __cplusplus
}
#endif

#define TEST(name) \
    static void name(void); \
    __attribute__((constructor)) static void add_##name(void) \
    { \
        test_add(#name, name); \
    } \
    static void name(void)

#define CHECK(condition) \
    do { \
        if (!(condition)) \
            test_fail(__FILE__, __LINE__, "CHECK(%s)", #condition); \
    } while (0)
#define INT_EQ(got, want) check_int(__FILE__, __LINE__, "INT_EQ(" #got ", " #want ")", (got), (want))
#define STR_EQ(got, want) check_str(__FILE__, __LINE__, "STR_EQ(" #got ", " #want ")", (got), (want))

#endif
