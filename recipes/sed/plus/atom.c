/*---
 * tasks: [atom-0b9098]
 * tests:
 *   a character is its own token: 'Grammar: "<normal character>".'
 *   a high byte is its own token: 'Grammar: "<normal character>"; to_uchar.'
 *   the next token is read: 'struct parser_state: tok, "Lookahead token".'
 *   the end follows the last character: 'struct parser_state: tok, "Lookahead token"; END.'
 *   a set is one token: 'Grammar: "CSET".'
 *   a period of bytes is one token: 'Grammar: "CSET"; lex.'
 *   the limits of lines are tokens: 'Grammar: "BEGLINE", "ENDLINE".'
 *   the limits of words are tokens: 'Grammar: "BEGWORD", "ENDWORD", "LIMWORD", "NOTLIMWORD".'
 *   a back-reference is a token: 'Grammar: "BACKREF".'
 *   nothing is the empty token: 'Grammar: "<empty>"; EMPTY "matches the empty string".'
 *   the token behind nothing is left: 'Grammar: "<empty>"; callers go on with it.'
 *   parentheses leave no token: 'Grammar: "LPAREN regexp RPAREN"; "LPAREN never appears in the parse tree".'
 *   what is in parentheses is one expression: 'Grammar: "LPAREN regexp RPAREN".'
 *   parentheses can be in parentheses: 'Grammar: "LPAREN regexp RPAREN".'
 *   empty parentheses are the empty token: 'Grammar: "<empty>" in "LPAREN regexp RPAREN".'
 *   what follows parentheses is left: 'Grammar: "closure STAR"; callers go on with it.'
 *   a parenthesis that is missing is an error: 'Grammar: "LPAREN regexp RPAREN"; dfaerror.'
 *   a character of several bytes is one expression: 'Grammar: "<multibyte character>"; addtok_wc.'
 *   its bytes are marked: 'struct dfa: multibyte_prop.'
 *   a byte of ASCII in UTF-8 is one token: 'Grammar: "<normal character>"; lex returns WCHAR.'
 *   the next character of several bytes is read: 'struct parser_state: tok; lexer_state: wctok.'
 *   case counts without the option: 'struct regex_syntax: case_fold, "Flag for case-folding letters into sets".'
 *   with the option both cases are one expression: 'lex: "For multibyte character sets, folding is done in atom".'
 *   with the option all counterparts match: 'case_folded_counterparts: "equal to C after case-folding".'
 *   a byte that is no character is left to another matcher: 'lexer_state: "WEOF if there was an encoding error".'
 *   a period in UTF-8 is one expression of bytes: 'add_utf8_anychar; maybe_disable_superset_dfa: ANYCHAR, "Lowered".'
 *   a period in UTF-8 matches each character: 'Token ANYCHAR: "a valid multibyte (or single byte) character".'
 *   a period in UTF-8 matches no other bytes: 'Token ANYCHAR: "a valid multibyte (or single byte) character".'
 *   a period in other character sets is one token: 'Grammar: "ANYCHAR"; "used only if MB_CUR_MAX > 1".'
 *   a set of characters is one expression: 'Grammar: "MBCSET"; addtok.'
 *   atoms are added behind what is there: 'struct dfa: tokens, "Postfix parse array".'
 ---*/
#include "automaton.h"

enum { FOLDED = EXTENDED | RE_ICASE };

static struct dfa *d;

/* Begins to parse the SIZE bytes of TEXT, in D. */
static void read_text(const char *text, size_t size) {
    d->lex.ptr = text;
    d->lex.left = size;
    d->lex.lasttok = END;
    d->lex.laststart = true;
    d->parse.tok = lex(d);
}

/* Parses the first atom of TEXT. */
static void parse(const char *text, reg_syntax_t bits) {
    d = make(bits);
    read_text(text, strlen(text));
    atom(d);
}

/* Whether the tokens are the N of WANTED. */
static int are(int n, const token *wanted) {
    return d->tindex == n && !memcmp(d->tokens, wanted, n * sizeof(token));
}

