/*---
 * tasks: [lyplg_type_store_date_and_time-70c28d.2]
 * instead: [src/plugins_types/date_and_time.c.o]
 * tests:
 *   the time is stored: 'tree_data.h: lyd_value_date_and_time, "UNIX timestamp".'
 *   the offset is taken off: 'RFC 3339; tree_data.h: "UNIX timestamp".'
 *   fractions of a second are stored: 'tree_data.h: "Optional fractions of a second".'
 *   without fractions there are none: 'tree_data.h: "Optional fractions of a second".'
 *   an unknown time zone is marked: 'tree_data.h: "Whether the value is in the special -00:00 timezone".'
 *   another time zone is not unknown: 'tree_data.h: "the special -00:00 timezone".'
 *   a time of an unknown zone is printed as it was: 'yang_types.c; ietf-yang-types: "-00:00 [...] unknown".'
 *   so it is where there is daylight saving: 'lyplg_type_print_date_and_time: "date and time is correct".'
 *   the storage has the type: 'plugins_types.h: lyplg_type_store_clb, lyd_value.realtype.'
 *   what was in the storage does not matter: 'plugins_types.h: lyplg_type_store_clb, "storage".'
 *   a success is told: 'plugins_types.h: lyplg_type_store_clb, "LY_SUCCESS".'
 *   a canonical value is kept: 'plugins_types.h: LY_VALUE_CANON; lyd_value._canonical.'
 *   another format has no canonical value yet: 'lyplg_type_print_date_and_time generates it.'
 *   the value is read by its length: 'plugins_types.h: lyplg_type_store_clb, value_len.'
 *   the value stays the callers: 'plugins_types.h: LYPLG_TYPE_STORE_DYNAMIC is not set.'
 *   a dynamic value is freed: 'plugins_types.h: LYPLG_TYPE_STORE_DYNAMIC, "supposed to be freed".'
 *   a dynamic canonical value is taken: 'plugins_types.h: "or directly inserted into the context dictionary".'
 *   after an error a dynamic value is freed: 'plugins_types.h: "In any case, the caller [...] does not free".'
 *   what is no date and time is refused: 'ietf-yang-types: the pattern of date-and-time.'
 *   a value that is no string is refused: 'plugins_types.h: lyplg_type_check_hints.'
 *   a length out of range is refused: 'RFC 7950 9.4.4: length of a derived type.'
 *   an error is described: 'plugins_types.h: lyplg_type_store_clb, err.'
 *   after an error nothing is stored: 'plugins_types.h: lyplg_type_store_clb; callers do not free storage then.'
 *   a binary value has the time: 'Page howtoDataLYBTypesDateAndTime: 8 bytes, UNIX timestamp.'
 *   a binary value may mark an unknown time zone: 'Page howtoDataLYBTypesDateAndTime: 1 byte.'
 *   a binary value may have fractions: 'Page howtoDataLYBTypesDateAndTime: "string with the fraction digits".'
 *   a short binary value is refused: 'Page howtoDataLYBTypesDateAndTime: 8 bytes are mandatory.'
 *   a binary value with other characters is refused: 'Page howtoDataLYBTypesDateAndTime: digits.'
 *   what is printed as binary is stored again: 'lyplg_type_print_date_and_time.'
 *   a dynamic binary value is freed: 'plugins_types.h: LYPLG_TYPE_STORE_DYNAMIC.'
 *   values are freed: 'lyplg_type_free_date_and_time.'
 *   a value that matches all patterns is valid: 'plugins_types.h: "LY_SUCCESS when str matches all the patterns".'
 *   each pattern has to match: 'plugins_types.h: "matches all the patterns".'
 *   a pattern matches the whole value: 'RFC 7950 9.4.5: XML Schema patterns are anchored.'
 *   an inverted pattern must not match: 'RFC 7950 9.4.6: invert-match.'
 *   without patterns all is valid: 'plugins_types.h: patterns is a sized array, which may be NULL.'
 *   the length of the value counts: 'plugins_types.h: "Length (number of bytes) of the string to validate".'
 *   an empty value is validated: 'plugins_types.h: str_len.'
 *   patterns are of characters: 'RFC 7950 9.4: a string is of Unicode characters.'
 *   a valid value has no error: 'plugins_types.h: "Error information in case of failure".'
 *   an invalid value has an error: 'plugins_types.h: err; "LY_EVALID".'
 *   the error has message and tag of the pattern: 'RFC 7950 9.4.5: error-message, error-app-tag.'
 *   validation leaves but the error: 'plugins_types.h: "can be freed by ly_err_free()".'
 ---*/
