/*---
 * tasks: [invRowColName-266ee0]
 * tests:
 *   a row is named with its index: 'Docstring: "Generate a name"; OsiSolverInterfaceTest.cpp.'
 *   a column is named with its index: 'Docstring: "Generate a name"; OsiSolverInterfaceTest.cpp.'
 *   a negative index keeps its sign: 'Callers: getRowName, getColName; OsiSolverInterfaceTest.cpp.'
 *   index zero is written: 'Callers: any index.'
 *   the extreme indices are written: 'Signature: int.'
 *   an index is not padded: 'Docstring: an error message; OsiSolverInterfaceTest.cpp.'
 *   a discipline is named as such: 'Callers give the code d and the name discipline.'
 *   the discipline is written: 'Callers give the code d and the name discipline.'
 *   code u speaks of row and column: 'Docstring: "when a routine is expecting one of r or c and saw something else".'
 *   code u gives the index: 'Callers give code u and the index.'
 *   each message begins and ends as the others: 'Docstring: "strictly for standardisation".'
 *   the codes give different messages: 'Docstring: the codes.'
 *   another code gives an error message too: 'Docstring: "a name that is really an error message".'
 *   large letters are other codes: 'Docstring: the codes.'
 *   a message is one line: 'Docstring: "Generate a name".'
 *   calls do not influence each other: 'Signature: the result is a string of its own.'
 *   getRowName gives it for a row out of range: 'OsiNames.cpp, getRowName: "the name becomes an error message".'
 *   getColName gives it for a column out of range: 'OsiNames.cpp, getColName: "the name becomes an error message".'
 *   an unknown discipline gives it: 'Callers: getRowName, getColName.'
 *   default names give it: 'Callers: dfltRowColName.'
 ---*/
#include "../../src/Osi/OsiNames.cpp"
#include <climits>
#include <cstdlib>
#include "solver.h"
#include "ok.h"

static bool starts(const std::string &text, const std::string &with)
{
    return text.compare(0, with.size(), with) == 0;
}

static bool ends(const std::string &text, const std::string &with)
{
    return text.size() >= with.size() && text.compare(text.size() - with.size(), with.size(), with) == 0;
}

static bool has(const std::string &text, const char *part)
{
    return text.find(part) != std::string::npos;
}

/* The only whole number in the text is this. */
static bool number(const std::string &text, long want)
{
    const size_t at = text.find_first_of("-0123456789");
    if (at == std::string::npos) return false;
    char *end;
    const long found = strtol(text.c_str() + at, &end, 10);
    return found == want && std::string(end).find_first_of("-0123456789") == std::string::npos;
}

/* A solver that takes each name discipline. */
class Any : public Solver {
public:
    int discipline;
    bool getIntParam(OsiIntParam key, int &value) const
    {
        if (key != OsiNameDiscipline) return Solver::getIntParam(key, value);
        value = discipline;
        return true;
    }
};

int main()
{
    ok("a row is named with its index", invRowColName('r', 5) == "!!invalid Row 5!!");
    ok("a column is named with its index", invRowColName('c', 5) == "!!invalid Col 5!!");
    ok("a negative index keeps its sign", invRowColName('r', -1) == "!!invalid Row -1!!" &&
       invRowColName('c', -34) == "!!invalid Col -34!!" && number(invRowColName('u', -2), -2) &&
       number(invRowColName('d', -3), -3));
    ok("index zero is written", invRowColName('r', 0) == "!!invalid Row 0!!" &&
       invRowColName('c', 0) == "!!invalid Col 0!!" && number(invRowColName('u', 0), 0) &&
       number(invRowColName('d', 0), 0));
    ok("the extreme indices are written", invRowColName('r', INT_MAX) == "!!invalid Row 2147483647!!" &&
       invRowColName('c', INT_MIN) == "!!invalid Col -2147483648!!" && number(invRowColName('u', INT_MAX), INT_MAX) &&
       number(invRowColName('d', INT_MIN), INT_MIN));
    ok("an index is not padded", invRowColName('r', 42) == "!!invalid Row 42!!" &&
       invRowColName('c', 1000) == "!!invalid Col 1000!!");

    const std::string d = invRowColName('d', 7), u = invRowColName('u', 7);
    ok("a discipline is named as such", has(d, "iscipline") && !has(d, "Row") && !has(d, "Col"));
    ok("the discipline is written", number(d, 7) && number(invRowColName('d', 123), 123));
    ok("code u speaks of row and column", has(u, "Row") && has(u, "Col") && !has(u, "iscipline"));
    ok("code u gives the index", number(u, 7) && number(invRowColName('u', 456), 456));
    ok("each message begins and ends as the others", starts(d, "!!invalid ") && ends(d, "7!!") &&
       starts(u, "!!invalid ") && ends(u, "7!!"));
    const std::string r = invRowColName('r', 7), c = invRowColName('c', 7), x = invRowColName('x', 7);
    ok("the codes give different messages",
       r != c && r != d && r != u && c != d && c != u && d != u && x != r && x != c && x != d && x != u);
    ok("another code gives an error message too", starts(x, "!!") && ends(x, "!!") && x.size() > 4 &&
       starts(invRowColName('o', 0), "!!") && starts(invRowColName('\0', 0), "!!"));
    ok("large letters are other codes", invRowColName('R', 7) != r && invRowColName('C', 7) != c &&
       invRowColName('D', 7) != d && invRowColName('U', 7) != u && starts(invRowColName('R', 7), "!!"));
    bool line = true;
    const char codes[] = "rcdux";
    for (int i = 0; i < 5; i++) {
        const std::string text = invRowColName(codes[i], 3);
        line = line && text.find_first_of(std::string("\n\r\0", 3)) == std::string::npos;
    }
    ok("a message is one line", line);
    const std::string held = invRowColName('r', 1);
    invRowColName('c', 22222);
    ok("calls do not influence each other", held == "!!invalid Row 1!!" && invRowColName('r', 1) == held &&
       r == "!!invalid Row 7!!");

    Any s;
    s.discipline = 0;
    s.columns(3);
    s.rows(2);
    ok("getRowName gives it for a row out of range", s.getRowName(-1) == "!!invalid Row -1!!" &&
       s.getRowName(3) == "!!invalid Row 3!!" && s.getRowName(2, 100).compare(0, 2, "!!") != 0);
    ok("getColName gives it for a column out of range", s.getColName(-1) == "!!invalid Col -1!!" &&
       s.getColName(3) == "!!invalid Col 3!!" && s.getColName(2) == "C0000002");
    s.discipline = 9;
    ok("an unknown discipline gives it", s.getRowName(0) == invRowColName('d', 9) &&
       s.getColName(0) == invRowColName('d', 9) && number(s.getRowName(1), 9));
    ok("default names give it", s.dfltRowColName('r', -4) == "!!invalid Row -4!!" &&
       s.dfltRowColName('c', -4) == "!!invalid Col -4!!" && s.dfltRowColName('y', 4) == invRowColName('u', 4));
    return plan();
}
