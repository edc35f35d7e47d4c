/*---
 * tasks: [quotearg_n_options-346a98]
 * tests:
 *   the argument is quoted as the style says: 'Comment: "OPTIONS specifies the quoting options".'
 *   the flags are heeded: 'Comment: "OPTIONS specifies the quoting options".'
 *   the further characters are quoted: 'Comment: "OPTIONS specifies the quoting options"; quotearg_char.'
 *   the custom quotes are used: 'Comment: "OPTIONS specifies the quoting options"; quotearg_n_custom.'
 *   the default options do not matter: 'Comment: "OPTIONS specifies the quoting options".'
 *   the largest size means a string: 'Comment: "if that is SIZE_MAX, ARG is a null-terminated string".'
 *   only as much as the size says is quoted: 'Comment: "ARG is of size ARGSIZE".'
 *   null bytes are quoted: 'quotearg.h: quotearg_n_mem, "it can quote null bytes".'
 *   null bytes that are not quoted are elided: 'quotearg.h: the output is without "embedded null bytes".'
 *   other flags are heeded beside: 'quotearg.h: QA_ELIDE_OUTER_QUOTES, QA_SPLIT_TRIGRAPHS.'
 *   slots keep their values: 'Comment: storage can be reused by "the next call ... with the same value of N".'
 *   a slot far behind can be used: 'Comment: N "must be less than MIN (INT_MAX, IDX_MAX)".'
 *   slots between can be used later: 'Comment: "Use storage slot N"; "N must be nonnegative".'
 *   slot 0 keeps its value when there are more slots: 'Comment: reused by "the next call" with the same N.'
 *   a slot can be used again for a longer text: 'Comment: "static storage that can be reused by the next call".'
 *   a slot can be used again for a shorter text: 'Comment: "static storage that can be reused by the next call".'
 *   texts of each length are whole: 'Comment: "a quoted version of argument ARG".'
 *   texts that grow by one are whole in slot 0 too: 'Comment: "a quoted version of argument ARG".'
 *   a long text is whole: 'Comment: "a quoted version of argument ARG".'
 *   a short text in slot 0 needs no memory: 'Comment of slot0: a message about memory can always quote in slot 0.'
 *   the text is in storage of its own: 'Comment: "The returned value points to static storage".'
 *   storage is reused or freed: 'Comment: "static storage that can be reused by the next call".'
 *   quotearg_free frees all: 'quotearg.h declares it; its body frees what the slots have.'
 *   after quotearg_free slots can be used: 'quotearg_free sets the slots back.'
 *   errno stays: 'Callers give errno and a quoted name to error in one call.'
 *   errno stays where memory is allocated: 'Callers give errno and a quoted name to error in one call.'
 *   the options stay: 'Its parameter is const.'
 ---*/
#include "quoting.h"
#include "quote.h"

static struct quoting_options literal, c, escape;

static char *put(int n, const char *text) {
    return quotearg_n_options(n, text, SIZE_MAX, &literal);
}

static int holds(const char *value, char c, size_t size) {
    for (size_t i = 0; i < size; i++) if (value[i] != c) return 0;
    return value[size] == '\0';
}

/* Whether a text of SIZE characters C is whole in slot N. */
static int whole(int n, char c, size_t size) {
    static char text[70001];
    memset(text, c, size);
    text[size] = '\0';
    return holds(put(n, text), c, size);
}