#include "../plugins_types/date_and_time.c"
#include "yang.h"

static const char module[] =
    "module m {yang-version 1.1; namespace urn:m; prefix m;"
    "import ietf-yang-types {prefix yang;}"
    "leaf t {type yang:date-and-time;}"
    "leaf s {type yang:date-and-time {length \"22..25\";}}"
    "leaf p {type string {pattern \"[a-z]+\"; pattern \"a.*\"; pattern \".*z\" {modifier invert-match;}}}"
    "leaf q {type string {pattern \"[0-9]*\" {error-message \"digits!\"; error-app-tag \"dig\";}}}"
    "leaf i {type string {pattern \"x|y.*\" {modifier invert-match; error-message \"no x\";}}}"
    "leaf u {type string {pattern \".{3}\";}}"
    "leaf n {type string;}}";

static struct ly_ctx *ctx;
static const struct lysc_type *type, *shorter;
static struct lyd_value v;
static struct ly_err_item *err;
static int all = 1, refusals = 1, described = 1;

static const struct lysc_type *type_of(const char *path) {
    const struct lysc_node *n = lys_find_path(ctx, NULL, path, 0);
    if (!n) plus_die("Bail out! no node\n");
    return ((const struct lysc_node_leaf *)n)->type;
}

static LY_ERR put(const struct lysc_type *t, const void *value, size_t len, uint32_t options, LY_VALUE_FORMAT format) {
    memset(&v, 0xee, sizeof v);
    err = NULL;
    return lyplg_type_store_date_and_time(ctx, t, value, len, options, format, NULL, LYD_HINT_DATA, NULL, &v, NULL,
                                          &err);
}

static const struct lyd_value_date_and_time *stored(void) {
    const struct lyd_value_date_and_time *d;
    LYD_VALUE_GET(&v, d);
    return d;
}

static void drop(void) {
    lyplg_type_free_date_and_time(ctx, &v);
}

/* Whether the text is stored as this time, with these fractions and an unknown zone or not. */
static int is(const char *text, long long time, const char *fractions, int unknown) {
    LY_ERR r = put(type, text, strlen(text), 0, LY_VALUE_JSON);
    all &= r == LY_SUCCESS && !err;
    if (r) return 0;
    const struct lyd_value_date_and_time *d = stored();
    int good = d->time == time && same(d->fractions_s, fractions) && d->unknown_tz == unknown;
    drop();
    return good;
}

/* What is printed of a stored text is the text. */
static int prints(const char *text, const char *expected) {
    if (put(type, text, strlen(text), 0, LY_VALUE_JSON)) return 0;
    int good = same(lyplg_type_print_date_and_time(ctx, &v, LY_VALUE_CANON, NULL, NULL, NULL), expected);
    drop();
    return good;
}

static int refused(const struct lysc_type *t, const void *value, size_t len, LY_VALUE_FORMAT format) {
    long live = plus_live_blocks;
    LY_ERR r = put(t, value, len, 0, format);
    if (!r) {
        drop();
        return 0;
    }
    described &= err && err->msg && err->msg[0] && err->no == r;
    ly_err_free(err);
    refusals &= plus_live_blocks == live;
    return r == LY_EVALID;
}

static int wrong(const char *text) {
    return refused(type, text, strlen(text), LY_VALUE_JSON);
}

static void zone(const char *name) {
    setenv("TZ", name, 1);
    tzset();
}

static struct lysc_pattern **patterns(const char *path) {
    return ((const struct lysc_type_str *)type_of(path))->patterns;
}

static int none = 1, some = 1;

