/*---
 * tasks: [hdrl_iter_init-1d5272]
 * tests:
 *   an iterator is made: 'Docstring: "initialize an iterator".'
 *   next is called with the iterator: 'Docstring: "called with the iterator as first argument".'
 *   reset is called with the iterator: 'The same; hdrl_iter_reset.'
 *   length is called with the iterator: 'The same; hdrl_iter_length.'
 *   the state is kept: 'Docstring: "from this the state can be received with hdrl_iter_state(it)".'
 *   the flags are kept: 'hdrl_iter_check: "true or false depending wheter iterator has flags set".'
 *   each pair of kinds is accepted: 'Docstring: INPUT or OUTPUT, IMAGE or IMAGELIST.'
 *   further flags are accepted: 'hdrl_iter.h: OWNS_DATA, CONST, ALLOW_EMPTY; hdrl_frameiter.c passes them.'
 *   reset may be NULL: 'Docstring: "function pointer or NULL"; hdrl_iter_reset: UNSUPPORTED_MODE.'
 *   length may be NULL: 'Docstring: "function pointer or NULL"; hdrl_iter_length: UNSUPPORTED_MODE.'
 *   no direction is refused: 'Docstring: "The options are"; it provides data or a buffer.'
 *   both directions are refused: 'The same.'
 *   no kind of data is refused: 'Docstring: "The iterator type defines what kind of data is returned".'
 *   both kinds of data are refused: 'The same; next returns one of them.'
 *   no flags at all are refused: 'The same.'
 *   no next is refused: 'Docstring: only reset and length may be NULL.'
 *   no state is refused: 'The same.'
 *   a refusal leaves nothing behind: 'Returns no iterator that could be deleted.'
 *   the destructor is called once with the iterator: 'hdrl_iter_delete calls it before it frees the iterator.'
 ---*/
#include "plus.h"
#include "hdrl_types.h"
#include "hdrl_iter.h"

static int values[3] = {5, 6, 7}, at, resets, destroyed;
static hdrl_iter *seen;

static void *next(hdrl_iter *it)
{
    seen = it;
    return at < 3 ? &values[at++] : NULL;
}

static void reset(hdrl_iter *it)
{
    seen = it;
    at = 0;
    resets++;
}

static cpl_size length(hdrl_iter *it)
{
    seen = it;
    return 3;
}

static void destroy(void *it)
{
    seen = it;
    destroyed++;
}

static int refused(hdrl_iter_next_f *n, int flags, void *state, int code)
{
    hdrl_iter *it = hdrl_iter_init(n, reset, length, destroy, flags, state);
    int set = error();

    return it == NULL && (code ? set == code : set != 0);
}

int main(void)
{
    static const int all[] = {HDRL_ITER_IMAGE, HDRL_ITER_IMAGELIST, HDRL_ITER_INPUT, HDRL_ITER_OUTPUT,
                              HDRL_ITER_OWNS_DATA, HDRL_ITER_CONST, HDRL_ITER_ALLOW_EMPTY};
    const int usual = HDRL_ITER_INPUT | HDRL_ITER_IMAGE;
    const int further = HDRL_ITER_OWNS_DATA | HDRL_ITER_CONST | HDRL_ITER_ALLOW_EMPTY;
    hdrl_iter *it;
    long live;
    int good, i, state;

    begin();
    it = hdrl_iter_init(next, reset, length, destroy, usual, &state);
    check("an iterator is made", it != NULL && error() == 0);
    good = hdrl_iter_next(it) == &values[0] && seen == it;
    good = good && hdrl_iter_next(it) == &values[1] && hdrl_iter_next(it) == &values[2] && !hdrl_iter_next(it);
    check("next is called with the iterator", good);
    seen = NULL;
    hdrl_iter_reset(it);
    check("reset is called with the iterator", seen == it && resets == 1 && hdrl_iter_next(it) == &values[0]);
    seen = NULL;
    check("length is called with the iterator", hdrl_iter_length(it) == 3 && seen == it && resets == 1);
    check("the state is kept", hdrl_iter_state(it) == &state);
    good = error() == 0;
    for (i = 0; i < 7; i++)
        good = good && !hdrl_iter_check(it, all[i]) == !(all[i] & usual);
    check("the flags are kept", good && hdrl_iter_check(it, usual));
    hdrl_iter_delete(it);

    for (good = 1, i = 0; i < 4; i++) {
        int flags = (i & 1 ? HDRL_ITER_INPUT : HDRL_ITER_OUTPUT) | (i & 2 ? HDRL_ITER_IMAGE : HDRL_ITER_IMAGELIST);

        it = hdrl_iter_init(next, reset, length, destroy, flags, &state);
        good = good && it && error() == 0 && hdrl_iter_check(it, flags) && !hdrl_iter_check(it, 15);
        hdrl_iter_delete(it);
    }
    check("each pair of kinds is accepted", good);
    it = hdrl_iter_init(next, reset, length, destroy, usual | further, &state);
    check("further flags are accepted", it && error() == 0 && hdrl_iter_check(it, usual | further));
    hdrl_iter_delete(it);
    it = hdrl_iter_init(next, NULL, length, destroy, usual, &state);
    good = it && error() == 0 && hdrl_iter_length(it) == 3;
    hdrl_iter_reset(it);
    check("reset may be NULL", good && error() == CPL_ERROR_UNSUPPORTED_MODE);
    hdrl_iter_delete(it);
    it = hdrl_iter_init(next, reset, NULL, destroy, usual, &state);
    good = it && error() == 0 && hdrl_iter_length(it) == -1 && error() == CPL_ERROR_UNSUPPORTED_MODE;
    resets = 0;
    hdrl_iter_reset(it);
    check("length may be NULL", good && error() == 0 && resets == 1);
    hdrl_iter_delete(it);

    refused(next, 0, &state, 0);
    live = plus_live;
    check("no direction is refused", refused(next, HDRL_ITER_IMAGE, &state, CPL_ERROR_ILLEGAL_INPUT) &&
          refused(next, HDRL_ITER_IMAGELIST | further, &state, CPL_ERROR_ILLEGAL_INPUT));
    good = refused(next, usual | HDRL_ITER_OUTPUT, &state, CPL_ERROR_ILLEGAL_INPUT);
    check("both directions are refused", good);
    check("no kind of data is refused", refused(next, HDRL_ITER_INPUT, &state, CPL_ERROR_ILLEGAL_INPUT) &&
          refused(next, HDRL_ITER_OUTPUT | further, &state, CPL_ERROR_ILLEGAL_INPUT));
    good = refused(next, usual | HDRL_ITER_IMAGELIST, &state, CPL_ERROR_ILLEGAL_INPUT);
    check("both kinds of data are refused", good);
    check("no flags at all are refused", refused(next, 0, &state, 0) && refused(next, further, &state, 0));
    check("no next is refused", refused(NULL, usual, &state, CPL_ERROR_NULL_INPUT));
    check("no state is refused", refused(next, usual, NULL, CPL_ERROR_NULL_INPUT));
    check("a refusal leaves nothing behind", plus_live == live);

    destroyed = 0;
    seen = NULL;
    it = hdrl_iter_init(next, reset, length, destroy, usual, &state);
    good = destroyed == 0;
    hdrl_iter_delete(it);
    check("the destructor is called once with the iterator", good && destroyed == 1 && seen == it &&
          plus_live == live);
    return checked();
}
