/*---
 * tasks: [snd_config_walk-cb1e25.2]
 * tests:
 *   a leaf is visited once as a leaf: 'snd_config_walk_pass_t: LEAF.'
 *   what the callback says of a leaf is returned: '"Return 1 if node needs to be attached to parent".'
 *   a compound is visited before and after its children: 'snd_config_walk_pass_t: PRE, POST.'
 *   children are visited in their order: 'snd_config_copy: "all children are copied recursively"; the order stays.'
 *   compounds within compounds are walked: 'snd_config_copy: "recursively".'
 *   an empty compound is visited before and after: 'snd_config_walk_pass_t: PRE, POST.'
 *   the root reaches each call: 'snd_config_walk_callback_t: root.'
 *   the function and the private value reach each call: 'snd_config_walk_callback_t: fcn, private_data.'
 *   the destination of the whole is the one given: 'snd_config_walk_callback_t: dst; snd_config_copy.'
 *   each child has a destination of its own: 'snd_config_walk_callback_t: dst; _snd_config_copy makes a node there.'
 *   a new child is attached: '"Return 1 if node needs to be attached to parent".'
 *   a child that is not to be attached is not: '"Return 1 if node needs to be attached to parent".'
 *   a callback that makes no child attaches none: 'Callers: _snd_config_expand gives 0 for no node.'
 *   without a destination children have none: 'Caller snd_config_evaluate without a result.'
 *   without a node in the destination children have none: 'Children are added to the node in the destination.'
 *   a compound that is left out has no visit of its children: '_snd_config_expand: 0 for @args.'
 *   a compound that is left out is told as such: '_snd_config_expand: 0 for @args.'
 *   an error before the children is returned: 'snd_config_copy: "otherwise a negative error code".'
 *   an error of a child is returned and ends the walk: 'snd_config_copy: "otherwise a negative error code".'
 *   after an error of a child the destination is deleted: 'snd_config_copy: the caller has nothing to delete.'
 *   an error after the children is returned: 'snd_config_copy: "otherwise a negative error code".'
 *   after an error at the end the destination is deleted: 'snd_config_copy: the caller has nothing to delete.'
 *   what is left out at the end is deleted: '"Return 1 if node needs to be attached to parent".'
 *   a child that cannot be added is an error: 'snd_config_add: -EEXIST.'
 *   what the callback says at the end is returned: '"Return 2 if compound is replaced with standard node".'
 *   the callback may delete the child that it visits: 'snd_config_evaluate replaces nodes.'
 *   a copy has all nodes: 'snd_config_copy: "deep copy".'
 *   the source stays: 'snd_config_copy: "Handle to the source".'
 *   nothing is left behind: 'snd_config_copy: the caller deletes the copy.'
 *   an iterator points to its node: 'snd_config_iterator_entry: "the handle of the node pointed to by an iterator".'
 *   iterators go over all children: 'snd_config_iterator_entry; snd_config_for_each.'
 ---*/
#include "parser.h"

static snd_config_t *root_wanted, *seen_dst;
static int key, calls, passed, dst_null, dst_filled, fresh, stop_at, stop_with, attach = 1, post = 1;
static char log_text[2000], left_out[20], stop_id[20], gone[20];
static snd_config_walk_pass_t stop_pass;

static int expand(snd_config_t **dst, const char *s, void *private_data)
{
    return 0;
}

/* Writes down the visit and makes a node in the destination, where there is one. */
static int visit(snd_config_t *src, snd_config_t *root, snd_config_t **dst, snd_config_walk_pass_t pass,
                 snd_config_expand_fcn_t fcn, void *private_data)
{
    const char *id = src->id ? src->id : "-";
    char *end = log_text + strlen(log_text);

    calls++;
    snprintf(end, sizeof(log_text) - (end - log_text), "%s%s ", id,
             pass == SND_CONFIG_WALK_PASS_PRE ? "<" : pass == SND_CONFIG_WALK_PASS_POST ? ">" : "");
    passed += root == root_wanted && fcn == expand && private_data == &key;
    if (dst == NULL)
        dst_null++;
    else if (pass != SND_CONFIG_WALK_PASS_POST)
        fresh += *dst == NULL;
    if (strcmp(id, stop_id) == 0 && pass == stop_pass)
        return stop_with;
    if (strcmp(id, left_out) == 0)
        return 0;
    if (strcmp(id, gone) == 0) {
        snd_config_delete(src);
        return 0;
    }
    if (pass == SND_CONFIG_WALK_PASS_POST)
        return post;
    if (dst) {
        if (pass == SND_CONFIG_WALK_PASS_PRE)
            snd_config_make_compound(dst, src->id, 0);
        else
            snd_config_imake_string(dst, src->id, "leaf");
    }
    return pass == SND_CONFIG_WALK_PASS_PRE ? 1 : attach;
}

