/*---
 * tasks: [snd_input_buffer_open-f18a93]
 * tests:
 *   the bytes of the buffer are read in order: 'Docstring: "a new input object from a memory buffer".'
 *   the end of the buffer is the end of the input: 'Docstring: "Size of the input buffer"; snd_input_getc: EOF.'
 *   the size and not a zero byte ends the input: 'Docstring: "Size of the input buffer"; ssize_t size.'
 *   a smaller size ends the input: 'Docstring: "Size of the input buffer".'
 *   nothing is read behind the buffer: 'Docstring: "Size of the input buffer".'
 *   an empty buffer is an empty input: 'Docstring: "Size of the input buffer"; 0 bytes are at their end.'
 *   the last of 256 different bytes is not the end: 'snd_input_getc: "The character read", as fgetc.'
 *   lines are read: 'snd_input_gets: "Like fgets".'
 *   a last line without an end is read: 'snd_input_gets: "Like fgets".'
 *   a character may be put back: 'snd_input_ungetc: "Puts the last character read back".'
 *   nothing may be put back before the first: 'snd_input_ungetc: "EOF on error".'
 *   the buffer may be changed afterwards: 'Docstring: "creates a copy of the input buffer".'
 *   the buffer may be freed afterwards: 'Docstring: "is not required to preserve the buffer".'
 *   the buffer is left as it is: 'Docstring: const char *buf is copied.'
 *   two inputs are read apart: 'Docstring: "a new input object".'
 *   a large buffer is read whole: 'Docstring: "Size of the input buffer".'
 *   a configuration is loaded from it: 'input.h: snd_config_load reads "from memory buffers".'
 *   a success is 0: 'Docstring: "Zero if successful".'
 *   closing is a success and frees all: 'snd_input_close: "Zero if successful"; the caller has but the handle.'
 *   no memory for any part is reported: 'Docstring: "otherwise a negative error code"; as snd_input_stdio_attach.'
 *   what was allocated before is freed: 'As snd_input_stdio_attach: the caller gets no handle.'
 ---*/
#include "plus.h"
#include <alsa/asoundlib.h>

static snd_input_t *input;

/* Whether exactly these bytes are read from the input, which is closed then. */
static int reads(snd_input_t *in, const char *bytes, size_t size)
{
    size_t j;
    int good = 1;

    for (j = 0; j < size; j++)
        good = good && snd_input_getc(in) == (unsigned char)bytes[j];
    good = good && snd_input_getc(in) == EOF && snd_input_getc(in) == EOF;
    snd_input_close(in);
    return good;
}

static int opens(const char *bytes, ssize_t size)
{
    input = NULL;
    return snd_input_buffer_open(&input, bytes, size) == 0 && input != NULL;
}

