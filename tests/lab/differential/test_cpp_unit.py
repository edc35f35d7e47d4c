"""C++ bodies. Prevents: a method that is compared without its object, a reference that is taken for its value, an
overload for another, and an exception that runs on in a fork."""

from __future__ import annotations

import pytest

from executor.grading.differential import NotApplicableError
from tests.lab.differential.case_tables import read_cases

# title: what is told; what stands before; name, gold, candidate, what stands behind, what main does
CASES = read_cases(
    """
a method's object: this->n was 2, is 0
    struct Box { int n; double w; Box(int n) : n(n), w(0) {}
    more
    void more() { n++; }
    void more() { n--; }
    };
    Box b(1); b.more();
a returned object: the returned value.n was 4, is 2
    struct Box { int n; double w; Box(int n) : n(n), w(0) {}
    twice
    Box twice() const { return Box(2 * n); }
    Box twice() const { return Box(n); }
    };
    Box b(2); b.twice();
a reference: returned value->n was 12, is 9
    struct Box { int n; double w; Box(int n) : n(n), w(0) {}
    operator+=
    Box &operator+=(const Box &other) { n += other.n; return *this; }
    Box &operator+=(const Box &other) { return *this; }
    Box &operator+=(int k) { n = k; return *this; } };
    Box b(2), c(3); b += 9; b += c;
one object given twice: same on 9 calls
    struct V { double x, y;
    dot
    double dot(const V &v) const { return x * v.x + y * v.y; }
    double dot(const V &v) const { return v.x * v.x + v.y * v.y; }
    };
    V v = {1, 2}; for (int i = 0; i < 9; i++) v.dot(v);
a method outside its class, and an overload: returned value was 1, is 0
    class Box { int n; static Box *x; public: int get() const; virtual int get(int k) const; };
    Box *Box::x;
    get
    int Box::get(int k) const { return n + k; }
    int Box::get(int k) const { return n; }
    int Box::get() const { return get(1); }
    Box b = Box(); b.get();
a static constant of its own: the returned value->n was 1, is 2
    struct Box { int n; double w; Box(int n) : n(n), w(0) {}
    one
    static const Box &one() { static const Box box(1); return box; }
    static const Box &one() { static const Box box(2); return box; }
    };
    Box::one();
an exception: its exception was St11range_error, is i
    #include <stdexcept>
    f
    void f(int a) { if (a) throw std::range_error("a"); }
    void f(int a) { if (a) throw 3; }
    ;
    try { f(1); } catch (std::range_error &) {}
memory of the library: (its text) was "axxx
    #include <string>
    namespace n {
    f
    std::string f(const std::string &a) { return a + std::string(99, 'x'); }
    std::string f(const std::string &a) { return a + std::string(98, 'x') + 'y'; }
    }
    n::f("a");
""",
    5,
)


@pytest.mark.parametrize("case", CASES)
def test_a_difference_of_cpp_is_told_in_words_and_the_gold_is_like_itself(compare_cpp, case):
    words, before, (name, *texts) = CASES[case]
    found, itself = compare_cpp(name, before, *texts)
    assert words in found.difference_agreement_or_not_applicable_line
    # Another state of an object that is given twice changes it in one place.
    assert found.broke or case != "one object given twice"
    assert itself.difference_agreement_or_not_applicable_line.startswith("same on ")
    assert itself.broke == ()


def test_a_template_is_not_applicable(compare_cpp):
    """Each instance has types of its own."""
    body = "void more() { n = n + 1; }"
    with pytest.raises(NotApplicableError, match="template"):
        compare_cpp("more", "template <class T> struct Box { T n;", body, body, "};", "Box<int> b; b.more();")


def test_other_roundings_are_no_difference(compare_cpp):
    gold = "double f(double a, double b, double c) { return a * b + a * c; }"
    other = "double f(double a, double b, double c) { return a * (b + c); }"
    found, _ = compare_cpp("f", "", gold, other, "", "for (int i = 1; i < 30; i++) f(0.1 * i, 0.2, 0.7);")
    assert (found.difference_agreement_or_not_applicable_line, found.broke) == ("same on 29 calls", ())
