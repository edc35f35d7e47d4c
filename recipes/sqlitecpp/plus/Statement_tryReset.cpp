/*---
 * tasks: [SQLite.Statement.tryReset-72cba2]
 * tests:
 *   a reset is a success: 'Docstring: "Returns the sqlite result code".'
 *   rows are fetched again from the first: 'Docstring: "Reset the statement".'
 *   a finished statement can be executed again: 'Docstring of reset: "ready for a new execution".'
 *   there is no row after it: 'hasRow: "true when a row has been fetched with executeStep()".'
 *   the statement is not done after it: 'isDone: "true when the last executeStep() had no more row to fetch".'
 *   bindings stay: 'Docstring of reset: "Calling reset() does not clear the bindings".'
 *   a statement that was never executed is left ready: 'Docstring: "Reset the statement".'
 *   a second reset is a success: 'Docstring: "Returns the sqlite result code".'
 *   the error of the last step is returned: 'Docstring: "Returns the sqlite result code instead of throwing".'
 *   an error of a row is returned: 'Docstring: "Returns the sqlite result code instead of throwing".'
 *   a lock in the way is returned: 'Docstring: "Returns the sqlite result code instead of throwing".'
 *   there is no row after an error: 'Docstring: "Reset the statement"; caller reset throws only after that.'
 *   after an error the next reset is a success: 'Docstring: "Returns the sqlite result code".'
 *   after an error the statement is ready: 'Docstring: "Reset the statement".'
 *   its lock on the table is released: 'Docstring of reset: "by calling sqlite3_reset", which ends the reading.'
 *   reset throws what it returns: 'Caller reset: "Throws an exception on error".'
 ---*/
#include "plus.h"

int main() {
    Memory db("CREATE TABLE t(x UNIQUE); INSERT INTO t VALUES (1), (2), (3)");
    {
        SQLite::Statement all(db, "SELECT x FROM t ORDER BY x");
        all.executeStep();
        all.executeStep();
        const bool second = all.hasRow() && all.getColumn(0).getInt() == 2;
        bool good = all.tryReset() == SQLITE_OK;
        ok("there is no row after it", second && !all.hasRow() && throws([&] { all.getColumn(0); }));
        ok("rows are fetched again from the first", all.executeStep() && all.getColumn(0).getInt() == 1);
        while (all.executeStep()) {}
        const bool done = all.isDone();
        good &= all.tryReset() == SQLITE_OK;
        ok("a reset is a success", good);
        ok("the statement is not done after it", done && !all.isDone() && !all.hasRow());
        ok("a finished statement can be executed again",
           all.tryExecuteStep() == SQLITE_ROW && all.getColumn(0).getInt() == 1);
    }
    {
        SQLite::Statement query(db, "SELECT ?1, ?2");
        query.bind(1, "kept");
        query.bind(2, 17);
        query.executeStep();
        query.tryReset();
        const bool row = query.executeStep();
        ok("bindings stay", row && query.getColumn(0).getString() == "kept" && query.getColumn(1).getInt() == 17);
    }
    {
        SQLite::Statement query(db, "SELECT 5");
        ok("a statement that was never executed is left ready",
           query.tryReset() == SQLITE_OK && !query.hasRow() && !query.isDone() && query.executeStep());
        ok("a second reset is a success",
           query.tryReset() == SQLITE_OK && query.tryReset() == SQLITE_OK && query.executeStep());
    }
    {
        SQLite::Statement insert(db, "INSERT INTO t VALUES (?)");
        insert.bind(1, 2);
        const int step = insert.tryExecuteStep();
        ok("the error of the last step is returned",
           step == SQLITE_CONSTRAINT && insert.tryReset() == SQLITE_CONSTRAINT);
        ok("after an error the next reset is a success", insert.tryReset() == SQLITE_OK);
        insert.bind(1, 4);
        ok("after an error the statement is ready",
           insert.tryExecuteStep() == SQLITE_DONE && ask(db, "SELECT max(x) FROM t") == "4");
        insert.tryReset();
        insert.tryExecuteStep();
        ok("reset throws what it returns",
           thrown([&] { insert.reset(); }) == SQLITE_CONSTRAINT && thrown([&] { insert.reset(); }) == NOTHING);
    }
    {
        /* A row first, then an error: abs() of the smallest integer overflows. */
        Memory rows("CREATE TABLE n(i INTEGER PRIMARY KEY, x);"
                    "INSERT INTO n VALUES (1, 1), (2, -9223372036854775808)");
        SQLite::Statement query(rows, "SELECT abs(x) FROM n ORDER BY i");
        const bool row = query.executeStep();
        const int step = query.tryExecuteStep();
        const int reset = query.tryReset();
        ok("an error of a row is returned", row && step == SQLITE_ERROR && reset == SQLITE_ERROR);
        ok("there is no row after an error",
           !query.hasRow() && !query.isDone() && query.tryExecuteStep() == SQLITE_ROW);
    }
    {
        SQLite::Statement query(db, "SELECT x FROM t");
        query.executeStep();
        const std::string before = ask(db, "DROP TABLE t");
        query.tryReset();
        ok("its lock on the table is released", before == "error 6" && ask(db, "DROP TABLE t") == "");
    }
    {
        const std::string path = fresh("tryreset.db");
        Raw raw(path);
        raw.run("CREATE TABLE t(x); BEGIN EXCLUSIVE");
        SQLite::Database file(path, SQLite::OPEN_READWRITE);
        raw.run("COMMIT");
        SQLite::Statement insert(file, "INSERT INTO t VALUES (1)");
        raw.run("BEGIN EXCLUSIVE");
        const int step = insert.tryExecuteStep();
        const int reset = insert.tryReset();
        raw.run("COMMIT");
        ok("a lock in the way is returned",
           step == SQLITE_BUSY && reset == SQLITE_BUSY && insert.tryExecuteStep() == SQLITE_DONE);
    }
    return plus_end();
}
