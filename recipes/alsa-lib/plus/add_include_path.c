/*---
 * tasks: [add_include_path-cc2a58]
 * instead: [src/conf.o]
 * tests:
 *   a directory is added to the file: 'Comment: "fd - File object that owns these paths".'
 *   a success is 0: 'Comment: "Zero if successful".'
 *   the directory is copied: 'Comment: "Allocated externally"; caller get_char_skip_comments frees it.'
 *   several directories are all kept: 'Comment: "Add a directory to the paths".'
 *   directories stay in the order in which they were added:
 *     'topology.h: the top directory, which is added first, is searched before those of the user.'
 *   directories that only begin alike are different: 'Comment: "Path of the directory to add".'
 *   a directory of another case is different: 'Comment: "Path of the directory to add".'
 *   a directory may be added twice: 'Callers take any error for a failed load; a file may name a directory twice.'
 *   a directory of a parent may be added: 'Callers take any error for a failed load.'
 *   a directory stays known after a second addition: 'Comment: "the paths to search included files".'
 *   the parents are left as they are: 'topology.h: only used "to search the files included by this file".'
 *   a directory of the includer alone does not reach its own parents: 'The same.'
 *   a directory of an included file may be added to its parent: 'Comment: fd owns the paths; its children end before.'
 *   a file that was included is found in it: 'Comment: "paths to search included files"; input_stdio_open.'
 *   the rest of the file object stays: 'Comment: it adds a directory.'
 *   without memory -ENOMEM is returned: 'Comment: "otherwise a negative error code"; snd_config_load: Errors.'
 *   without memory nothing is added: 'Comment: only a success adds; free_include_paths and strcmp take each dir.'
 *   without memory nothing is left behind: 'Comment: the list owns what was allocated.'
 *   all is freed with the paths of the file: 'free_include_paths: "Free all include paths".'
 ---*/
#include "plus.h"
#include "../../src/conf.c"

static struct filedesc top, middle, child;

static void fresh(void)
{
    memset(&top, 0, sizeof(top));
    memset(&middle, 0, sizeof(middle));
    memset(&child, 0, sizeof(child));
    INIT_LIST_HEAD(&top.include_paths);
    INIT_LIST_HEAD(&middle.include_paths);
    INIT_LIST_HEAD(&child.include_paths);
    middle.next = &top;
    child.next = &middle;
}

static void done(void)
{
    free_include_paths(&top);
    free_include_paths(&middle);
    free_include_paths(&child);
}

/* The directories of one file with a blank behind each; a ! where the links back don't fit. */
static const char *paths(struct filedesc *fd)
{
    static char all[4][1000];
    static int turn;
    char *text = all[turn++ % 4];
    struct list_head *pos, *before = &fd->include_paths;

    text[0] = 0;
    list_for_each(pos, &fd->include_paths) {
        strcat(text, list_entry(pos, struct include_path, list)->dir);
        strcat(text, " ");
        if (pos->prev != before)
            strcat(text, "!");
        before = pos;
    }
    if (fd->include_paths.prev != before)
        strcat(text, "!");
    return text;
}

static int are(struct filedesc *fd, const char *expected)
{
    return strcmp(paths(fd), expected) == 0;
}

/* Whether a file included by this one is looked for in this directory. */
static int searched(struct filedesc *fd, const char *dir)
{
    struct list_head *pos;

    for (; fd; fd = fd->next)
        list_for_each(pos, &fd->include_paths)
            if (strcmp(list_entry(pos, struct include_path, list)->dir, dir) == 0)
                return 1;
    return 0;
}

