/* What the plus tests of quotearg.c share: the file itself, and a message catalog of their own. */
#ifndef QUOTING_H
#define QUOTING_H
#include "plus.h"
#undef ENABLE_NLS
#define ENABLE_NLS 1
#include "../quotearg.c"
#include <libintl.h>
#undef gettext
#undef dgettext
#undef dcgettext

/* The catalog's translations of the two quotes, and what each look into the catalog leaves in errno. */
static const char *left_translation, *right_translation;
static int spoiled;

static char *translate(const char *id) {
    if (spoiled) errno = spoiled;
    if (same(id, "`") && left_translation) return (char *)left_translation;
    if (same(id, "'") && right_translation) return (char *)right_translation;
    return (char *)id;
}

char *gettext(const char *id) {
    return translate(id);
}

char *dgettext(const char *domain, const char *id) {
    return translate(id);
}

char *dcgettext(const char *domain, const char *id, int category) {
    return translate(id);
}

/* Options of that style, and no others. */
static inline struct quoting_options styled(enum quoting_style style) {
    return (struct quoting_options) {.style = style};
}

static inline void quote_also(struct quoting_options *o, unsigned char c) {
    o->quote_these_too[c / INT_BITS] |= 1u << c % INT_BITS;
}

static inline int quotes_also(const struct quoting_options *o, unsigned char c) {
    return o->quote_these_too[c / INT_BITS] >> c % INT_BITS & 1;
}

static inline void default_style(enum quoting_style style) {
    default_quoting_options = styled(style);
}

/* The text, quoted as the options say, without any storage slot. */
static inline const char *with(const struct quoting_options *o, const char *text) {
    static char room[2000];
    const struct quoting_options *p = o ? o : &default_quoting_options;
    size_t size = quotearg_buffer_restyled(room, sizeof(room), text, strlen(text), p->style, p->flags,
                                           p->quote_these_too, p->left_quote, p->right_quote);
    return size < sizeof(room) ? room : "too long";
}

static inline int equal(const struct quoting_options *a, const struct quoting_options *b) {
    return a->style == b->style && a->flags == b->flags && a->left_quote == b->left_quote &&
        a->right_quote == b->right_quote &&
        !memcmp(a->quote_these_too, b->quote_these_too, sizeof(a->quote_these_too));
}

/* Fills the storage slots from FROM on, and says whether they still hold that. */
enum { SLOTS = 6 };
static char *slot_values[SLOTS];
static inline void fill_slots(void) {
    static const char *texts[SLOTS] = {"zero", "one", "two", "three", "four", "five"};
    for (int i = 0; i < SLOTS; i++) slot_values[i] = quotearg_n_style(i, literal_quoting_style, texts[i]);
}

/* Whether of all slots that fill_slots filled only that of N has changed. */
static inline int only_slot(int n) {
    static const char *texts[SLOTS] = {"zero", "one", "two", "three", "four", "five"};
    for (int i = 0; i < SLOTS; i++) if (i != n && !same(slot_values[i], texts[i])) return 0;
    return 1;
}

/* Whether VALUE is in the storage slot N: whether the next use of that slot, with as long a text, changes it. */
static inline int in_slot(int n, char *value) {
    char text[1000];
    size_t size = strlen(value);
    if (size == 0 || size >= sizeof(text)) return 0;
    memset(text, '~', size);
    text[size] = '\0';
    return quotearg_n_style(n, literal_quoting_style, text) == value && same(value, text);
}
#endif
