/*---
 * tasks: [SQLite.Database.createFunction-50ac54]
 * tests:
 *   a scalar function can be called: 'Docstring: "apFunc Pointer to a C-function to implement a scalar SQL function".'
 *   it has the given number of arguments: 'Docstring: "aNbArg Number of arguments in the function".'
 *   a number of -1 is any number: 'Docstring: "equivalent of the sqlite3_create_function_v2 command".'
 *   one name can have several numbers of arguments: 'Docstring: "equivalent of sqlite3_create_function_v2".'
 *   the user data can be reached: 'Docstring: "Arbitrary pointer of user data, accessible with sqlite3_user_data()".'
 *   no user data is a null pointer: 'Docstring: "Arbitrary pointer of user data".'
 *   an aggregate can be called: 'Docstring: "apStep [...] to implement an aggregate SQL function (apFunc nullptr)".'
 *   the user data of an aggregate can be reached: 'Docstring: "Arbitrary pointer of user data".'
 *   a function can be redefined: 'Docstring: "Create or redefine a SQL function".'
 *   a deterministic function can be used for an index: 'Docstring: "Optimize for deterministic functions".'
 *   another function can not be used for an index: 'Docstring: "A random number generator is not" deterministic.'
 *   the destructor waits while the function is there: 'Docstring: "the destructor for the application data pointer".'
 *   the destructor is called when the database is closed: 'Docstring: "the destructor for [...] data pointer".'
 *   the destructor is called at a redefinition: 'Docstring: "the destructor for the application data pointer".'
 *   the destructor gets the user data: 'Docstring: "the destructor for the application data pointer".'
 *   too many arguments throw: 'Docstring: "throw SQLite::Exception in case of error".'
 *   a name that is too long throws: 'Docstring: "throw SQLite::Exception in case of error".'
 *   a function that is both kinds throws: 'Docstring: "apStep & apFinal nullptr" with apFunc.'
 *   a function in use throws its code: 'Docstring: "throw SQLite::Exception in case of error".'
 *   only this connection has the function: 'Docstring: "in the sqlite database", of this object.'
 *   a function for UTF-16 is left alone: 'Docstring: "UTF-8 text encoding assumed".'
 *   in a UTF-8 database it goes before one for UTF-16: 'Docstring: "UTF-8 text encoding assumed".'
 *   text beyond ASCII comes as UTF-8: 'Docstring: "UTF-8 text encoding assumed".'
 ---*/
#include "plus.h"

static int destroyed;
static void *last;

static void destroy(void *data) {
    destroyed++;
    last = data;
}

/* The number of its arguments. */
static void count(sqlite3_context *context, int n, sqlite3_value **) {
    sqlite3_result_int(context, n);
}

static void data(sqlite3_context *context, int, sqlite3_value **) {
    int *number = static_cast<int *>(sqlite3_user_data(context));
    if (number) sqlite3_result_int(context, *number);
    else sqlite3_result_text(context, "none", -1, SQLITE_STATIC);
}

static void bytes(sqlite3_context *context, int, sqlite3_value **values) {
    const void *text = sqlite3_value_text(values[0]);
    sqlite3_result_int(context, static_cast<int>(strlen(static_cast<const char *>(text))));
}

static void thousand(sqlite3_context *context, int, sqlite3_value **) {
    sqlite3_result_int(context, 1000);
}

/* A sum that starts at 100 for each row. */
static void step(sqlite3_context *context, int, sqlite3_value **values) {
    int *sum = static_cast<int *>(sqlite3_aggregate_context(context, sizeof(int)));
    *sum += sqlite3_value_int(values[0]) + 100;
}

static void finish(sqlite3_context *context) {
    int *sum = static_cast<int *>(sqlite3_aggregate_context(context, sizeof(int)));
    int *factor = static_cast<int *>(sqlite3_user_data(context));
    sqlite3_result_int(context, *sum * (factor ? *factor : 1));
}

