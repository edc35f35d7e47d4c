/*---
 * tasks: [GiNaC.make_binop_expr-d81d6b]
 * tests:
 *   plus adds all operands: 'Comment: "Make a sum or a product"; the caller collects operands of one operator.'
 *   minus takes all further operands from the first: 'Caller: operands of "a - b - c" come in one vector.'
 *   minus of two operands keeps their order: 'Caller: args[0] is the left operand.'
 *   times multiplies all operands: 'Comment: "Make a sum or a product"; the caller collects operands.'
 *   divide divides the first by all further operands: 'Caller: operands of "a / b / c" come in one vector.'
 *   divide of two operands keeps their order: 'Caller: args[0] is the left operand.'
 *   numbers are computed exactly: 'Name; expressions of GiNaC are evaluated.'
 *   power raises the first operand to the second: 'Caller: binoprhs has the operator ^.'
 *   equal and opposite operands are collected: 'Expressions of GiNaC are evaluated.'
 *   operands that are sums keep their signs: 'Caller: an operand is any primary expression.'
 *   operands that are products and powers: 'Caller: an operand is any primary expression.'
 *   many operands: 'Caller collects operands without a limit.'
 *   each binary operator of a value is taken for itself: 'Neighbour is_binop: + - * / ^.'
 *   the operands stay: 'Signature: const.'
 *   dividing by zero throws: 'Expressions of GiNaC: division by zero.'
 *   chains of one operator are parsed: 'Caller parse_binop_rhs.'
 *   chains of plus and minus are parsed: 'Caller parse_binop_rhs: the sign is flipped.'
 *   chains of times and divide are parsed: 'Caller parse_binop_rhs.'
 *   operators of different precedence are parsed: 'Neighbour get_tok_prec.'
 *   parentheses are parsed: 'parser.h: paren_expr.'
 ---*/
#include "parser/parse_binop_rhs.cpp"
#include "plus.h"

using namespace GiNaC;

static symbol a("a"), b("b"), c("c"), d("d"), x("x");

static ex make(int binop, const exvector &args) {
    return make_binop_expr(binop, args);
}

static bool parsed(const char *text, const ex &want) {
    symtab table;
    table["a"] = a, table["b"] = b, table["c"] = c, table["d"] = d, table["x"] = x;
    parser reader(table, true);
    return same(reader(std::string(text)), want);
}