int main(void)
{
    char bytes[256], line[20], text[40], *large, *copy;
    snd_input_t *other;
    snd_config_t *top, *n;
    long live, value = 0;
    int j, good, err, clean, zero;

    snd_lib_error_set_handler(quiet);
    live = plus_live;
    check("the bytes of the buffer are read in order", opens("hello", 5) && reads(input, "hello", 5));
    good = opens("xy", 2) && snd_input_getc(input) == 'x' && snd_input_getc(input) == 'y' &&
           snd_input_getc(input) == EOF && snd_input_gets(input, line, sizeof(line)) == NULL;
    snd_input_close(input);
    check("the end of the buffer is the end of the input", good);
    check("the size and not a zero byte ends the input",
          opens("a\0b\0\0c", 6) && reads(input, "a\0b\0\0c", 6) && opens("\0\0", 2) && reads(input, "\0\0", 2));
    check("a smaller size ends the input", opens("hello world", 5) && reads(input, "hello", 5) &&
          opens("hello", 1) && reads(input, "h", 1));
    check("nothing is read behind the buffer",
          opens(at_edge("edge", 4), 4) && reads(input, "edge", 4) &&
          opens(at_edge("e", 1), 1) && reads(input, "e", 1));
    check("an empty buffer is an empty input", opens("not empty", 0) && reads(input, "", 0) &&
          opens(at_edge("", 0), 0) && reads(input, "", 0));
    for (j = 0; j < 256; j++)
        bytes[j] = j;
    check("the last of 256 different bytes is not the end", opens(bytes, 256) && reads(input, bytes, 256));
    good = opens("one\ntwo\n\nend", 12) && snd_input_gets(input, line, sizeof(line)) && !strncmp(line, "one\n", 5) &&
           snd_input_gets(input, line, sizeof(line)) && !strncmp(line, "two\n", 5) &&
           snd_input_gets(input, line, sizeof(line)) && !strncmp(line, "\n", 2);
    check("lines are read", good);
    good = good && snd_input_gets(input, line, sizeof(line)) && !strncmp(line, "end", 4) &&
           !snd_input_gets(input, line, sizeof(line));
    snd_input_close(input);
    check("a last line without an end is read", good);
    good = opens("abc", 3) && snd_input_getc(input) == 'a' && snd_input_ungetc(input, 'a') == 'a' &&
           snd_input_getc(input) == 'a' && snd_input_getc(input) == 'b' && snd_input_getc(input) == 'c' &&
           snd_input_getc(input) == EOF && snd_input_ungetc(input, 'c') == 'c' && reads(input, "c", 1);
    check("a character may be put back", good);
    good = opens("abc", 3) && snd_input_ungetc(input, 'a') == EOF && reads(input, "abc", 3);
    check("nothing may be put back before the first", good);
    strcpy(text, "some text");
    good = opens(text, 9);
    memset(text, '?', sizeof(text));
    check("the buffer may be changed afterwards", good && reads(input, "some text", 9));
    copy = malloc(9);
    memcpy(copy, "more text", 9);
    good = opens(copy, 9);
    free(copy);
    check("the buffer may be freed afterwards", good && reads(input, "more text", 9) && plus_bad == 0);
    strcpy(text, "some text");
    good = opens(text, 4) && reads(input, "some", 4) && strcmp(text, "some text") == 0;
    check("the buffer is left as it is", good);
    good = opens("first", 5);
    other = input;
    good = good && opens("second", 6) && input != other && snd_input_getc(input) == 's' && reads(other, "first", 5) &&
           reads(input, "econd", 5);
    check("two inputs are read apart", good);
    large = __libc_malloc(100000);
    for (j = 0; j < 100000; j++)
        large[j] = j % 251;
    check("a large buffer is read whole", opens(large, 100000) && reads(input, large, 100000));
    good = opens("a 1\nb 2 c 3", 7) && snd_config_top(&top) == 0 && snd_config_load(top, input) == 0 &&
           snd_config_search(top, "b", &n) == 0 && snd_config_get_integer(n, &value) == 0 && value == 2 &&
           snd_config_search(top, "c", &n) == -ENOENT;
    snd_input_close(input);
    snd_config_delete(top);
    check("a configuration is loaded from it", good);
    zero = snd_input_buffer_open(&input, "abc", 3);
    snd_input_close(input);
    zero |= snd_input_buffer_open(&input, "", 0);
    err = snd_input_close(input);
    check("a success is 0", zero == 0);
    check("closing is a success and frees all", err == 0 && plus_live == live && plus_bad == 0);
    clean = good = 1;
    for (j = 0; j < 100; j++) {
        if (j % 2)
            refuse_once(j / 2);
        else
            refuse_after(j / 2);
        err = snd_input_buffer_open(&input, "abc", 3);
        refuse_none();
        if (err >= 0) {
            good = good && err == 0 && reads(input, "abc", 3);
            if (plus_refused == 0)
                break;
        } else
            good = good && err == -ENOMEM;
        clean = clean && plus_live == live && plus_bad == 0;
    }
    refuse_above(50000);
    err = snd_input_buffer_open(&input, large, 100000);
    refuse_none();
    clean = clean && plus_live == live && plus_bad == 0;
    check("no memory for any part is reported", good && j > 1 && j < 100 && err == -ENOMEM);
    check("what was allocated before is freed", clean);
    return checked();
}
