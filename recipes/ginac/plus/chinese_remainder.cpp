/*---
 * tasks: [GiNaC.chinese_remainder-dd2e98]
 * tests:
 *   numbers: 'Comment: "r mod q_1 = e_1 and r mod q_2 = e_2".'
 *   it is the first polynomial modulo the first modulus: 'Comment: "r mod q_1 = e_1".'
 *   it is the second polynomial modulo the second modulus: 'Comment: "r mod q_2 = e_2".'
 *   its numbers are in the symmetric representation: 'Comment: r in Z_{q1 q2}; smod_helpers.h.'
 *   small numbers come back as they are: 'Caller mgcd.cpp: the image is the polynomial when q is large enough.'
 *   negative numbers come back as they are: 'Caller mgcd.cpp; smod_helpers.h: the symmetric representation.'
 *   terms of the first polynomial alone: 'Comment: both are polynomials with any terms.'
 *   terms of the second polynomial alone: 'Comment: both are polynomials with any terms.'
 *   zero polynomials: 'Comment: both are any polynomials.'
 *   several variables: 'Comment: "Z_{q_1}[x_1, ..., x_n]".'
 *   the moduli can have any order: 'Signature: q1 is a large number, q2 a long.'
 *   the moduli need not be primes: 'Comment: moduli q_1 and q_2.'
 *   any numbers of two small moduli: 'Comment: "r mod q_1 = e_1 and r mod q_2 = e_2".'
 *   a large first modulus: 'Caller mgcd.cpp: q = q*p goes on growing.'
 *   a second modulus of 31 and of 61 bits: 'Caller primes_factory: primes up to the largest long.'
 *   a polynomial is rebuilt from many primes: 'Caller mgcd.cpp.'
 *   representatives of the other half do as well: 'Comment: e1 and e2 are in Z_q.'
 *   the result is multiplied out: 'Caller mgcd.cpp takes integer_content and smod of it.'
 *   the arguments stay: 'Signature: const.'
 *   the GCD of polynomials with large numbers: 'Caller chinrem_gcd.'
 ---*/
#include "plus.h"
#include <cln/integer.h>
#include <cln/integer_io.h>

namespace GiNaC {
ex chinese_remainder(const ex &e1, const cln::cl_I &q1, const ex &e2, const long q2);
ex chinrem_gcd(const ex &A, const ex &B);
}

using namespace GiNaC;
using cln::cl_I;

static symbol x("x"), y("y"), z("z");

static ex mod(const ex &e, const cl_I &q) {
    return e.expand().smod(numeric(q));
}

/* What comes of a polynomial's images. */
static ex from(const ex &f, const cl_I &q1, long q2) {
    return chinese_remainder(mod(f, q1), q1, mod(f, cl_I(q2)), q2);
}

static bool back(const ex &f, const cl_I &q1, long q2) {
    return same(from(f.expand(), q1, q2), f);
}

static ex number(const char *digits) {
    return numeric(digits);
}