int main() {
    ok("plus adds all operands", make('+', {a, b}).is_equal(a + b) && make('+', {a, b, c}).is_equal(a + b + c) &&
       make('+', {a, b, c, d}).is_equal(a + b + c + d));
    ok("minus takes all further operands from the first", same(make('-', {a, b, c}), a - b - c) &&
       same(make('-', {a, b, c, d}), a - b - c - d) && same(make('-', {10, 1, 2, 3}), 4));
    ok("minus of two operands keeps their order", same(make('-', {a, b}), a - b) && same(make('-', {b, a}), b - a) &&
       make('-', {3, 5}).is_equal(-2) && make('-', {5, 3}).is_equal(2));
    ok("times multiplies all operands", make('*', {a, b}).is_equal(a * b) &&
       make('*', {a, b, c}).is_equal(a * b * c) &&
       make('*', {a, b, c, d}).is_equal(a * b * c * d));
    ok("divide divides the first by all further operands", (make('/', {a, b, c}) - a / (b * c)).normal().is_zero() &&
       (make('/', {a, b, c, d}) - a / (b * c * d)).normal().is_zero() && make('/', {60, 2, 3, 5}).is_equal(2));
    ok("divide of two operands keeps their order", make('/', {a, b}).is_equal(a / b) &&
       make('/', {b, a}).is_equal(b / a) && make('/', {12, 4}).is_equal(3));
    ok("numbers are computed exactly", make('+', {2, 3, 4}).is_equal(9) && make('*', {2, 3, 4}).is_equal(24) &&
       make('/', {1, 3}).is_equal(numeric(1, 3)) && make('/', {6, 4}).is_equal(numeric(3, 2)) &&
       make('-', {0, 7}).is_equal(-7) && make('^', {2, 10}).is_equal(1024) &&
       make('^', {2, -2}).is_equal(numeric(1, 4)) && make('^', {3, 2}).is_equal(9));
    ok("power raises the first operand to the second", make('^', {a, b}).is_equal(pow(a, b)) &&
       make('^', {b, a}).is_equal(pow(b, a)) && make('^', {a, 3}).is_equal(a * a * a) &&
       make('^', {2, x}).is_equal(pow(ex(2), x)) && make('^', {x, 0}).is_equal(1) && make('^', {x, 1}).is_equal(x));
    ok("equal and opposite operands are collected", make('+', {a, a}).is_equal(2 * a) &&
       make('+', {a, -a}).is_zero() && make('-', {a, a}).is_zero() && make('*', {a, a}).is_equal(pow(a, 2)) &&
       make('/', {a, a}).is_equal(1) && make('+', {a, b, -a}).is_equal(b) && same(make('-', {3 * a, a, a}), a));
    ok("operands that are sums keep their signs", same(make('-', {a, b + c}), a - b - c) &&
       same(make('-', {a + b, c - d, a - d}), b - c + 2 * d) && same(make('+', {a - b, b - c}), a - c) &&
       same(make('*', {a - b, a + b}), a * a - b * b) && same(make('-', {0, -a - b}), a + b) &&
       (make('/', {a * a - b * b, a + b}) - (a - b)).normal().is_zero());
    ok("operands that are products and powers", make('*', {a * b, b * c}).is_equal(a * pow(b, 2) * c) &&
       (make('/', {a, b * c, c * d}) - a / (b * c * c * d)).normal().is_zero() &&
       (make('/', {a, 1 / b, 1 / c}) - a * b * c).normal().is_zero() &&
       make('/', {pow(a, 5), pow(a, 2), a}).is_equal(pow(a, 2)));
    exvector many, ones(200, ex(1)), symbols;
    ex all = 0;
    for (int i = 0; i < 200; i++) {
        const ex s = symbol();
        symbols.push_back(s);
        all += s;
    }
    bool lots = make('+', symbols).is_equal(all) && make('+', ones).is_equal(200) && make('-', ones).is_equal(-198);
    lots = lots && same(make('-', symbols), 2 * symbols[0] - all);
    exvector twos(100, ex(2));
    lots = lots && make('*', twos).is_equal(pow(ex(2), 100)) && make('/', twos).is_equal(pow(ex(2), -98));
    ok("many operands", lots);
    ok("each binary operator of a value is taken for itself", make('+', {6, 2}).is_equal(8) &&
       make('-', {6, 2}).is_equal(4) && make('*', {6, 2}).is_equal(12) && make('/', {6, 2}).is_equal(3) &&
       make('^', {6, 2}).is_equal(36));
    const exvector args{a, b, c}, two{a, b};
    for (int op : {'+', '-', '*', '/'}) make(op, args);
    make('^', two);
    ok("the operands stay", args.size() == 3 && args[0].is_equal(a) && args[1].is_equal(b) && args[2].is_equal(c) &&
       two.size() == 2 && two[0].is_equal(a) && two[1].is_equal(b));
    ok("dividing by zero throws", throws([] { make('/', {a, 0}); }) && throws([] { make('/', {a, b, 0}); }));

    ok("chains of one operator are parsed", parsed("a-b-c-d", a - b - c - d) && parsed("a+b+c+d", a + b + c + d) &&
       parsed("a*b*c*d", a * b * c * d) && parsed("a/b/c/d", a / (b * c * d)) && parsed("a^b", pow(a, b)) &&
       parsed("100-10-1", 89) && parsed("100/10/5", 2));
    ok("chains of plus and minus are parsed", parsed("a-b+c", a - b + c) && parsed("a+b-c", a + b - c) &&
       parsed("a-b+c-d", a - b + c - d) && parsed("a+b-c+d", a + b - c + d) && parsed("10-3+2-1", 8) &&
       parsed("1-2+3-4+5-6", -3));
    ok("chains of times and divide are parsed", parsed("a*b/c", a * b / c) && parsed("a/b*c", a * c / b) &&
       parsed("a/b*c/d", a * c / (b * d)) && parsed("8/2*4", 16) && parsed("a*b/c/d", a * b / (c * d)));
    ok("operators of different precedence are parsed", parsed("a-b*c", a - b * c) &&
       parsed("a*b-c/d", a * b - c / d) &&
       parsed("a-b-c*d^2", a - b - c * d * d) && parsed("2*x^3-x/2-1", 2 * pow(x, 3) - x / 2 - 1) &&
       parsed("a/b^2/c", a / (b * b * c)));
    ok("parentheses are parsed", parsed("a-(b-c)", a - b + c) && parsed("a-(b-c)-d", a - b + c - d) &&
       parsed("a/(b/c)", a * c / b) && parsed("(a-b)-(c-d)", a - b - c + d) && parsed("a*(b+c)", a * b + a * c));
    return plus_end();
}
