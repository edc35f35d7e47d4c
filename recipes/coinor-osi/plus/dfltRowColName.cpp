/*---
 * tasks: [OsiSolverInterface.dfltRowColName-d51319]
 * tests:
 *   a row is R and seven digits: 'Docstring: "RNNNNNNN"; "the default is 7 digits after the initial R or C".'
 *   a column is C and seven digits: 'Docstring: "CNNNNNNN"; "the default is 7 digits after the initial R or C".'
 *   the number is the index: 'OsiSolverInterface.hpp: "generated from ndx".'
 *   it is padded with zeros on the left: 'OsiSolverInterface.hpp: "padded with zeros if necessary".'
 *   the digits asked for are used: 'Docstring: "If digits is nonzero, it is used".'
 *   zero digits mean seven: 'Docstring: "If digits is nonzero, it is used, otherwise the default is 7 digits".'
 *   an index of more digits is not cut: 'OsiSolverInterface.hpp: padded only; callers need names that differ.'
 *   the largest index is written: 'Signature: int.'
 *   the objective is OBJECTIVE: 'OsiSolverInterface.hpp: "OBJECTIVE is returned".'
 *   by default it is one longer than the digits: 'OsiSolverInterface.hpp: "truncated to digits+1 characters".'
 *   it is truncated to one more than the digits: 'OsiSolverInterface.hpp: "truncated to digits+1 characters".'
 *   with more digits it is not padded: 'OsiSolverInterface.hpp: "OBJECTIVE is returned, truncated".'
 *   with zero digits it has eight letters: 'Docstring: "otherwise the default is 7 digits".'
 *   the index of the objective does not matter: 'Docstring: "If rc is o, return the default name".'
 *   the row after the last is no objective: 'Docstring: "Unless you want all your rows to be named OBJECTIVE".'
 *   a negative row is an error message: 'OsiNames.cpp: invRowColName; OsiSolverInterfaceTest.cpp.'
 *   a negative column is an error message: 'OsiNames.cpp: invRowColName; OsiSolverInterfaceTest.cpp.'
 *   the lowest index is written: 'OsiNames.cpp: invRowColName.'
 *   another letter is an error message: 'OsiNames.cpp, invRowColName: "saw something else".'
 *   large letters are other letters: 'Docstring: rc is r, c or o.'
 *   another letter and a negative index are that too: 'OsiNames.cpp: invRowColName, code u.'
 *   index zero is valid: 'Callers (getRowName, getColName) start from 0.'
 *   names that were set do not matter: 'Docstring: "Generate the default".'
 *   rows need not exist: 'Docstring: "to get a name *before* installing the row".'
 *   calls do not influence each other: 'Signature: const.'
 *   names on demand are these: 'Callers: getRowName, getColName, getRowNames, getColNames.'
 *   the name of the objective is this: 'Callers: getObjName.'
 ---*/
#include <climits>
#include "solver.h"
#include "ok.h"

