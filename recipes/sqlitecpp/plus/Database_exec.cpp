/*---
 * tasks: [SQLite.Database.exec-8d5a4a]
 * tests:
 *   a statement is executed: 'Docstring: "Shortcut to execute one or multiple statements without results".'
 *   an insertion gives its number of rows: 'Docstring: "number of rows modified".'
 *   an update gives its number of rows: 'Docstring: "number of rows modified".'
 *   a deletion gives its number of rows: 'Docstring: "number of rows modified".'
 *   a change of no row gives 0: 'Docstring: "number of rows modified by the *last* INSERT, UPDATE or DELETE".'
 *   each call gives its own number: 'Docstring: "number of rows modified by the *last* INSERT, UPDATE or DELETE".'
 *   several statements are executed in their order: 'Docstring: "one or multiple [...] SQL statements".'
 *   the last of several statements counts: 'Docstring: "number of rows modified by the *last* INSERT".'
 *   the number is that of getChanges: 'getChanges: "number of rows modified by last INSERT, UPDATE or DELETE".'
 *   a definition is executed: 'Docstring: data definition statements "CREATE, ALTER and DROP".'
 *   a transaction is executed: 'Docstring: "COMMIT and ROLLBACK".'
 *   wrong SQL throws: 'Docstring: "throw SQLite::Exception in case of error".'
 *   a violated constraint throws its code: 'check: "throw a SQLite::Exception with the SQLite error message".'
 *   the exception holds the message of SQLite: 'check: "with the SQLite error message".'
 *   the exception holds the extended code: 'Exception: "Return the extended numeric result code".'
 *   a lock in the way throws its code: 'Docstring: "throw SQLite::Exception in case of error".'
 *   a connection that only reads throws its code: 'Docstring: "throw SQLite::Exception in case of error".'
 *   statements before an error are kept: 'Docstring: it executes one after the other.'
 *   statements after an error are not executed: 'Docstring: "throw SQLite::Exception in case of error".'
 *   after an error the next call works: 'Docstring: "Return the number of changes".'
 *   text beyond ASCII is UTF-8: 'Docstring: "UTF-8 encoded".'
 *   many rows are counted: 'Docstring: "number of rows modified".'
 ---*/
#include "plus.h"

int main() {
    Memory db;
    db.exec("CREATE TABLE t(i INTEGER PRIMARY KEY, x TEXT UNIQUE)");
    ok("a definition is executed", ask(db, "SELECT count(*) FROM t") == "0");
    int n = db.exec("INSERT INTO t VALUES (1, 'a')");
    ok("a statement is executed", ask(db, "SELECT * FROM t") == "1,a");
    ok("an insertion gives its number of rows",
       n == 1 && db.exec("INSERT INTO t VALUES (2, 'b'), (3, 'c'), (4, 'd')") == 3);
    ok("an update gives its number of rows", db.exec("UPDATE t SET x = x || '!' WHERE i > 2") == 2);
    ok("a change of no row gives 0", db.exec("UPDATE t SET x = 'z' WHERE i > 100") == 0 &&
                                         db.exec("DELETE FROM t WHERE i = 50") == 0);
    ok("a deletion gives its number of rows",
       db.exec("DELETE FROM t WHERE i = 4") == 1 && db.exec("DELETE FROM t") == 3);
    n = db.exec("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    const int second = db.exec("UPDATE t SET x = 'one' WHERE i = 1");
    ok("each call gives its own number", n == 3 && second == 1);
    n = db.exec("INSERT INTO t VALUES (4, 'd'), (5, 'e'); DELETE FROM t WHERE i = 4; "
                "UPDATE t SET x = i || 'n' WHERE i < 4");
    ok("several statements are executed in their order",
       ask(db, "SELECT * FROM t ORDER BY i") == "1,1n,2,2n,3,3n,5,e");
    ok("the last of several statements counts",
       n == 3 && db.exec("DELETE FROM t WHERE i < 3;INSERT INTO t VALUES (9, 'i') ;") == 1);
    bool same = db.exec("UPDATE t SET i = i + 100") == db.getChanges() && db.getChanges() == 3;
    same &= db.exec("DELETE FROM t WHERE x = 'i'") == db.getChanges() && db.getChanges() == 1;
    ok("the number is that of getChanges", same);

    db.exec("BEGIN");
    const bool open = within(db);
    db.exec("DELETE FROM t");
    db.exec("ROLLBACK");
    ok("a transaction is executed", open && !within(db) && ask(db, "SELECT count(*) FROM t") == "2");
    ok("wrong SQL throws", thrown([&] { db.exec("nothing of SQL"); }) == SQLITE_ERROR &&
                               thrown([&] { db.exec("INSERT INTO nowhere VALUES (1)"); }) == SQLITE_ERROR);
    db.exec("DELETE FROM t");
    db.exec("INSERT INTO t VALUES (1, 'a')");
    int code = NOTHING, extended = NOTHING;
    std::string message;
    try {
        db.exec("INSERT INTO t VALUES (2, 'a')");
    } catch (const SQLite::Exception &e) {
        code = e.getErrorCode();
        extended = e.getExtendedErrorCode();
        message = e.what();
    }
    ok("a violated constraint throws its code", code == SQLITE_CONSTRAINT);
    ok("the exception holds the extended code", extended == SQLITE_CONSTRAINT_UNIQUE);
    ok("the exception holds the message of SQLite", !message.empty() && message == sqlite3_errmsg(db.getHandle()));
    ok("after an error the next call works", db.exec("INSERT INTO t VALUES (2, 'b'), (3, 'c')") == 2);
    code = thrown([&] { db.exec("INSERT INTO t VALUES (4, 'd'); INSERT INTO t VALUES (4, 'e'); DELETE FROM t"); });
    const std::string rows = ask(db, "SELECT x FROM t ORDER BY i");
    ok("statements before an error are kept", code == SQLITE_CONSTRAINT && rows.find('d') != std::string::npos);
    ok("statements after an error are not executed", code == SQLITE_CONSTRAINT && rows.find('a') == 0);
    db.exec("INSERT INTO t VALUES (7, '\xc3\xa9\xe2\x82\xac')");
    ok("text beyond ASCII is UTF-8", ask(db, "SELECT hex(x) FROM t WHERE i = 7") == "C3A9E282AC");
    ok("many rows are counted",
       db.exec("CREATE TABLE m(x); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 1000) "
               "INSERT INTO m SELECT i FROM c") == 1000 && db.exec("DELETE FROM m WHERE x > 10") == 990);
    {
        const std::string path = fresh("exec.db");
        Raw raw(path);
        raw.run("CREATE TABLE t(x); BEGIN EXCLUSIVE");
        SQLite::Database file(path, SQLite::OPEN_READWRITE), reader(path);
        ok("a lock in the way throws its code", thrown([&] { file.exec("INSERT INTO t VALUES (1)"); }) == SQLITE_BUSY);
        raw.run("COMMIT");
        ok("a connection that only reads throws its code",
           thrown([&] { reader.exec("INSERT INTO t VALUES (1)"); }) == SQLITE_READONLY);
    }
    return plus_end();
}
