/*---
 * tasks: [SQLite.Transaction.Transaction-356520]
 * tests:
 *   a transaction is open while the object lives: 'Docstring: "Begins the SQLite transaction".'
 *   a commit keeps the changes: 'Class comment: "with all the changes committed".'
 *   the end of the object rolls the changes back: 'Class comment: "is rolled back in the destructor".'
 *   a committed transaction is over: 'Class comment: "the Transaction begins in the constructor"; commit ends it.'
 *   nothing is locked before it is used: 'Docstring: "the default transaction behavior"; that of SQLite is deferred.'
 *   it can be begun where another connection writes: 'Docstring: "the default transaction behavior", deferred.'
 *   it can be begun on a connection that only reads: 'Docstring: "the default transaction behavior", deferred.'
 *   a second one within the first throws: 'Docstring: "Exception is thrown in case of error".'
 *   a failed one leaves the outer transaction alone: 'Docstring: "then the Transaction is NOT initiated".'
 *   what SQLite forbids is thrown with its code: 'Docstring: "Exception is thrown in case of error".'
 *   a failed one leaves no transaction: 'Docstring: "then the Transaction is NOT initiated".'
 *   it is begun on the given connection alone: 'Docstring: "aDatabase the SQLite Database Connection".'
 *   many follow one another: 'Class comment: each begins in its constructor.'
 ---*/
#include "plus.h"

static int forbid(void *, int action, const char *, const char *, const char *, const char *) {
    return action == SQLITE_TRANSACTION ? SQLITE_DENY : SQLITE_OK;
}

int main() {
    {
        Memory db("CREATE TABLE t(x)"), other;
        bool before = within(db), during, after;
        {
            SQLite::Transaction transaction(db);
            during = within(db);
            ok("it is begun on the given connection alone", during && !within(other));
            db.exec("INSERT INTO t VALUES (1)");
            transaction.commit();
            after = within(db);
        }
        ok("a transaction is open while the object lives", !before && during);
        ok("a committed transaction is over", !after && !within(db));
        ok("a commit keeps the changes", ask(db, "SELECT x FROM t") == "1");
        {
            SQLite::Transaction transaction(db);
            db.exec("INSERT INTO t VALUES (2)");
        }
        ok("the end of the object rolls the changes back", ask(db, "SELECT x FROM t") == "1" && !within(db));
        {
            SQLite::Transaction transaction(db);
            db.exec("INSERT INTO t VALUES (3)");
            const int code = thrown([&] { SQLite::Transaction inner(db); });
            ok("a second one within the first throws", code == SQLITE_ERROR);
            const bool open = within(db);
            if (open) transaction.commit();
            ok("a failed one leaves the outer transaction alone", open && ask(db, "SELECT x FROM t") == "1,3");
        }
        bool good = true;
        for (int i = 0; i < 50; i++) {
            SQLite::Transaction transaction(db);
            good &= within(db);
            if (i % 2) transaction.commit();
        }
        ok("many follow one another", good && !within(db));
        sqlite3_set_authorizer(db.getHandle(), forbid, nullptr);
        ok("what SQLite forbids is thrown with its code",
           thrown([&] { SQLite::Transaction transaction(db); }) == SQLITE_AUTH);
        ok("a failed one leaves no transaction", !within(db));
    }
    const std::string path = fresh("default.db");
    Raw raw(path);
    raw.run("CREATE TABLE t(x)");
    {
        SQLite::Database db(path, SQLite::OPEN_READWRITE);
        SQLite::Transaction transaction(db);
        ok("nothing is locked before it is used", within(db) && raw.run("BEGIN EXCLUSIVE") == SQLITE_OK);
    }
    raw.run("ROLLBACK");
    raw.run("BEGIN EXCLUSIVE");
    {
        SQLite::Database db(path, SQLite::OPEN_READWRITE);
        ok("it can be begun where another connection writes",
           thrown([&] { SQLite::Transaction transaction(db); }) == NOTHING);
    }
    raw.run("ROLLBACK");
    {
        SQLite::Database db(path);
        ok("it can be begun on a connection that only reads",
           thrown([&] { SQLite::Transaction transaction(db); }) == NOTHING);
    }
    return plus_end();
}
