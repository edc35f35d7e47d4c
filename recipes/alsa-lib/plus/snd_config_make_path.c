/*---
 * tasks: [snd_config_make_path-2ec9b4.2]
 * tests:
 *   a path of one name is made: 'Docstring: "creates a new empty node of type COMPOUND if the path does not exist".'
 *   a path of several names is made: 'The same; page conf: name.name1 is a compound within a compound.'
 *   the missing part of a path is made: 'Docstring: "if the path does not exist".'
 *   the node at the end is given: 'Docstring: "the handle to the new or existing compound node".'
 *   an existing path is given as it is: 'Docstring: "returned without any modification".'
 *   override leaves an existing compound as it is: 'The same.'
 *   names that begin alike are different: 'Page conf: ids are whole names.'
 *   new nodes are the last children: 'snd_config_add: the new child is added at the end.'
 *   the key is copied: 'Docstring: key is [in].'
 *   the join flag of a new path is set: 'Docstring: a.b "hello".'
 *   without the join flag braces are written: 'Docstring: a { b "hello" }.'
 *   the join flag of an existing node stays: 'Docstring: "The join argument is ignored in this case".'
 *   a value in the place of the compound is refused: 'Docstring: "-EACCESS".'
 *   a refused value stays: 'The same; it is not overridden.'
 *   override replaces a value by a compound: 'Docstring: "Override flag"; the error is for !override.'
 *   override replaces nothing else: 'Docstring: only the path is made.'
 *   a success of make_path is 0: 'Docstring: "Zero if successful".'
 *   no memory is reported: 'Docstring: "-ENOMEM: Out of memory".'
 *   nothing is left behind without memory: 'Docstring: what is made belongs to root.'
 *   a node of each type is deleted: 'snd_config_delete: "frees a configuration node and all its resources".'
 *   a deleted child leaves its parent: 'snd_config_delete: "removed from the tree before being deleted".'
 *   its siblings stay in order: 'The same; the node alone is removed.'
 *   all children may be deleted one by one: 'snd_config_for_each: "allows deleting [...] the current node".'
 *   a parent without children can take new ones: 'The same.'
 *   a subtree is deleted with all below it: 'snd_config_delete: "the whole subtree" "recursively".'
 *   what a pointer points to is not freed: 'snd_config_set_pointer: "does not free the old pointer".'
 *   a node in use is kept: 'snd_config_unref, which calls it: "eventually deletes [...] if all references are gone".'
 *   each reference keeps it once: 'The same.'
 *   the last one deletes a node in use: 'The same.'
 *   a success of delete is 0: 'snd_config_delete: "Zero if successful".'
 *   nothing is freed twice: 'snd_config_delete frees a node.'
 ---*/
#include "tree.h"

static snd_config_t *root, *made;
static int zero;

static int makes(const char *key, int join, int override)
{
    int err;

    made = NULL;
    err = snd_config_make_path(&made, root, key, join, override);
    zero |= err;
    return err == 0 && made && snd_config_get_type(made) == SND_CONFIG_TYPE_COMPOUND && tree_at(root, key) == made;
}

static void begin(const char *text)
{
    if (root)
        snd_config_delete(root);
    root = tree_of(text);
}