static int matches(const char *path, const char *text) {
    struct ly_err_item *e = (void *)1;
    LY_ERR r = lyplg_type_validate_patterns(patterns(path), text, strlen(text), &e);
    if (r) {
        some &= r == LY_EVALID && e && e->no == LY_EVALID && e->msg && e->msg[0];
        ly_err_free(e);
        return 0;
    }
    none &= e == NULL;
    return 1;
}

int main(void) {
    plus_start();
    ctx = yang_context(module);
    ly_log_options(0);
    zone("UTC0");
    type = type_of("/m:t");
    shorter = type_of("/m:s");
    ok("the time is stored",
       is("2005-05-25T23:15:15Z", 1117062915, NULL, 0) && is("1970-01-01T00:00:01Z", 1, NULL, 0) &&
       is("2000-02-29T12:00:00Z", 951825600, NULL, 0) && is("1969-12-31T23:59:58Z", -2, NULL, 0));
    ok("the offset is taken off",
       is("2005-05-25T23:15:15+02:00", 1117062915 - 7200, NULL, 0) &&
       is("2005-05-25T23:15:15-05:30", 1117062915 + 19800, NULL, 0) &&
       is("2005-05-25T23:15:15+00:00", 1117062915, NULL, 0));
    ok("fractions of a second are stored",
       is("2005-05-25T23:15:15.88Z", 1117062915, "88", 0) && is("2005-05-25T23:15:15.0500Z", 1117062915, "0500", 0) &&
       is("2005-05-25T23:15:15.123456789012+01:00", 1117062915 - 3600, "123456789012", 0));
    ok("without fractions there are none", is("2005-05-25T23:15:15Z", 1117062915, NULL, 0));
    ok("an unknown time zone is marked",
       is("2005-05-25T23:15:15-00:00", 1117062915, NULL, 1) && is("2005-05-25T23:15:15.5-00:00", 1117062915, "5", 1));
    ok("another time zone is not unknown",
       is("2005-05-25T23:15:15+00:00", 1117062915, NULL, 0) &&
       is("2005-05-25T23:15:15-10:00", 1117062915 + 36000, NULL, 0));
    zone("EST5");
    int good = prints("2005-05-25T23:15:15-00:00", "2005-05-25T23:15:15-00:00");
    good &= prints("2005-12-31T23:15:15.25-00:00", "2005-12-31T23:15:15.25-00:00");
    zone("CET-1");
    good &= prints("2005-05-25T00:15:15-00:00", "2005-05-25T00:15:15-00:00");
    ok("a time of an unknown zone is printed as it was", good);
    zone("EST5EDT,M3.2.0,M11.1.0");
    good = prints("2005-07-25T23:15:15-00:00", "2005-07-25T23:15:15-00:00");
    ok("so it is where there is daylight saving",
       good && prints("2005-01-25T23:15:15-00:00", "2005-01-25T23:15:15-00:00"));
    zone("UTC0");

    char text[] = "2005-05-25T23:15:15.88Z";
    LY_ERR r = put(type, text, strlen(text), 0, LY_VALUE_CANON);
    ok("a success is told", r == LY_SUCCESS && !err && all);
    if (r) exit(1);
    ok("the storage has the type", v.realtype == type);
    ok("a canonical value is kept", same(v._canonical, "2005-05-25T23:15:15.88Z") && v._canonical != text);
    ok("the value stays the callers", same(text, "2005-05-25T23:15:15.88Z"));
    drop();
    r = put(type, text, strlen(text), 0, LY_VALUE_XML);
    ok("another format has no canonical value yet", !r && !v._canonical);
    ok("what was in the storage does not matter",
       !r && same(lyplg_type_print_date_and_time(ctx, &v, LY_VALUE_CANON, NULL, NULL, NULL),
                  "2005-05-25T23:15:15.88+00:00"));
    drop();
    r = put(type, "2005-05-25T23:15:15-00:00</t>", 25, 0, LY_VALUE_CANON);
    good = !r && stored()->time == 1117062915 && stored()->unknown_tz;
    good = good && same(v._canonical, "2005-05-25T23:15:15-00:00");
    drop();
    r = put(type, "2005-05-25T23:15:15Z</t> -00:00", 20, 0, LY_VALUE_XML);
    ok("the value is read by its length", good && !r && stored()->time == 1117062915 && !stored()->unknown_tz);
    drop();

    long live = plus_live_blocks;
    char *mine = strdup("2005-05-25T23:15:15.7Z");
    r = put(type, mine, strlen(mine), LYPLG_TYPE_STORE_DYNAMIC, LY_VALUE_JSON);
    good = !r && plus_dead(mine);
    drop();
    ok("a dynamic value is freed", good && plus_live_blocks == live);
    mine = strdup("2005-05-25T23:15:15.7Z");
    r = put(type, mine, strlen(mine), LYPLG_TYPE_STORE_DYNAMIC, LY_VALUE_CANON);
    good = !r && same(v._canonical, "2005-05-25T23:15:15.7Z");
    drop();
    ok("a dynamic canonical value is taken", good && plus_dead(mine) && plus_live_blocks == live);
    mine = strdup("no date");
    r = put(type, mine, strlen(mine), LYPLG_TYPE_STORE_DYNAMIC, LY_VALUE_CANON);
    good = r == LY_EVALID && plus_dead(mine);
    ly_err_free(err);
    mine = strdup("1234");
    r = put(type, mine, 4, LYPLG_TYPE_STORE_DYNAMIC, LY_VALUE_LYB);
    good &= r == LY_EVALID && plus_dead(mine);
    ly_err_free(err);
    ok("after an error a dynamic value is freed", good && plus_live_blocks == live);

    ok("what is no date and time is refused",
       wrong("") && wrong("2005-05-25") && wrong("2005-05-25T23:15:15") && wrong("2005-05-25 23:15:15Z") &&
       wrong("2005-05-25T23:15:15Zx") && wrong("x2005-05-25T23:15:15Z") && wrong("2005-05-25T23:15:15.Z") &&
       wrong("2005-05-25T23:15Z"));
    memset(&v, 0xee, sizeof v);
    r = lyplg_type_store_date_and_time(ctx, type, text, strlen(text), 0, LY_VALUE_JSON, NULL, LYD_VALHINT_DECNUM,
                                       NULL, &v, NULL, &err);
    ok("a value that is no string is refused", r == LY_EVALID && err);
    ly_err_free(err);
    good = refused(shorter, "2005-05-25T23:15:15Z", 20, LY_VALUE_JSON);
    good &= refused(shorter, "2005-05-25T23:15:15.4+01:00", 27, LY_VALUE_JSON);
    r = put(shorter, "2005-05-25T23:15:15+01:00", 25, 0, LY_VALUE_JSON);
    ok("a length out of range is refused", good && !r && v.realtype == shorter);
    drop();

    int64_t number = 1117062915;
    char packed[40];
    memcpy(packed, &number, 8);
    r = put(type, packed, 8, 0, LY_VALUE_LYB);
    good = !r && stored()->time == 1117062915 && !stored()->fractions_s && !stored()->unknown_tz && v.realtype == type;
    ok("a binary value has the time", good && !v._canonical);
    drop();
    packed[8] = 1;
    r = put(type, packed, 9, 0, LY_VALUE_LYB);
    good = !r && stored()->time == 1117062915 && !stored()->fractions_s && stored()->unknown_tz == 1;
    drop();
    packed[8] = 0;
    r = put(type, packed, 9, 0, LY_VALUE_LYB);
    ok("a binary value may mark an unknown time zone", good && !r && stored()->unknown_tz == 0);
    drop();
    memcpy(packed + 9, "0789x9", 6);
    r = put(type, packed, 13, 0, LY_VALUE_LYB);
    good = !r && same(stored()->fractions_s, "0789") && !stored()->unknown_tz;
    drop();
    packed[8] = 1;
    r = put(type, packed, 10, 0, LY_VALUE_LYB);
    ok("a binary value may have fractions", good && !r && same(stored()->fractions_s, "0") && stored()->unknown_tz);
    drop();
    ok("a short binary value is refused",
       refused(type, packed, 7, LY_VALUE_LYB) && refused(type, packed, 1, LY_VALUE_LYB) &&
       refused(type, "", 0, LY_VALUE_LYB));
    ok("a binary value with other characters is refused",
       refused(type, packed, 14, LY_VALUE_LYB) && refused(type, packed, 15, LY_VALUE_LYB));
    put(type, "2005-05-25T23:15:15.125-00:00", 29, 0, LY_VALUE_JSON);
    ly_bool dynamic = 0;
    size_t len = 0;
    const void *out = lyplg_type_print_date_and_time(ctx, &v, LY_VALUE_LYB, NULL, &dynamic, &len);
    struct lyd_value first = v;
    r = put(type, out, len, 0, LY_VALUE_LYB);
    ok("what is printed as binary is stored again",
       !r && stored()->time == 1117062915 && same(stored()->fractions_s, "125") && stored()->unknown_tz &&
       lyplg_type_compare_date_and_time(&v, &first) == LY_SUCCESS);
    drop();
    v = first;
    drop();
    if (dynamic) free((void *)out);
    live = plus_live_blocks;
    mine = malloc(11);
    memcpy(mine, packed, 11);
    r = put(type, mine, 11, LYPLG_TYPE_STORE_DYNAMIC, LY_VALUE_LYB);
    good = !r && plus_dead(mine) && same(stored()->fractions_s, "07");
    drop();
    ok("a dynamic binary value is freed", good && plus_live_blocks == live);
    put(type, text, strlen(text), 0, LY_VALUE_CANON);
    drop();
    put(type, packed, 11, 0, LY_VALUE_LYB);
    drop();
    ok("values are freed", plus_live_blocks == live);
    ok("an error is described", described);
    ok("after an error nothing is stored", refusals);

    ok("a value that matches all patterns is valid",
       matches("/m:p", "abc") && matches("/m:p", "a") && matches("/m:q", "12"));
    ok("each pattern has to match",
       !matches("/m:p", "bcd") && !matches("/m:p", "a1") && !matches("/m:p", "abz") && !matches("/m:q", "x"));
    ok("a pattern matches the whole value",
       !matches("/m:q", "12x") && !matches("/m:q", "x12") && !matches("/m:u", "abcd") && !matches("/m:u", "ab"));
    ok("an inverted pattern must not match",
       !matches("/m:i", "x") && !matches("/m:i", "yes") && matches("/m:i", "xx") && matches("/m:i", "ay"));
    ok("without patterns all is valid", matches("/m:n", "any") && patterns("/m:n") == NULL);
    struct ly_err_item *e = NULL;
    good = lyplg_type_validate_patterns(patterns("/m:q"), "12x", 2, &e) == LY_SUCCESS && !e;
    good &= lyplg_type_validate_patterns(patterns("/m:u"), "abcdef", 3, &e) == LY_SUCCESS && !e;
    r = lyplg_type_validate_patterns(patterns("/m:u"), "abcdef", 4, &e);
    ok("the length of the value counts", good && r == LY_EVALID);
    ly_err_free(e);
    ok("an empty value is validated", matches("/m:q", "") && !matches("/m:p", "") && matches("/m:i", ""));
    ok("patterns are of characters", matches("/m:u", "\xc5\xa1\xc3\xa9z") && !matches("/m:u", "\xc5\xa1z"));
    ok("a valid value has no error", none);
    ok("an invalid value has an error", some);
    e = NULL;
    r = lyplg_type_validate_patterns(patterns("/m:q"), "x", 1, &e);
    good = r == LY_EVALID && e && same(e->msg, "digits!") && same(e->apptag, "dig") && e->vecode == LYVE_DATA;
    ly_err_free(e);
    e = NULL;
    r = lyplg_type_validate_patterns(patterns("/m:i"), "x", 1, &e);
    ok("the error has message and tag of the pattern", good && e && same(e->msg, "no x") && e->apptag == NULL);
    ly_err_free(e);
    live = plus_live_blocks;
    matches("/m:p", "abc");
    matches("/m:p", "abz");
    matches("/m:q", "x");
    ok("validation leaves but the error", plus_live_blocks == live);
    return plus_end();
}