int main(void)
{
    char dir[40];
    snd_input_t *in;
    int good, zero, j, err, added, clean;
    long live;

    snd_lib_error_set_handler(quiet);
    live = plus_live;
    fresh();
    zero = add_include_path(&top, "/a");
    check("a directory is added to the file", are(&top, "/a "));
    strcpy(dir, "/some/dir");
    zero |= add_include_path(&top, dir);
    memset(dir, 'x', sizeof(dir) - 1);
    check("the directory is copied", are(&top, "/a /some/dir "));
    zero |= add_include_path(&top, "/b");
    zero |= add_include_path(&top, "relative");
    check("several directories are all kept", searched(&top, "/a") && searched(&top, "/some/dir") &&
          searched(&top, "/b") && searched(&top, "relative"));
    check("directories stay in the order in which they were added", are(&top, "/a /some/dir /b relative "));
    done();

    fresh();
    zero |= add_include_path(&child, "/dir/sub");
    zero |= add_include_path(&child, "/dir");
    zero |= add_include_path(&child, "/dir/sub2");
    zero |= add_include_path(&child, "/dir/");
    check("directories that only begin alike are different", are(&child, "/dir/sub /dir /dir/sub2 /dir/ "));
    zero |= add_include_path(&child, "/Dir");
    check("a directory of another case is different", searched(&child, "/Dir") && searched(&child, "/dir"));
    check("a success is 0", zero == 0);
    done();

    fresh();
    add_include_path(&child, "/a");
    add_include_path(&child, "/b");
    strcpy(dir, "/a");
    check("a directory may be added twice", add_include_path(&child, dir) == 0 && add_include_path(&child, "/b") == 0);
    good = searched(&child, "/a") && searched(&child, "/b");
    add_include_path(&top, "/top");
    add_include_path(&middle, "/middle");
    check("a directory of a parent may be added",
          add_include_path(&child, "/top") == 0 && add_include_path(&child, "/middle") == 0);
    check("a directory stays known after a second addition",
          good && searched(&child, "/top") && searched(&child, "/middle") && searched(&child, "/a"));
    check("the parents are left as they are", are(&top, "/top ") && are(&middle, "/middle "));
    done();

    fresh();
    add_include_path(&middle, "/m");
    good = searched(&child, "/m") && searched(&middle, "/m") && !searched(&top, "/m") && are(&child, "");
    check("a directory of the includer alone does not reach its own parents", good);
    add_include_path(&child, "/c");
    err = add_include_path(&middle, "/c");
    free_include_paths(&child);
    INIT_LIST_HEAD(&child.include_paths);
    check("a directory of an included file may be added to its parent", err == 0 && are(&middle, "/m /c "));
    done();

    fresh();
    add_include_path(&top, "/nonexistent/plus");
    good = input_stdio_open(&in, "conf.c", &child) == -ENOENT;
    add_include_path(&middle, "src");
    good = good && input_stdio_open(&in, "conf.c", &top) == -ENOENT && input_stdio_open(&in, "conf.c", &child) == 0;
    if (good)
        snd_input_close(in);
    check("a file that was included is found in it", good);
    done();

    fresh();
    child.name = (char *)"name";
    child.line = 7;
    child.column = 9;
    child.in = (snd_input_t *)&in;
    add_include_path(&child, "/a");
    check("the rest of the file object stays", !strcmp(child.name, "name") && child.line == 7 && child.column == 9 &&
          child.in == (snd_input_t *)&in && child.next == &middle && middle.next == &top && !top.next);
    done();
    clean = plus_live == live && plus_bad == 0;

    fresh();
    add_include_path(&child, "/a");
    good = added = 1;
    err = 0;
    for (j = 0; j < 100; j++) {
        long before = plus_live;

        if (j % 2)
            refuse_once(j / 2);
        else
            refuse_after(j / 2);
        err = add_include_path(&child, "/b");
        refuse_none();
        if (err >= 0)
            break;
        good = good && err == -ENOMEM;
        added = added && are(&child, "/a ");
        clean = clean && plus_live == before && plus_bad == 0;
    }
    check("without memory -ENOMEM is returned", good && j > 1 && err == 0 && plus_refused == 0);
    check("without memory nothing is added", added && are(&child, "/a /b "));
    check("without memory nothing is left behind", clean);
    done();
    check("all is freed with the paths of the file", plus_live == live && plus_bad == 0);
    return checked();
}
