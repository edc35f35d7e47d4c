/*---
 * tasks: [SQLite.Statement.tryExecuteStep-7cf33b]
 * tests:
 *   each row gives SQLITE_ROW: 'Docstring: "to fetch one row of results, returning the sqlite result code".'
 *   each call fetches one row: 'Docstring: "to fetch one row of results".'
 *   after the last row it gives SQLITE_DONE: 'Docstring: "returning the sqlite result code".'
 *   a query without rows is done at once: 'executeStep: "SQLITE_DONE [...] case of a query with no result".'
 *   a row can be read: 'hasRow: "true when a row has been fetched with executeStep()".'
 *   a row is not the end: 'isDone: "true when the last executeStep() had no more row to fetch".'
 *   at the end there is no row: 'checkRow: "executeStep() was not called, or returned false" throws.'
 *   at the end the statement is done: 'isDone: "true when the last executeStep() had no more row to fetch".'
 *   a statement that is done needs a reset: 'Callers executeStep and exec: "Statement needs to be reseted".'
 *   a statement that is done is not run again: 'Callers executeStep and exec: "Statement needs to be reseted".'
 *   it stays done until a reset: 'Callers executeStep and exec: "Statement needs to be reseted".'
 *   after a reset it runs again: 'reset: "make it ready for a new execution".'
 *   an insertion is run once: 'Docstring: "Execute a step of the prepared query".'
 *   an error is returned as its code: 'Docstring: "returning the sqlite result code".'
 *   after an error it is not done: 'isDone: true when there was no more row to fetch; an error is none.'
 *   an error after a row leaves no row: 'hasRow: "true when a row has been fetched".'
 *   after an error a reset makes it ready: 'reset: "make it ready for a new execution".'
 *   a lock in the way is returned as its code: 'Docstring: "returning the sqlite result code".'
 *   it can be tried again once the lock is gone: 'Docstring: "Try to execute a step"; it was not done.'
 *   executeStep throws its error: 'Caller executeStep: "throw SQLite::Exception in case of error".'
 *   exec gives the number of changes: 'Caller exec: "return the number of changes".'
 ---*/
#include "plus.h"

int main() {
    Memory db("CREATE TABLE t(x UNIQUE); INSERT INTO t VALUES (1), (2), (3)");
    {
        SQLite::Statement query(db, "SELECT x FROM t ORDER BY x");
        bool codes = true, values = true, rows = true, ends = true;
        for (int i = 1; i <= 3; i++) {
            codes &= query.tryExecuteStep() == SQLITE_ROW;
            rows &= query.hasRow();
            ends &= !query.isDone();
            values &= thrown([&] { values &= query.getColumn(0).getInt() == i; }) == NOTHING;
        }
        ok("each row gives SQLITE_ROW", codes);
        ok("each call fetches one row", values);
        ok("a row can be read", rows);
        ok("a row is not the end", ends);
        ok("after the last row it gives SQLITE_DONE", query.tryExecuteStep() == SQLITE_DONE);
        ok("at the end there is no row", !query.hasRow() && throws([&] { query.getColumn(0); }));
        ok("at the end the statement is done", query.isDone());
        ok("a statement that is done needs a reset", query.tryExecuteStep() == SQLITE_MISUSE);
        ok("it stays done until a reset",
           query.isDone() && !query.hasRow() && query.tryExecuteStep() == SQLITE_MISUSE && query.isDone() &&
               throws([&] { query.executeStep(); }) && throws([&] { query.exec(); }));
        query.reset();
        ok("after a reset it runs again",
           query.tryExecuteStep() == SQLITE_ROW && query.hasRow() && query.getColumn(0).getInt() == 1);
    }
    {
        SQLite::Statement query(db, "SELECT x FROM t WHERE x > 100");
        ok("a query without rows is done at once",
           query.tryExecuteStep() == SQLITE_DONE && !query.hasRow() && query.isDone());
    }
    {
        Memory once("CREATE TABLE t(x)");
        SQLite::Statement insert(once, "INSERT INTO t VALUES (1)");
        const int code = insert.tryExecuteStep();
        ok("an insertion is run once", code == SQLITE_DONE && ask(once, "SELECT count(*) FROM t") == "1");
        insert.tryExecuteStep();
        insert.tryExecuteStep();
        ok("a statement that is done is not run again", ask(once, "SELECT count(*) FROM t") == "1");
        insert.reset();
        ok("exec gives the number of changes", insert.exec() == 1 && ask(once, "SELECT count(*) FROM t") == "2");
    }
    {
        SQLite::Statement insert(db, "INSERT INTO t VALUES (?)");
        insert.bind(1, 2);
        ok("an error is returned as its code", insert.tryExecuteStep() == SQLITE_CONSTRAINT);
        ok("after an error it is not done", !insert.isDone() && !insert.hasRow());
        insert.tryReset();
        insert.bind(1, 4);
        ok("after an error a reset makes it ready",
           insert.tryExecuteStep() == SQLITE_DONE && insert.isDone() && ask(db, "SELECT max(x) FROM t") == "4");
        insert.reset();
        ok("executeStep throws its error", thrown([&] { insert.executeStep(); }) == SQLITE_CONSTRAINT);
    }
    {
        /* A row first, then an error: abs() of the smallest integer overflows. */
        Memory rows("CREATE TABLE n(i INTEGER PRIMARY KEY, x);"
                    "INSERT INTO n VALUES (1, 1), (2, -9223372036854775808)");
        SQLite::Statement query(rows, "SELECT abs(x) FROM n ORDER BY i");
        const int first = query.tryExecuteStep(), second = query.tryExecuteStep();
        ok("an error after a row leaves no row",
           first == SQLITE_ROW && second == SQLITE_ERROR && !query.hasRow() && !query.isDone() &&
               throws([&] { query.getColumn(0); }));
    }
    {
        const std::string path = fresh("trystep.db");
        Raw raw(path);
        raw.run("CREATE TABLE t(x)");
        SQLite::Database file(path, SQLite::OPEN_READWRITE);
        SQLite::Statement insert(file, "INSERT INTO t VALUES (1)");
        raw.run("BEGIN EXCLUSIVE");
        ok("a lock in the way is returned as its code",
           insert.tryExecuteStep() == SQLITE_BUSY && !insert.hasRow() && !insert.isDone());
        raw.run("COMMIT");
        ok("it can be tried again once the lock is gone",
           insert.tryExecuteStep() == SQLITE_DONE && insert.isDone() && raw.ask("SELECT count(*) FROM t") == "1");
    }
    return plus_end();
}