int main(void)
{
    static char block[100];
    snd_config_t *n, *a, *b;
    snd_config_iterator_t i, next;
    char key[40], *heap;
    int good, kept, err = 0, j, clean;
    long live, value = 0;

    snd_lib_error_set_handler(quiet);
    live = plus_live;
    begin("");
    good = makes("one", 0, 0) && tree_children(made) == 0 && tree_is(root, "one { }");
    check("a path of one name is made", good);
    begin("");
    good = makes("a.bc.def", 0, 0) && tree_is(root, "a { bc { def { } } }");
    good = good && makes("g.h", 0, 1) && tree_is(root, "a { bc { def { } } } g { h { } }");
    check("a path of several names is made", good);
    begin("a { b { x 1 } }");
    good = makes("a.b.c", 0, 0) && tree_is(root, "a { b { x 1 c { } } }") && makes("a.d.e", 0, 0) &&
           tree_is(root, "a { b { x 1 c { } } d { e { } } }");
    check("the missing part of a path is made", good);
    good = makes("p.q", 0, 0) && snd_config_imake_integer(&n, "v", 5) == 0 && snd_config_add(made, n) == 0 &&
           tree_at(root, "p.q.v") == n;
    a = made;
    check("the node at the end is given", good && makes("p.q", 0, 0) && made == a && makes("p", 0, 0) && made != a);
    begin("a { b { x 1 y [ 2 3 ] } } c 4");
    a = tree_at(root, "a.b");
    good = makes("a.b", 0, 0) && made == a && makes("a", 0, 0) && tree_is(root, "a { b { x 1 y [ 2 3 ] } } c 4");
    check("an existing path is given as it is", good);
    good = makes("a.b", 0, 1) && made == a && makes("a", 0, 1) && tree_is(root, "a { b { x 1 y [ 2 3 ] } } c 4");
    check("override leaves an existing compound as it is", good);
    begin("ab { x 1 } abcd 2");
    good = makes("a.x", 0, 0) && makes("abc.x", 0, 1) && makes("ab.xy", 0, 0) && makes("abcde", 0, 0) &&
           tree_is(root, "ab { x 1 xy { } } abcd 2 a { x { } } abc { x { } } abcde { }");
    check("names that begin alike are different", good);
    begin("m 1 n { o 2 }");
    good = makes("b", 0, 0) && makes("n.a", 0, 0) && makes("a.z", 0, 0) && makes("a.y", 0, 0) &&
           tree_is(root, "m 1 n { o 2 a { } } b { } a { z { } y { } }");
    check("new nodes are the last children", good);
    begin("");
    strcpy(key, "first.second");
    good = makes(key, 0, 0) && strcmp(key, "first.second") == 0;
    memset(key, 'x', sizeof(key) - 1);
    check("the key is copied", good && tree_is(root, "first { second { } }"));
    begin("");
    good = makes("a.b", 1, 0) && snd_config_imake_integer(&n, "c", 7) == 0 && snd_config_add(made, n) == 0 &&
           makes("a.d", 1, 0) && snd_config_imake_integer(&n, "e", 8) == 0 && snd_config_add(made, n) == 0;
    tree_saved(root);
    check("the join flag of a new path is set", good && strstr(tree_text, "a.b.c 7") && strstr(tree_text, "a.d.e 8") &&
          !strchr(tree_text, '{'));
    good = makes("a", 0, 0) && makes("a.b", 0, 1);
    tree_saved(root);
    good = good && strstr(tree_text, "a.b.c 7") && !strchr(tree_text, '{');
    begin("");
    kept = makes("a.b", 0, 0) && snd_config_imake_integer(&n, "c", 7) == 0 && snd_config_add(made, n) == 0;
    tree_saved(root);
    for (j = 0, heap = tree_text; *heap; heap++)
        j += *heap == '{';
    check("without the join flag braces are written", kept && j == 2 && !strchr(tree_text, '.'));
    kept = makes("a", 1, 0) && makes("a.b", 1, 1);
    tree_saved(root);
    for (j = 0, heap = tree_text; *heap; heap++)
        j += *heap == '{';
    check("the join flag of an existing node stays", good && kept && j == 2 && !strchr(tree_text, '.'));
    check("a success of make_path is 0", zero == 0);

    begin("a { i 5 s 'text' } r 1.5");
    good = snd_config_make_path(&made, root, "a.i", 0, 0) == -EACCES &&
           snd_config_make_path(&made, root, "a.s", 1, 0) == -EACCES &&
           snd_config_make_path(&made, root, "r", 0, 0) == -EACCES;
    check("a value in the place of the compound is refused", good);
    check("a refused value stays", tree_is(root, "a { i 5 s 'text' } r 1.5"));
    good = makes("a.s", 0, 1) && tree_children(made) == 0 && tree_at(root, "a.s") == made && makes("r", 0, 1) &&
           tree_children(made) == 0;
    n = tree_at(root, "a");
    good = good && n && tree_children(n) == 2 && tree_children(root) == 2;
    check("override replaces a value by a compound", good);
    n = tree_at(root, "a.i");
    check("override replaces nothing else", n && snd_config_get_integer(n, &value) == 0 && value == 5);
    begin("");
    clean = good = 1;
    for (j = 0; j < 200; j++) {
        long before;

        begin("a { z 1 }");
        before = plus_live;
        if (j % 2)
            refuse_once(j / 2);
        else
            refuse_after(j / 2);
        err = snd_config_make_path(&made, root, "a.bb.ccc", 0, 0);
        refuse_none();
        if (err >= 0) {
            good = good && err == 0 && tree_is(root, "a { z 1 bb { ccc { } } }");
            if (plus_refused == 0)
                break;
        } else
            good = good && err == -ENOMEM;
        clean = clean && tree_at(root, "a.z");
        snd_config_delete(root);
        root = NULL;
        clean = clean && plus_live == live;
    }
    check("no memory is reported", good && j > 1 && j < 200);
    snd_config_delete(root);
    root = NULL;
    check("nothing is left behind without memory", clean && plus_live == live && plus_bad == 0);

    /* snd_config_delete */
    zero = 0;
    snd_config_imake_integer(&n, "i", 1);
    zero |= snd_config_delete(n);
    snd_config_imake_integer64(&n, "l", 1);
    zero |= snd_config_delete(n);
    snd_config_imake_real(&n, NULL, 1);
    zero |= snd_config_delete(n);
    snd_config_imake_string(&n, "s", "text");
    zero |= snd_config_delete(n);
    snd_config_make_string(&n, NULL);
    zero |= snd_config_delete(n);
    snd_config_make_compound(&n, "c", 0);
    zero |= snd_config_delete(n);
    snd_config_top(&n);
    zero |= snd_config_delete(n);
    snd_config_imake_pointer(&n, "p", block);
    zero |= snd_config_delete(n);
    check("a node of each type is deleted", plus_live == live && plus_bad == 0);
    begin("a 1 b 'x' c { d 2 e 3 } f 4");
    zero |= snd_config_delete(tree_at(root, "b"));
    check("a deleted child leaves its parent", tree_at(root, "b") == NULL && tree_children(root) == 3);
    zero |= snd_config_delete(tree_at(root, "c.d"));
    good = tree_is(root, "a 1 c { e 3 } f 4");
    zero |= snd_config_delete(tree_at(root, "f"));
    good = good && tree_is(root, "a 1 c { e 3 }");
    zero |= snd_config_delete(tree_at(root, "a"));
    check("its siblings stay in order", good && tree_is(root, "c { e 3 }"));
    begin("a 1 b { c 'x' } d 'y'");
    snd_config_for_each(i, next, root)
        zero |= snd_config_delete(snd_config_iterator_entry(i));
    check("all children may be deleted one by one", tree_children(root) == 0 && plus_bad == 0);
    good = snd_config_imake_integer(&n, "new", 9) == 0 && snd_config_add(root, n) == 0 && tree_is(root, "new 9");
    check("a parent without children can take new ones", good);
    begin("a { b { c { d 'x' e [ 1 'two' 3.5 ] } f 'y' } g { } } h 1");
    zero |= snd_config_delete(tree_at(root, "a"));
    good = tree_is(root, "h 1");
    zero |= snd_config_delete(root);
    root = NULL;
    check("a subtree is deleted with all below it", good && plus_live == live && plus_bad == 0);
    heap = malloc(10);
    strcpy(heap, "kept");
    snd_config_imake_pointer(&n, "p", heap);
    zero |= snd_config_delete(n);
    check("what a pointer points to is not freed", strcmp(heap, "kept") == 0);
    free(heap);

    root = tree_of("a 1 b { c 'x' }");
    snd_config_ref(root);
    snd_config_ref(root);
    zero |= snd_config_delete(root);
    good = plus_live > live && tree_is(root, "a 1 b { c 'x' }");
    check("a node in use is kept", good);
    zero |= snd_config_delete(root);
    check("each reference keeps it once", plus_live > live && tree_is(root, "a 1 b { c 'x' }"));
    snd_config_unref(root);
    check("the last one deletes a node in use", plus_live == live);
    check("a success of delete is 0", zero == 0);
    root = NULL;
    begin("a { b { c 'x' } } d 'y'");
    a = tree_at(root, "a");
    b = tree_at(root, "a.b");
    snd_config_delete(b);
    snd_config_delete(a);
    snd_config_delete(root);
    check("nothing is freed twice", plus_live == live && plus_bad == 0);
    return checked();
}
