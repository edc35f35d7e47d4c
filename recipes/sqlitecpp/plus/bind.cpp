/*---
 * tasks: [SQLite.bind-130be1]
 * goals: [graft-build/SQLiteCpp_tests]
 * tests:
 *   the first argument goes to parameter 1: 'Docstring: "equivalent of stm.bind(1,a)".'
 *   arguments go to parameters in their order: 'Docstring: "stm.bind(1,a); stm.bind(2,b); stm.bind(3,c)".'
 *   each kind of value is bound as by Statement: 'Docstring: "calling Statement::bind(...) once for each argument".'
 *   large numbers are bound whole: 'Docstring: it calls Statement::bind, which has int64_t, uint32_t and double.'
 *   null bytes of a string are bound: 'Docstring: it calls Statement::bind, which binds the size of a std::string.'
 *   a null pointer is bound as NULL: 'Docstring: it calls Statement::bind.'
 *   strings are copied: 'Statement.h: bind makes "its own copy of the data before the bind() call returns".'
 *   no argument binds nothing: 'Docstring: "zero or more args to bind".'
 *   fewer arguments leave the other parameters: 'Docstring: "once for each argument given".'
 *   one argument too many throws: 'Docstring: it calls Statement::bind, which throws for an index out of range.'
 *   arguments are left as they were: 'Signature: "const Args& ... args".'
 *   new values replace the former ones: 'Docstring: equivalent of stm.bind(1,a).'
 *   binding while a row is there throws: 'reset: "Call this function before any news calls to bind()".'
 *   many arguments are bound: 'Docstring: "zero or more args"; "incrementing the index between each calls".'
 *   a tuple is bound: 'Overload for a tuple: "forwarding them to the variadic template".'
 *   temporary values are bound: 'Signature: "const Args& ... args".'
 ---*/
#include "plus.h"
#include <tuple>

static std::string shown(SQLite::Statement &query) {
    std::string text;
    query.executeStep();
    for (int i = 0; i < query.getColumnCount(); i++) {
        if (i) text += ',';
        text += query.isColumnNull(i) ? "NULL" : query.getColumn(i).getString();
    }
    query.reset();
    return text;
}

int main() {
    Memory db;
    {
        SQLite::Statement query(db, "SELECT ?1, ?2, ?3, typeof(?1), typeof(?2), typeof(?3)");
        SQLite::bind(query, 7);
        ok("the first argument goes to parameter 1", shown(query) == "7,NULL,NULL,integer,null,null");
        SQLite::bind(query, 1, "two", 3.5);
        ok("arguments go to parameters in their order", shown(query) == "1,two,3.5,integer,text,real");
        SQLite::bind(query, "new", 2);
        ok("fewer arguments leave the other parameters", shown(query) == "new,2,3.5,text,integer,real");
        SQLite::bind(query);
        ok("no argument binds nothing", shown(query) == "new,2,3.5,text,integer,real");
        SQLite::bind(query, 9, 8, 7);
        ok("new values replace the former ones", shown(query) == "9,8,7,integer,integer,integer");
        const char *missing = nullptr;
        SQLite::bind(query, 1, missing, 3);
        ok("a null pointer is bound as NULL", shown(query) == "1,NULL,3,integer,null,integer");
        ok("one argument too many throws", thrown([&] { SQLite::bind(query, 1, 2, 3, 4); }) == SQLITE_RANGE);
        SQLite::bind(query, std::string("a") + "b", 1 + 1, 2.0 * 2);
        ok("temporary values are bound", shown(query) == "ab,2,4.0,text,integer,real");
        SQLite::bind(query, std::make_tuple(5, "six", std::string("seven")));
        ok("a tuple is bound", shown(query) == "5,six,seven,integer,text,text");
        query.executeStep();
        ok("binding while a row is there throws", thrown([&] { SQLite::bind(query, 1); }) == SQLITE_MISUSE);
    }
    {
        SQLite::Statement query(db, "SELECT typeof(?1), typeof(?2), typeof(?3), typeof(?4), typeof(?5), typeof(?6)");
        const int a = 1;
        const int64_t b = 2;
        const double c = 3;
        const std::string d = "four";
        const char *e = "five";
        uint32_t f = 6;
        SQLite::bind(query, a, b, c, d, e, f);
        ok("each kind of value is bound as by Statement", shown(query) == "integer,integer,real,text,text,integer");
    }
    {
        SQLite::Statement query(db, "SELECT ?, ?, ?, ?");
        SQLite::bind(query, static_cast<int64_t>(-9000000000000000001LL), static_cast<uint32_t>(4294967295U),
                     0.1234567890123, INT_MIN);
        ok("large numbers are bound whole",
           shown(query) == "-9000000000000000001,4294967295,0.1234567890123,-2147483648");
    }
    {
        SQLite::Statement query(db, "SELECT ?, ?");
        std::string first("x\0y", 3), second = "second value that is too long for a small string";
        SQLite::bind(query, first, second);
        ok("arguments are left as they were",
           first == std::string("x\0y", 3) && second == "second value that is too long for a small string");
        first = "???";
        for (char &c : second) c = '?';
        query.executeStep();
        ok("null bytes of a string are bound", query.getColumn(0).getString() == std::string("x\0y", 3));
        query.reset();
        char buffer[40] = "in a buffer";
        const char *pointer = buffer;
        SQLite::bind(query, pointer, second);
        strcpy(buffer, "overwritten");
        second.assign(second.size(), '!');
        query.executeStep();
        ok("strings are copied",
           query.getColumn(0).getString() == "in a buffer" && query.getColumn(1).getString() == std::string(48, '?'));
    }
    {
        SQLite::Statement query(db, "SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?");
        SQLite::bind(query, 1, 2, "3", 4, 5, 6, 7, "8", 9, 10, 11, 12);
        ok("many arguments are bound", shown(query) == "1,2,3,4,5,6,7,8,9,10,11,12");
    }
    return plus_end();
}
