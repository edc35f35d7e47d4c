/*---
 * tasks: [SQLite.Statement.reset-ed6277]
 * tests:
 *   rows are fetched again from the first: 'Docstring: "Reset the statement to make it ready for a new execution".'
 *   a finished statement can be executed again: 'Docstring: "to make it ready for a new execution".'
 *   there is no row after it: 'hasRow: "true when a row has been fetched with executeStep()".'
 *   the statement is not done after it: 'isDone: "true when the last executeStep() had no more row to fetch".'
 *   bindings stay: 'Docstring: "Calling reset() does not clear the bindings".'
 *   other values can be bound after it: 'Docstring: "Call this function before any news calls to bind()".'
 *   a statement that was never executed is left ready: 'Docstring: "make it ready for a new execution".'
 *   a second reset is no error: 'Docstring: "Throws an exception on error".'
 *   the error of the last step is thrown: 'Docstring: "by calling sqlite3_reset. Throws an exception on error".'
 *   the thrown code is that of SQLite: 'check: throw "if a return code" is not SQLITE_OK, with it.'
 *   the thrown message is that of SQLite: 'check: "with the SQLite error message".'
 *   there is no row after a reset that throws: 'hasRow: a row is there only when fetched; the statement was reset.'
 *   after a reset that throws the statement is ready: 'Docstring: "to make it ready for a new execution".'
 *   its lock on the table is released: 'Docstring: "by calling sqlite3_reset", which ends the reading.'
 *   a column needs a new row: 'checkRow: "if there is a row of result returned by executeStep(), else throw".'
 *   another statement goes on: 'Docstring: "Reset the statement", this one.'
 ---*/
#include "plus.h"

int main() {
    Memory db("CREATE TABLE t(x UNIQUE); INSERT INTO t VALUES (1), (2), (3)");
    {
        SQLite::Statement all(db, "SELECT x FROM t ORDER BY x"), other(db, "SELECT x FROM t ORDER BY x");
        other.executeStep();
        all.executeStep();
        all.executeStep();
        const bool second = all.hasRow() && all.getColumn(0).getInt() == 2;
        all.reset();
        ok("there is no row after it", second && !all.hasRow());
        ok("a column needs a new row", throws([&] { all.getColumn(0); }) && throws([&] { all.isColumnNull(0); }));
        ok("rows are fetched again from the first", all.executeStep() && all.getColumn(0).getInt() == 1);
        while (all.executeStep()) {}
        const bool done = all.isDone();
        all.reset();
        ok("the statement is not done after it", done && !all.isDone() && !all.hasRow());
        ok("a finished statement can be executed again", all.executeStep() && all.getColumn(0).getInt() == 1);
        ok("another statement goes on", other.hasRow() && other.executeStep() && other.getColumn(0).getInt() == 2);
    }
    {
        SQLite::Statement query(db, "SELECT ?1, ?2");
        sqlite3_stmt *bare = sqlite3_next_stmt(db.getHandle(), nullptr);
        query.bind(1, "kept");
        query.bind(2, 17);
        query.executeStep();
        query.reset();
        const bool rows = query.executeStep();
        ok("bindings stay",
           bare && rows && query.getColumn(0).getString() == "kept" && query.getColumn(1).getInt() == 17);
        query.reset();
        ok("other values can be bound after it",
           thrown([&] { query.bind(1, "new"); }) == NOTHING && query.executeStep() &&
               query.getColumn(0).getString() == "new" && query.getColumn(1).getInt() == 17);
    }
    {
        SQLite::Statement query(db, "SELECT 5");
        const int first = thrown([&] { query.reset(); });
        ok("a statement that was never executed is left ready",
           first == NOTHING && !query.hasRow() && !query.isDone() && query.executeStep());
        ok("a second reset is no error",
           thrown([&] { query.reset(); query.reset(); query.reset(); }) == NOTHING && query.executeStep());
    }
    {
        SQLite::Statement insert(db, "INSERT INTO t VALUES (?)");
        insert.bind(1, 2);
        const bool failed = throws([&] { insert.exec(); });
        int code = NOTHING;
        std::string message;
        try {
            insert.reset();
        } catch (const SQLite::Exception &e) {
            code = e.getErrorCode();
            message = e.what();
        }
        ok("the error of the last step is thrown", failed && code != NOTHING);
        ok("the thrown code is that of SQLite", code == SQLITE_CONSTRAINT);
        ok("the thrown message is that of SQLite", !message.empty() && message == sqlite3_errmsg(db.getHandle()));
        const int again = thrown([&] { insert.reset(); });
        insert.bind(1, 4);
        ok("after a reset that throws the statement is ready",
           again == NOTHING && thrown([&] { insert.exec(); }) == NOTHING && ask(db, "SELECT max(x) FROM t") == "4");
    }
    {
        /* A row first, then an error: abs() of the smallest integer overflows. */
        Memory rows("CREATE TABLE n(i INTEGER PRIMARY KEY, x);"
                    "INSERT INTO n VALUES (1, 1), (2, -9223372036854775808)");
        SQLite::Statement query(rows, "SELECT abs(x) FROM n ORDER BY i");
        const bool row = query.executeStep();
        const bool failed = throws([&] { query.executeStep(); });
        const int code = thrown([&] { query.reset(); });
        ok("there is no row after a reset that throws",
           row && failed && code == SQLITE_ERROR && !query.hasRow() && !query.isDone() && query.executeStep());
    }
    {
        SQLite::Statement query(db, "SELECT x FROM t");
        query.executeStep();
        const std::string before = ask(db, "DROP TABLE t");
        query.reset();
        ok("its lock on the table is released", before == "error 6" && ask(db, "DROP TABLE t") == "");
    }
    return plus_end();
}
