/*---
 * tasks: [mni_input_keyword_and_equal_sign-9c64d0]
 * tests:
 *   the keyword and an equal sign are read: 'Docstring: "Inputs the desired keyword from the file and an equal sign".'
 *   what follows the equal sign is left to the caller: 'Callers read the value next.'
 *   no blanks are needed: 'mni_input_string ends at the equal sign.'
 *   blanks, lines and comments before the keyword are skipped: 'mni_get_nonwhite_character: comments are ignored.'
 *   blanks before the equal sign do not matter: 'mni_input_string drops trailing blanks; files have "Keyword =".'
 *   the equal sign may stand on the next line: 'mni_skip_expected_character takes the next nonwhite character.'
 *   a keyword of several words is read: 'mni_input_string reads up to the equal sign.'
 *   a quoted keyword is read: 'mni_input_string: a string may stand in quotes.'
 *   several keywords are read one after the other: 'Callers tag_points.c, gen_xf_io.c.'
 *   another keyword is an error: 'Docstring: "@RETURNS: VIO_OK or VIO_ERROR", "If there is no match".'
 *   a longer keyword is an error: 'Docstring: "the desired keyword".'
 *   a shorter keyword is an error: 'Docstring: "the desired keyword".'
 *   a missing keyword is an error: 'Docstring: "the desired keyword".'
 *   another sign than the equal sign is an error: 'Docstring: "and an equal sign".'
 *   no sign at all is an error: 'Docstring: "and an equal sign".'
 *   a file that ends after the keyword is an error: 'Docstring: "@RETURNS: VIO_OK or VIO_ERROR"; no equal sign.'
 *   the end of the file is told apart: 'gen_xf_io.c: input_transform stops at VIO_END_OF_FILE without an error.'
 *   nothing is printed at the end of the file: 'gen_xf_io.c: each transform file ends so.'
 *   a file of comments alone is at its end: 'mni_get_nonwhite_character: comments are ignored.'
 *   no match is printed if that is asked for: 'Docstring: print_error_message, "whether to print error messages".'
 *   no match is not printed if that is not asked for: 'Docstring: "whether to print error messages".'
 *   a match prints nothing: 'Docstring: "If there is no match, then an error message may be printed".'
 *   the strings are freed: 'mni_input_string makes a string with create_string.'
 ---*/
#include <internal_volume_io.h>
#include "plus.h"

static int printed;
static FILE *file;

static void count(char text[]) {
    printed++;
}

static VIO_Status in(const char *text, const char *keyword, VIO_BOOL print) {
    if (file) fclose(file);
    file = tmpfile();
    if (!file) exit(1);
    fputs(text, file);
    rewind(file);
    printed = 0;
    return mni_input_keyword_and_equal_sign(file, keyword, print);
}

/* What is still to be read. */
static int rest(const char *expected) {
    char text[64] = "";
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = 0;
    return !strcmp(text, expected);
}

int main(void) {
    set_print_error_function(count);
    ok("the keyword and an equal sign are read", in("Volumes = 2;\n", "Volumes", TRUE) == VIO_OK);
    ok("a match prints nothing", printed == 0);
    ok("what follows the equal sign is left to the caller", rest(" 2;\n"));
    ok("no blanks are needed", in("Volumes=2", "Volumes", TRUE) == VIO_OK && rest("2"));
    ok("blanks, lines and comments before the keyword are skipped",
       in("\n  % Volumes = 1\n\t# x\n   Volumes = 3", "Volumes", TRUE) == VIO_OK && rest(" 3"));
    ok("blanks before the equal sign do not matter",
       in("Volumes     = 3", "Volumes", TRUE) == VIO_OK && rest(" 3"));
    ok("the equal sign may stand on the next line", in("Volumes \n  =3", "Volumes", TRUE) == VIO_OK && rest("3"));
    ok("a keyword of several words is read", in("Two Words = 3", "Two Words", TRUE) == VIO_OK && rest(" 3"));
    ok("a quoted keyword is read", in("\"Volumes\" = 3", "Volumes", TRUE) == VIO_OK && rest(" 3"));
    int row = in("A = B = C\n = D", "A", TRUE) == VIO_OK &&
              mni_input_keyword_and_equal_sign(file, "B", TRUE) == VIO_OK &&
              mni_input_keyword_and_equal_sign(file, "C", TRUE) == VIO_OK;
    ok("several keywords are read one after the other", row && rest(" D") && printed == 0);

    ok("another keyword is an error", in("Points = 2;\n", "Volumes", FALSE) == VIO_ERROR);
    ok("no match is not printed if that is not asked for", printed == 0);
    in("Points = 2;\n", "Volumes", TRUE);
    ok("no match is printed if that is asked for", printed > 0);
    ok("a longer keyword is an error", in("Volumes_of = 2;\n", "Volumes", FALSE) == VIO_ERROR);
    ok("a shorter keyword is an error", in("Volume = 2;\n", "Volumes", FALSE) == VIO_ERROR &&
                                            in("V=2;\n", "Volumes", FALSE) == VIO_ERROR);
    ok("a missing keyword is an error", in(" = 2;\n", "Volumes", FALSE) == VIO_ERROR);
    ok("another sign than the equal sign is an error", in("Volumes \n : 2;\n", "Volumes", FALSE) == VIO_ERROR &&
                                                           in("Volumes : 2;\n", "Volumes", FALSE) == VIO_ERROR);
    ok("no sign at all is an error", in("Volumes\n 2;\n", "Volumes", TRUE) == VIO_ERROR &&
                                         in("Volumes\n Volumes = 2;\n", "Volumes", FALSE) == VIO_ERROR);
    ok("a file that ends after the keyword is an error", in("Volumes\n", "Volumes", FALSE) == VIO_ERROR);
    int ended = in("", "Volumes", TRUE) == VIO_END_OF_FILE && printed == 0;
    ok("the end of the file is told apart", ended && in(" \n", "Volumes", FALSE) == VIO_END_OF_FILE);
    in("", "Volumes", TRUE);
    ok("nothing is printed at the end of the file", printed == 0 && (in("\n \n", "Volumes", TRUE), printed == 0));
    ok("a file of comments alone is at its end",
       in("% Volumes = 2\n# Volumes = 2\n", "Volumes", FALSE) == VIO_END_OF_FILE);

    fclose(file);
    file = tmpfile();
    for (int i = 0; i < 3000; i++) fprintf(file, "Volumes_of_some_length = \n");
    rewind(file);
    int good = 1;
    for (int i = 0; i < 100; i++) good &= !mni_input_keyword_and_equal_sign(file, "Volumes_of_some_length", FALSE);
    size_t before = held();
    for (int i = 0; i < 1000; i++) good &= !mni_input_keyword_and_equal_sign(file, "Volumes_of_some_length", FALSE);
    for (int i = 0; i < 1000; i++) {
        mni_input_keyword_and_equal_sign(file, "Points", FALSE);
        getc(file);
    }
    ok("the strings are freed", good && held() < before + 4096);
    fclose(file);
    return done();
}