int main() {
    ok("numbers", same(chinese_remainder(-1, cl_I(3), -2, 5), -7) && same(chinese_remainder(1, cl_I(5), 1, 3), 1));
    const ex a = (3 * x * x - 2 * x + 1).expand(), b = (-4 * x * x + 5 * x + 5).expand();
    const ex r = chinese_remainder(a, cl_I(7), b, 11);
    ok("it is the first polynomial modulo the first modulus", mod(r, cl_I(7)).is_equal(a));
    ok("it is the second polynomial modulo the second modulus", mod(r, cl_I(11)).is_equal(b));
    ok("its numbers are in the symmetric representation", same(mod(r, cl_I(77)), r) &&
       same(chinese_remainder(1, cl_I(3), 2, 5), 7) && same(chinese_remainder(-1, cl_I(3), 0, 5), 5) &&
       same(chinese_remainder(0, cl_I(3), 1, 5), 6) && same(chinese_remainder(1, cl_I(3), -1, 5), 4));
    ok("small numbers come back as they are", back(3 * x + 2, cl_I(7), 11) && back(x * x + 30 * x + 38, cl_I(7), 11) &&
       back(1, cl_I(7), 11) && back(x, cl_I(3), 5) && back(2 * x, cl_I(5), 7));
    ok("negative numbers come back as they are", back(-x, cl_I(7), 11) &&
       back(-38 * x * x - 30 * x - 1, cl_I(7), 11) &&
       back(-1, cl_I(3), 5) && back(30 * x - 29, cl_I(11), 7));
    const ex only = chinese_remainder(3 * x * x * x, cl_I(7), 0, 11);
    const ex both = chinese_remainder(2 * x, cl_I(7), 4 * x * x, 11);
    ok("terms of the first polynomial alone", same(only, -11 * pow(x, 3)) && mod(both, cl_I(7)).is_equal(2 * x));
    ok("terms of the second polynomial alone", same(chinese_remainder(0, cl_I(7), x + 2, 11), -21 * x + 35) &&
       mod(both, cl_I(11)).is_equal(4 * x * x));
    ok("zero polynomials", chinese_remainder(0, cl_I(7), 0, 11).is_zero() && back(77 * x - 77 * x, cl_I(7), 11));
    ok("several variables", back(17 * x * y - 30 * pow(z, 3) * y + 5 * x * x - 38, cl_I(7), 11) &&
       back((3 * x - y) * (x + 5 * z) * y - 9, cl_I(13), 17) && back(x * y * z + 36 * x * y + 35 * y * z - 34 * x * z,
       cl_I(7), 11));
    const ex f = 120 * x * x - 99 * x * y + 1000 * y - 1093;
    ok("the moduli can have any order", back(f, cl_I(37), 61) && back(f, cl_I(61), 37) && back(f, cl_I(3), 1009) &&
       back(f, cl_I(1009), 3));
    ok("the moduli need not be primes", back(f, cl_I(45), 77) && back(f, cl_I(77), 45) && back(f, cl_I(625), 81));
    bool any = true;
    const long pairs[][2] = {{3, 5}, {5, 3}, {5, 7}, {9, 5}, {11, 3}};
    for (auto &q : pairs)
        for (long n = 0; n < q[0] * q[1]; n++) {
            const long value = n - (q[0] * q[1] - 1) / 2;
            any = any && back(value * x + y, cl_I(q[0]), q[1]);
        }
    ok("any numbers of two small moduli", any);
    const cl_I large("1000000000000000000000000000000000000007");
    const ex many = number("499999999999999999999999999999999999999") * x * y -
                    number("123456789012345678901234567890") * y;
    ok("a large first modulus", back(many, large, 3) && back(many, large, 1000003) &&
       back(many * 400000 + 1, large, 1000003) && back(x - many * 499999, large, 1000003));
    const long p31 = 2147483647L, p61 = 2305843009213693951L;
    ok("a second modulus of 31 and of 61 bits", back(1152921504606846000L * (x - y) + 7, cl_I(4294967291L), p31) &&
       back(number("2000000000000000000000000000000") * x - number("1700000000000000000000000000000") * y - 1,
       cl_I(p61 - 2), p61) && back(-number("2305843009213693950") * x + p61 * y, cl_I(101), p61));

    const ex whole = (number("98765432109876543210987654321098765432109876543210") * pow(x, 3) * y -
                      number("12345678901234567890123456789012345678901234567890") * x * z * z +
                      number("77777777777777777777777777") * y - 1).expand();
    const long primes[] = {2147483647L, 2147483629L, 2147483587L, 4294967291L, 4294967279L, 1000000007L};
    ex h = mod(whole, cl_I(primes[0]));
    cl_I q(primes[0]);
    bool step = true;
    for (int i = 1; i < 6; i++) {
        h = chinese_remainder(h, q, mod(whole, cl_I(primes[i])), primes[i]);
        q = q * cl_I(primes[i]);
        step = step && same(h, mod(whole, q));
    }
    ok("a polynomial is rebuilt from many primes", step && same(h, whole));
    const ex other = chinese_remainder(5 * x + 6, cl_I(7), 10 * x + 8, 11);
    ok("representatives of the other half do as well", mod(other, cl_I(7)).is_equal((-2 * x - 1).expand()) &&
       mod(other, cl_I(11)).is_equal((-x - 3).expand()));
    const ex sum = from(((x + y) * (3 * x - 20) * (z + 1)).expand(), cl_I(7), 11);
    ok("the result is multiplied out", sum.is_equal(sum.expand()) && r.is_equal(r.expand()) && h.is_equal(h.expand()));
    const cl_I q1(7);
    chinese_remainder(a, q1, b, 11);
    ok("the arguments stay", a.is_equal((3 * x * x - 2 * x + 1).expand()) && q1 == 7 &&
       b.is_equal((-4 * x * x + 5 * x + 5).expand()));

    const ex g = number("123456789012345678901234567891") * x * y - number("99999999999999999999999999999999") * y + 1;
    const ex A = (g * (x * x - y + 3)).expand(), B = (g * (x * y + number("555555555555555555555"))).expand();
    const ex found = chinrem_gcd(A, B);
    ok("the GCD of polynomials with large numbers", same(found, g) || same(found, -g));
    return plus_end();
}