/* Whether the only token is WANTED, and NEXT is read. */
static int is(token wanted, token next) {
    return are(1, &wanted) && d->parse.tok == next;
}

/* Whether the tokens are a single expression. */
static int single(void) {
    return d->tindex > 0 && nsubtoks(d, d->tindex) == d->tindex;
}

static int has(token t) {
    for (idx_t i = 0; i < d->tindex; i++) if (d->tokens[i] == t) return 1;
    return 0;
}

/* Whether the tokens are the single set of the characters MEMBERS. */
static int is_set(const char *members) {
    if (d->tindex != 1 || d->tokens[0] < CSET) return 0;
    for (int c = 1; c < NOTCHAR; c++)
        if (tstbit(c, &d->charclasses[d->tokens[0] - CSET]) != (strchr(members, c) != NULL)) return 0;
    return 1;
}

static const char *broken;

static void dies(void) {
    parse(broken, EXTENDED);
}

static int fails(const char *text) {
    broken = text;
    return plus_child(dies) == 4;
}

int main(void) {
    static const token ab[] = {'a', 'b', CAT}, a_or_b[] = {'a', 'b', OR}, a_star[] = {'a', STAR};
    static const token nested[] = {'a', 'b', CAT, 'c', CAT}, row[] = {'a', 'b', 'c', CAT};
    static const token e[] = {0xc3, 0xa9, CAT}, euro[] = {0xe2, 0x82, CAT, 0xac, CAT};
    int good;
    plus_start();
    program_name = "sed";
    use_locale("C");
    parse("ab", EXTENDED);
    ok("a character is its own token", d->tindex == 1 && d->tokens[0] == 'a');
    ok("the next token is read", d->parse.tok == 'b');
    parse("\xe9z", EXTENDED);
    ok("a high byte is its own token", is(0xe9, 'z'));
    parse("a", EXTENDED);
    ok("the end follows the last character", is('a', END));
    parse("[a-c]z", EXTENDED);
    good = is_set("abc") && d->parse.tok == 'z';
    parse("[xy]*", EXTENDED);
    ok("a set is one token", good && is_set("xy") && d->parse.tok == STAR);
    parse(".z", EXTENDED);
    ok("a period of bytes is one token", d->tindex == 1 && d->tokens[0] >= CSET && d->parse.tok == 'z');
    parse("^z", EXTENDED);
    good = is(BEGLINE, 'z');
    parse("$", EXTENDED);
    ok("the limits of lines are tokens", good && is(ENDLINE, END));
    parse("\\<z", EXTENDED);
    good = is(BEGWORD, 'z');
    parse("\\>z", EXTENDED);
    good &= is(ENDWORD, 'z');
    parse("\\bz", EXTENDED);
    good &= is(LIMWORD, 'z');
    parse("\\Bz", EXTENDED);
    ok("the limits of words are tokens", good && is(NOTLIMWORD, 'z'));
    parse("\\1z", BASIC);
    ok("a back-reference is a token", is(BACKREF, 'z') && !d->fast);
    parse("", EXTENDED);
    ok("nothing is the empty token", is(EMPTY, END));
    parse("|z", EXTENDED);
    good = is(EMPTY, OR);
    parse(")z", BALANCED);
    good &= is(EMPTY, RPAREN);
    parse("*z", EXTENDED);
    ok("the token behind nothing is left", good && is(EMPTY, STAR));
    parse("(a)z", EXTENDED);
    ok("parentheses leave no token", is('a', 'z'));
    parse("(ab)z", EXTENDED);
    good = are(3, ab) && d->parse.tok == 'z';
    parse("(a|b)z", EXTENDED);
    good &= are(3, a_or_b) && d->parse.tok == 'z';
    parse("(a*)z", EXTENDED);
    ok("what is in parentheses is one expression", good && are(2, a_star) && d->parse.tok == 'z');
    parse("((a)((b)))z", EXTENDED);
    good = are(3, ab) && d->parse.tok == 'z';
    parse("((ab)c)|z", EXTENDED);
    ok("parentheses can be in parentheses", good && are(5, nested) && d->parse.tok == OR);
    parse("()z", EXTENDED);
    ok("empty parentheses are the empty token", is(EMPTY, 'z'));
    parse("(a)*z", EXTENDED);
    good = is('a', STAR);
    parse("(a)(b)", EXTENDED);
    ok("what follows parentheses is left", good && is('a', LPAREN));
    ok("a parenthesis that is missing is an error",
       fails("(a") && fails("(") && fails("((a)") && fails("(a|b") && fails("(a(b)"));
    parse("abc", EXTENDED);
    atom(d);
    atom(d);
    addtok(d, CAT);
    ok("atoms are added behind what is there", are(4, row) && d->parse.tok == END);

    use_locale("C.UTF-8");
    parse("\303\251z", EXTENDED);
    ok("a character of several bytes is one expression", are(3, e));
    good = d->parse.tok == WCHAR && d->lex.wctok == 'z';
    ok("its bytes are marked", d->tindex == 3 && d->multibyte_prop[0] == 1 && d->multibyte_prop[1] == 2);
    parse("a\342\202\254", EXTENDED);
    ok("a byte of ASCII in UTF-8 is one token", d->tindex == 1 && d->tokens[0] == 'a' && d->multibyte_prop[0] == 3);
    good &= d->parse.tok == WCHAR && d->lex.wctok == 0x20ac;
    d->tindex = 0;
    atom(d);
    good &= are(5, euro) && d->parse.tok == END;
    ok("the next character of several bytes is read", good);
    good = matches("^\303\251$", EXTENDED, "\303\251") && !matches("^\303\251$", EXTENDED, "\303\211");
    ok("case counts without the option", good && !matches("^a$", EXTENDED, "A"));
    parse("\303\251z", FOLDED);
    good = single() && d->parse.tok == WCHAR && d->lex.wctok == 'z';
    ok("with the option both cases are one expression", good && has(0x89) && has(0xa9) && has(OR));
    good = matches("^\303\251$", FOLDED, "\303\211") && matches("^\303\211$", FOLDED, "\303\251");
    good &= matches("^s$", FOLDED, "S") && matches("^s$", FOLDED, "s") && matches("^s$", FOLDED, "\305\277");
    good &= matches("^\317\203$", FOLDED, "\316\243") && matches("^\317\203$", FOLDED, "\317\202");
    ok("with the option all counterparts match", good && matches("^1$", FOLDED, "1") && !matches("^s$", FOLDED, "t"));
    parse("\377z", EXTENDED);
    ok("a byte that is no character is left to another matcher", is(BACKREF, WCHAR) && d->lex.wctok == 'z');
    parse(".z", EXTENDED);
    ok("a period in UTF-8 is one expression of bytes", single() && d->tindex > 1 && !has(ANYCHAR) &&
       d->parse.tok == WCHAR);
    good = matches("^.$", EXTENDED, "a") && matches("^.$", EXTENDED, "\303\251") &&
        matches("^.$", EXTENDED, "\342\202\254") && matches("^.$", EXTENDED, "\360\237\230\200");
    ok("a period in UTF-8 matches each character", good && matches("^..$", EXTENDED, "\303\251a"));
    good = !matches("^.$", EXTENDED, "\377") && !matches("^.$", EXTENDED, "\303") && !matches("^.$", EXTENDED, "ab");
    ok("a period in UTF-8 matches no other bytes", good && !matches("^.$", EXTENDED, "\251") &&
       !matches("^.$", EXTENDED, ""));
    d = make(EXTENDED);
    d->localeinfo.using_utf8 = false;
    read_text(".z", 2);
    atom(d);
    ok("a period in other character sets is one token", is(ANYCHAR, WCHAR));
    parse("[\303\251a]z", EXTENDED);
    good = single() && d->parse.tok == WCHAR && matches("^[\303\251a]$", EXTENDED, "\303\251");
    ok("a set of characters is one expression", good && matches("^[\303\251a]$", EXTENDED, "a") &&
       !matches("^[\303\251a]$", EXTENDED, "b") && !matches("^[\303\251a]$", EXTENDED, "\303\250"));
    return plus_end();
}