int main(void) {
    plus_start();
    literal = styled(literal_quoting_style);
    c = styled(c_quoting_style);
    escape = styled(escape_quoting_style);
    long live = plus_live_blocks, made = plus_allocations;
    char text[300];
    memset(text, 'm', 100);
    text[100] = '\0';
    char *value = put(0, text);
    ok("a short text in slot 0 needs no memory", plus_allocations == made && holds(value, 'm', 100));
    text[0] = 'x';
    ok("the text is in storage of its own", value[0] == 'm' && (value < text || value >= text + sizeof(text)));

    ok("the argument is quoted as the style says",
       same(quotearg_n_options(0, "a\n", SIZE_MAX, &c), "\"a\\n\"") &&
       same(quotearg_n_options(0, "a\n", SIZE_MAX, &escape), "a\\n") && same(put(0, "a\n"), "a\n"));
    struct quoting_options flagged = {c_quoting_style, QA_ELIDE_OUTER_QUOTES};
    int good = same(quotearg_n_options(1, "ab", SIZE_MAX, &flagged), "ab");
    flagged.flags = QA_SPLIT_TRIGRAPHS;
    ok("the flags are heeded", good && same(quotearg_n_options(1, "?" "?/", 3, &flagged), "\"?\"\"?/\""));
    struct quoting_options more = escape;
    quote_also(&more, ':');
    ok("the further characters are quoted", same(quotearg_n_options(2, "a:b", SIZE_MAX, &more), "a\\:b"));
    struct quoting_options custom = {custom_quoting_style, 0, {0}, "<<", ">"}, kept = custom;
    ok("the custom quotes are used", same(quotearg_n_options(2, "a>b", SIZE_MAX, &custom), "<<a\\>b>"));
    ok("the options stay", equal(&custom, &kept));
    struct quoting_options others = {custom_quoting_style, QA_ELIDE_OUTER_QUOTES, {~0u}, "[", "]"};
    default_quoting_options = others;
    ok("the default options do not matter",
       same(quotearg_n_options(0, "a\n", SIZE_MAX, &c), "\"a\\n\"") && same(put(0, "a b"), "a b"));
    default_quoting_options = literal;

    ok("the largest size means a string", same(put(1, "ab\0cd"), "ab") && same(put(1, ""), ""));
    ok("only as much as the size says is quoted", same(quotearg_n_options(0, "abcd", 2, &literal), "ab") &&
       same(quotearg_n_options(1, "abcd", 0, &c), "\"\"") && same(quotearg_n_options(2, "abcd", 4, &c), "\"abcd\""));
    ok("null bytes are quoted", same(quotearg_n_options(0, "a\0b", 3, &c), "\"a\\0b\"") &&
       same(quotearg_n_options(1, "a\0b\0", 4, &escape), "a\\0b\\0"));
    struct quoting_options always = styled(shell_always_quoting_style);
    ok("null bytes that are not quoted are elided", same(quotearg_n_options(0, "a\0b\0c", 5, &literal), "abc") &&
       same(quotearg_n_options(1, "\0a", 2, &literal), "a") &&
       same(quotearg_n_options(1, "a\0b", 3, &always), "'ab'"));
    always.flags = QA_ELIDE_OUTER_QUOTES;
    ok("other flags are heeded beside", same(quotearg_n_options(1, "a\0b", 3, &always), "ab") &&
       same(quotearg_n_options(1, "a b", 3, &always), "'a b'"));

    char *v[8];
    for (int i = 0; i < 8; i++) {
        char name[] = "slot 0";
        name[5] += i;
        v[i] = put(i, name);
    }
    good = 1;
    for (int i = 0; i < 8; i++) {
        char name[] = "slot 0";
        name[5] += i;
        good &= same(v[i], name);
    }
    put(3, "other");
    ok("slots keep their values", good && same(v[2], "slot 2") && same(v[4], "slot 4") && same(v[0], "slot 0"));
    quotearg_free();
    v[0] = put(0, "first");
    v[1] = put(500, "far");
    ok("a slot far behind can be used", same(v[1], "far"));
    int between = 1;
    for (int i = 1; i < 500; i += 7) between &= same(put(i, "between"), "between");
    ok("slots between can be used later", between && same(v[1], "far"));
    put(5000, "farther");
    ok("slot 0 keeps its value when there are more slots", same(v[0], "first") && same(v[1], "far"));
    quotearg_free();

    put(1, "short");
    good = same(put(1, "a longer text than the one before"), "a longer text than the one before");
    ok("a slot can be used again for a longer text", good && whole(1, 'l', 300) && whole(0, 'l', 300));
    ok("a slot can be used again for a shorter text", same(put(1, "tiny"), "tiny") && same(put(0, "tiny"), "tiny") &&
       same(put(1, ""), ""));
    quotearg_free();
    int each = 1, grows = 1;
    for (size_t size = 0; size < 600; size++) {
        each &= whole(1, 'e', size) && whole(2, 'f', 600 - size);
        grows &= whole(0, 'g', size);
    }
    ok("texts of each length are whole", each);
    ok("texts that grow by one are whole in slot 0 too", grows);
    ok("a long text is whole", whole(0, 'h', 70000) && whole(4, 'i', 70000) && whole(0, 'j', 255) &&
       whole(0, 'k', 256));
    quotearg_free();
    ok("quotearg_free frees all", plus_live_blocks == live);
    ok("after quotearg_free slots can be used", same(put(0, "again"), "again") && same(put(3, "more"), "more"));
    quotearg_free();

    long before = plus_live_blocks;
    for (size_t size = 0; size < 2000; size++) {
        whole(0, 'r', size);
        whole(1, 'r', size);
        whole(2, 'r', 10);
    }
    ok("storage is reused or freed", plus_live_blocks - before < 10);
    quotearg_free();

    struct quoting_options quotes = styled(locale_quoting_style);
    spoiled = EINVAL;
    errno = ENOENT;
    value = quotearg_n_options(0, "a", SIZE_MAX, &quotes);
    good = errno == ENOENT && same(value, "'a'");
    errno = 0;
    quotearg_n_options(0, "b", 1, &quotes);
    ok("errno stays", good && errno == 0);
    errno = EACCES;
    quotearg_n_options(3, "a", SIZE_MAX, &quotes);
    good = errno == EACCES;
    memset(text, 'x', 299);
    text[299] = '\0';
    errno = EPERM;
    quotearg_n_options(0, text, SIZE_MAX, &quotes);
    good &= errno == EPERM;
    errno = ENOTDIR;
    quotearg_n_options(3, text, SIZE_MAX, &quotes);
    ok("errno stays where memory is allocated", good && errno == ENOTDIR);
    return plus_end();
}