static snd_config_t *dst;
static int result;

static int walk(snd_config_t *src, int with_dst)
{
    calls = passed = dst_null = fresh = 0;
    log_text[0] = 0;
    dst = NULL;
    result = snd_config_walk(src, root_wanted, with_dst ? &dst : NULL, visit, expand, &key);
    return result;
}

static void stop(const char *id, snd_config_walk_pass_t pass, int with)
{
    strcpy(stop_id, id);
    stop_pass = pass;
    stop_with = with;
}

int main(void)
{
    snd_config_t *top = tree_of("a 1\nb{c 2 d{e 3} f 4}\ng 5"), *leaf = tree_at(top, "a"), *b = tree_at(top, "b");
    snd_config_t *copy, *other, *n;
    snd_config_iterator_t i, next;
    long live;
    int good, j;

    snd_lib_error_set_handler(quiet);
    root_wanted = tree_of("root 1");
    walk(leaf, 1);
    good = calls == 1 && strcmp(log_text, "a ") == 0;
    check("a leaf is visited once as a leaf", good && dst && dst->type == SND_CONFIG_TYPE_STRING);
    snd_config_delete(dst);
    good = result == 1;
    stop("a", SND_CONFIG_WALK_PASS_LEAF, 0);
    good = good && walk(leaf, 1) == 0;
    stop("a", SND_CONFIG_WALK_PASS_LEAF, -EIO);
    good = good && walk(leaf, 1) == -EIO;
    stop("a", SND_CONFIG_WALK_PASS_LEAF, 2);
    check("what the callback says of a leaf is returned", good && walk(leaf, 1) == 2);
    stop("", SND_CONFIG_WALK_PASS_LEAF, 0);

    walk(b, 1);
    good = strncmp(log_text, "b< ", 3) == 0 && strcmp(log_text + strlen(log_text) - 3, "b> ") == 0;
    check("a compound is visited before and after its children", good && result == 1);
    check("children are visited in their order", strcmp(log_text, "b< c d< e d> f b> ") == 0);
    check("compounds within compounds are walked", strstr(log_text, "d< e d>") != NULL && calls == 7);
    check("the root reaches each call", passed == calls);
    check("each child has a destination of its own", fresh == 5 && dst_null == 0);
    check("a new child is attached", dst && tree_is(dst, "c leaf\nd{e leaf}\nf leaf"));
    snd_config_delete(dst);
    walk(top, 1);
    check("the function and the private value reach each call", passed == calls && calls == 11);
    good = dst && tree_is(dst, "a leaf\nb{c leaf d{e leaf} f leaf}\ng leaf");
    check("the destination of the whole is the one given", good);
    snd_config_delete(dst);
    other = tree_of("x{}");
    n = tree_at(other, "x");
    walk(n, 1);
    check("an empty compound is visited before and after", strcmp(log_text, "x< x> ") == 0 && result == 1);
    snd_config_delete(dst);
    stop("c", SND_CONFIG_WALK_PASS_LEAF, 0);
    walk(b, 1);
    check("a callback that makes no child attaches none", result == 1 && dst && tree_is(dst, "d{e leaf}\nf leaf"));
    snd_config_delete(dst);
    stop("c", SND_CONFIG_WALK_PASS_LEAF, 1);
    walk(b, 1);
    good = result == 1 && dst && tree_is(dst, "d{e leaf}\nf leaf");
    snd_config_delete(dst);
    stop("", SND_CONFIG_WALK_PASS_LEAF, 0);
    attach = 0;
    walk(b, 1);
    check("a child that is not to be attached is not", good && result == 1 && dst && tree_is(dst, "d{}"));
    snd_config_delete(dst);
    attach = 1;
    walk(b, 0);
    check("without a destination children have none", result == 1 && calls == 7 && dst_null == 7);
    stop("b", SND_CONFIG_WALK_PASS_PRE, 1);
    walk(b, 1);
    check("without a node in the destination children have none", result == 1 && calls == 7 && dst_null == 5 && !dst);
    stop("d", SND_CONFIG_WALK_PASS_PRE, 0);
    walk(b, 1);
    check("a compound that is left out has no visit of its children", strcmp(log_text, "b< c d< f b> ") == 0);
    good = dst && tree_is(dst, "c leaf\nf leaf");
    snd_config_delete(dst);
    stop("b", SND_CONFIG_WALK_PASS_PRE, 0);
    check("a compound that is left out is told as such", good && walk(b, 1) == 0 && calls == 1);
    stop("b", SND_CONFIG_WALK_PASS_PRE, -ENOMEM);
    good = walk(b, 1) == -ENOMEM && calls == 1;
    stop("d", SND_CONFIG_WALK_PASS_PRE, -EIO);
    check("an error before the children is returned", good && walk(b, 1) == -EIO && strcmp(log_text, "b< c d< ") == 0);

    live = plus_live;
    stop("e", SND_CONFIG_WALK_PASS_LEAF, -EBUSY);
    walk(top, 1);
    check("an error of a child is returned and ends the walk",
          result == -EBUSY && strcmp(log_text, "-< a b< c d< e ") == 0);
    check("after an error of a child the destination is deleted", plus_live == live && plus_bad == 0);
    stop("d", SND_CONFIG_WALK_PASS_POST, -EBUSY);
    walk(top, 1);
    check("an error after the children is returned",
          result == -EBUSY && strcmp(log_text, "-< a b< c d< e d> ") == 0);
    good = plus_live == live;
    stop("b", SND_CONFIG_WALK_PASS_POST, -EPERM);
    good = good && walk(b, 1) == -EPERM;
    check("after an error at the end the destination is deleted", good && plus_live == live && plus_bad == 0);
    stop("b", SND_CONFIG_WALK_PASS_POST, 0);
    good = walk(b, 1) == 0 && plus_live == live;
    good = good && walk(b, 0) == 0 && calls == 7;
    check("what is left out at the end is deleted", good && plus_bad == 0);
    stop("b", SND_CONFIG_WALK_PASS_POST, 2);
    good = walk(b, 1) == 2 && dst && tree_is(dst, "c leaf\nd{e leaf}\nf leaf");
    snd_config_delete(dst);
    check("what the callback says at the end is returned", good && plus_live == live);
    stop("", SND_CONFIG_WALK_PASS_LEAF, 0);
    snd_config_delete(other);

    other = tree_of("a 1\nb 2\nc 3");
    free(tree_at(other, "c")->id);
    for (n = NULL, i = snd_config_iterator_first(other); i != snd_config_iterator_end(other); i = i->next)
        n = snd_config_iterator_entry(i);
    n->id = strdup("a");
    check("a child that cannot be added is an error", walk(other, 1) == -EEXIST);
    snd_config_delete(other);
    other = tree_of("a 1\nb 2\nc 3\nd 4");
    strcpy(gone, "b");
    walk(other, 1);
    strcpy(gone, "d");
    good = result == 1 && strcmp(log_text, "-< a b c d -> ") == 0 && tree_is(other, "a 1\nc 3\nd 4");
    snd_config_delete(dst);
    good = good && walk(other, 1) == 1 && tree_is(other, "a 1\nc 3");
    snd_config_delete(dst);
    gone[0] = 0;
    check("the callback may delete the child that it visits", good);
    snd_config_delete(other);

    copy = NULL;
    good = snd_config_copy(&copy, top) >= 0 && copy && copy != top && tree_same(copy, top);
    check("a copy has all nodes", good);
    check("the source stays", tree_is(top, "a 1\nb{c 2 d{e 3} f 4}\ng 5"));
    snd_config_delete(copy);
    live = plus_live;
    snd_config_copy(&copy, top);
    snd_config_delete(copy);
    walk(top, 1);
    snd_config_delete(dst);
    walk(top, 0);
    check("nothing is left behind", plus_live == live && plus_bad == 0);

    check("an iterator points to its node",
          snd_config_iterator_entry(snd_config_iterator_first(top)) == leaf &&
          snd_config_iterator_entry(snd_config_iterator_next(snd_config_iterator_first(top))) == b);
    j = 0;
    good = 1;
    snd_config_for_each(i, next, top) {
        static const char *const ids[] = {"a", "b", "g"};

        n = snd_config_iterator_entry(i);
        good = good && j < 3 && strcmp(n->id, ids[j]) == 0 && n->parent == top;
        j++;
    }
    check("iterators go over all children", good && j == 3);
    return checked();
}