int main()
{
    Solver s;
    s.columns(3);
    s.rows(2);
    ok("a row is R and seven digits", s.dfltRowColName('r', 1234567) == "R1234567");
    ok("a column is C and seven digits", s.dfltRowColName('c', 1234567) == "C1234567");
    ok("the number is the index", s.dfltRowColName('r', 4) == "R0000004" && s.dfltRowColName('c', 4) == "C0000004" &&
       s.dfltRowColName('r', 999999) == "R0999999" && s.dfltRowColName('c', 10) == "C0000010");
    ok("it is padded with zeros on the left", s.dfltRowColName('r', 90, 5) == "R00090" &&
       s.dfltRowColName('c', 90, 5) == "C00090" && s.dfltRowColName('c', 7, 2) == "C07");
    ok("the digits asked for are used",
       s.dfltRowColName('r', 12, 3) == "R012" && s.dfltRowColName('r', 12, 2) == "R12" &&
       s.dfltRowColName('c', 5, 1) == "C5" && s.dfltRowColName('c', 5, 8) == "C00000005" &&
       s.dfltRowColName('r', 12, 20) == "R00000000000000000012");
    ok("zero digits mean seven",
       s.dfltRowColName('r', 12, 0) == "R0000012" && s.dfltRowColName('c', 0, 0) == "C0000000");
    ok("an index of more digits is not cut", s.dfltRowColName('r', 123456789) == "R123456789" &&
       s.dfltRowColName('c', 12345678) == "C12345678" && s.dfltRowColName('c', 4321, 2) == "C4321" &&
       s.dfltRowColName('r', 10, 1) == "R10");
    ok("the largest index is written", s.dfltRowColName('r', INT_MAX) == "R2147483647" &&
       s.dfltRowColName('c', INT_MAX, 12) == "C002147483647");

    ok("the objective is OBJECTIVE", s.dfltRowColName('o', 0, 8) == "OBJECTIVE");
    ok("by default it is one longer than the digits", s.dfltRowColName('o', 0) == "OBJECTIV");
    ok("it is truncated to one more than the digits", s.dfltRowColName('o', 0, 1) == "OB" &&
       s.dfltRowColName('o', 0, 5) == "OBJECT" && s.dfltRowColName('o', 0, 7) == "OBJECTIV");
    ok("with more digits it is not padded", s.dfltRowColName('o', 0, 9) == "OBJECTIVE" &&
       s.dfltRowColName('o', 0, 100) == "OBJECTIVE");
    ok("with zero digits it has eight letters", s.dfltRowColName('o', 0, 0) == "OBJECTIV");
    ok("the index of the objective does not matter", s.dfltRowColName('o', 1, 8) == "OBJECTIVE" &&
       s.dfltRowColName('o', 2, 8) == "OBJECTIVE" && s.dfltRowColName('o', INT_MAX, 3) == "OBJE");
    ok("the row after the last is no objective", s.dfltRowColName('r', 2) == "R0000002" &&
       s.dfltRowColName('r', s.getNumRows(), 3) == "R002" && Solver().dfltRowColName('r', 0) == "R0000000");

    ok("a negative row is an error message", s.dfltRowColName('r', -1, 5) == "!!invalid Row -1!!" &&
       s.dfltRowColName('r', -77) == "!!invalid Row -77!!");
    ok("a negative column is an error message", s.dfltRowColName('c', -1, 5) == "!!invalid Col -1!!" &&
       s.dfltRowColName('c', -77) == "!!invalid Col -77!!" && s.dfltRowColName('c', -2, 0) == "!!invalid Col -2!!");
    ok("the lowest index is written", s.dfltRowColName('r', INT_MIN) == "!!invalid Row -2147483648!!");
    ok("another letter is an error message", s.dfltRowColName('x', 5) == "!!invalid Row/Col 5!!" &&
       s.dfltRowColName('u', 0) == "!!invalid Row/Col 0!!" && s.dfltRowColName('d', 1, 3) == "!!invalid Row/Col 1!!" &&
       s.dfltRowColName('\0', 2) == "!!invalid Row/Col 2!!" && s.dfltRowColName(' ', 3) == "!!invalid Row/Col 3!!");
    ok("large letters are other letters", s.dfltRowColName('R', 5) == "!!invalid Row/Col 5!!" &&
       s.dfltRowColName('C', 5) == "!!invalid Row/Col 5!!" && s.dfltRowColName('O', 5) == "!!invalid Row/Col 5!!");
    ok("another letter and a negative index are that too", s.dfltRowColName('x', -5) == "!!invalid Row/Col -5!!");
    ok("index zero is valid", s.dfltRowColName('r', 0) == "R0000000" && s.dfltRowColName('c', 0) == "C0000000" &&
       s.dfltRowColName('r', 0, 1) == "R0");

    s.setIntParam(OsiNameDiscipline, 1);
    s.setRowName(0, "first");
    s.setColName(1, "second");
    s.setObjName("aim");
    ok("names that were set do not matter", s.dfltRowColName('r', 0) == "R0000000" &&
       s.dfltRowColName('c', 1) == "C0000001" && s.dfltRowColName('o', 0, 8) == "OBJECTIVE");
    ok("rows need not exist", Solver().dfltRowColName('r', 17) == "R0000017" &&
       s.dfltRowColName('r', 40) == "R0000040" && s.dfltRowColName('c', 40) == "C0000040");
    const std::string held = s.dfltRowColName('r', 6);
    s.dfltRowColName('c', 123, 15);
    s.dfltRowColName('o', 0, 1);
    s.dfltRowColName('q', 8);
    ok("calls do not influence each other", held == "R0000006" && s.dfltRowColName('r', 6) == held &&
       s.dfltRowColName('c', 7) == "C0000007");

    bool demand = s.getRowName(0) == "first" && s.getRowName(1) == "R0000001" && s.getColName(0) == "C0000000" &&
                  s.getColName(1) == "second" && s.getColName(2, 4) == "C000";
    s.setIntParam(OsiNameDiscipline, 2);
    const OsiSolverInterface::OsiNameVec rows = s.getRowNames(), columns = s.getColNames();
    demand = demand && rows.size() == 3 && rows[0] == "first" && rows[1] == "R0000001" && columns.size() == 3 &&
             columns[0] == "C0000000" && columns[1] == "second" && columns[2] == "C0000002";
    s.setIntParam(OsiNameDiscipline, 0);
    ok("names on demand are these", demand && s.getRowName(0) == "R0000000" && s.getColName(1) == "C0000001");
    Solver plain;
    ok("the name of the objective is this", plain.getObjName(8) == "OBJECTIVE" && plain.getObjName(20) == "OBJECTIVE");
    return plan();
}