int main() {
    int five = 5, six = 6;
    {
        Memory db("CREATE TABLE t(x); INSERT INTO t VALUES (1), (2), (3)"), other;
        db.createFunction("two", 2, true, nullptr, count);
        ok("a scalar function can be called", ask(db, "SELECT two(7, 8)") == "2");
        ok("it has the given number of arguments",
           ask(db, "SELECT two(7)") == "error 1" && ask(db, "SELECT two(7, 8, 9)") == "error 1");
        ok("only this connection has the function", ask(other, "SELECT two(7, 8)") == "error 1");
        db.createFunction("any", -1, false, nullptr, count);
        ok("a number of -1 is any number", ask(db, "SELECT any(), any(1), any(1, 2, 3)") == "0,1,3");
        db.createFunction("several", 0, true, &five, data);
        db.createFunction("several", 1, true, nullptr, count);
        ok("one name can have several numbers of arguments", ask(db, "SELECT several(), several(0)") == "5,1");
        db.createFunction("own", 0, true, &five, data);
        db.createFunction("others", 0, true, &six, data);
        ok("the user data can be reached", ask(db, "SELECT own(), others()") == "5,6");
        db.createFunction("no_data", 0, true, nullptr, data);
        ok("no user data is a null pointer", ask(db, "SELECT no_data()") == "none");
        db.createFunction("total_of", 1, true, nullptr, nullptr, step, finish);
        ok("an aggregate can be called", ask(db, "SELECT total_of(x) FROM t") == "306");
        db.createFunction("times", 1, true, &five, nullptr, step, finish, nullptr);
        ok("the user data of an aggregate can be reached", ask(db, "SELECT times(x) FROM t") == "1530");
        db.createFunction("own", 0, true, &six, data);
        ok("a function can be redefined", ask(db, "SELECT own()") == "6");
        db.createFunction("steady", 1, true, nullptr, count);
        db.createFunction("moody", 1, false, nullptr, count);
        ok("a deterministic function can be used for an index", ask(db, "CREATE INDEX a ON t(steady(x))") == "");
        ok("another function can not be used for an index", ask(db, "CREATE INDEX b ON t(moody(x))") == "error 1");
        db.createFunction("bytes", 1, true, nullptr, bytes);
        ok("text beyond ASCII comes as UTF-8", ask(db, "SELECT bytes('\xe2\x82\xac')") == "3");
        ok("too many arguments throw",
           thrown([&] { db.createFunction("f", 500, true, nullptr, count); }) == SQLITE_MISUSE &&
               thrown([&] { db.createFunction("f", -2, true, nullptr, count); }) == SQLITE_MISUSE);
        const std::string name(300, 'f');
        ok("a name that is too long throws",
           thrown([&] { db.createFunction(name.c_str(), 1, true, nullptr, count); }) == SQLITE_MISUSE);
        ok("a function that is both kinds throws",
           thrown([&] { db.createFunction("f", 1, true, nullptr, count, step, finish); }) == SQLITE_MISUSE &&
               thrown([&] { db.createFunction("f", 1, true, nullptr, nullptr, step); }) == SQLITE_MISUSE);
        SQLite::Statement query(db, "SELECT own() FROM t");
        query.executeStep();
        ok("a function in use throws its code",
           thrown([&] { db.createFunction("own", 0, true, &five, data); }) == SQLITE_BUSY);
    }
    {
        int code;
        bool waits, redefined;
        {
            Memory db;
            db.createFunction("own", 0, true, &five, data, nullptr, nullptr, destroy);
            ask(db, "SELECT own()");
            waits = destroyed == 0;
            db.createFunction("own", 0, true, &six, data, nullptr, nullptr, destroy);
            redefined = destroyed == 1 && last == &five;
            waits &= ask(db, "SELECT own()") == "6" && destroyed <= 1;
        }
        ok("the destructor waits while the function is there", waits);
        ok("the destructor is called at a redefinition", redefined);
        ok("the destructor is called when the database is closed", destroyed == 2);
        ok("the destructor gets the user data", last == &six);
    }
    {
        Memory narrow, wide("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(x)");
        for (Memory *db : {&narrow, &wide}) {
            sqlite3_create_function(db->getHandle(), "f", 1, SQLITE_UTF16LE, nullptr, thousand, nullptr, nullptr);
            db->createFunction("f", 1, true, nullptr, count);
        }
        ok("a function for UTF-16 is left alone", ask(wide, "SELECT f('x')") == "1000");
        ok("in a UTF-8 database it goes before one for UTF-16", ask(narrow, "SELECT f('x')") == "1");
    }
    return plus_end();
}
