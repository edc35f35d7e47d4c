/*---
 * tasks: [SQLite.Savepoint.Savepoint-bbd3b2]
 * tests:
 *   a savepoint opens a transaction: 'Docstring: "Begins the SQLite savepoint".'
 *   it has the given name: 'Docstring: "aName the name of the Savepoint".'
 *   the given name is left as it was: 'Docstring: "const std::string& aName".'
 *   released changes are kept: 'Class comment: "with all the changes committed".'
 *   the end of the object rolls the changes back: 'Docstring of the destructor: "Safely rollback".'
 *   a release by the object ends it: 'Docstring of release: "Commit and release the savepoint".'
 *   a rollback by the object undoes the changes: 'Docstring of rollback: "Rollback the savepoint".'
 *   a name with spaces works: 'Docstring: aName is any string.'
 *   a name with an apostrophe works: 'Docstring: aName is any string.'
 *   a name with a quotation mark works: 'Docstring: aName is any string.'
 *   a keyword works as a name: 'Docstring: aName is any string.'
 *   a name of digits works: 'Docstring: aName is any string.'
 *   a name beyond ASCII works: 'Docstring: aName is any string; SQL is UTF-8.'
 *   SQL within a name is not run: 'Docstring: "aName the name of the Savepoint".'
 *   a long name works: 'Docstring: aName is any string.'
 *   savepoints nest: 'Class comment: "while allowing child savepoints".'
 *   an inner one is undone alone: 'Class comment: rolled back to the state at the start of the savepoint.'
 *   a savepoint within a transaction works: 'Class comment, caveat 3: "savepoints or transaction in the stack".'
 *   what SQLite forbids is thrown with its code: 'Docstring: "Exception is thrown in case of error".'
 *   a failed one is not begun: 'Docstring: "then the Savepoint is NOT initiated".'
 *   no statement is left open: 'Database.h: "All SQLite statements must have been finalized before" it is closed.'
 ---*/
#include "plus.h"

static int forbid(void *, int action, const char *, const char *, const char *, const char *) {
    return action == SQLITE_SAVEPOINT ? SQLITE_DENY : SQLITE_OK;
}

/* Whether a savepoint of this name is begun, can be reached by its name, is released, and is rolled back. */
static bool works(const std::string &name) {
    Memory db("CREATE TABLE t(x); CREATE TABLE victim(x)");
    char *quoted = sqlite3_mprintf("\"%w\"", name.c_str());
    bool good = true;
    try {
        {
            SQLite::Savepoint savepoint(db, name);
            good &= within(db);
            ask(db, "INSERT INTO t VALUES (1)");
            good &= ask(db, std::string("ROLLBACK TO ") + quoted) == "";
            good &= ask(db, "SELECT count(*) FROM t") == "0" && within(db);
            ask(db, "INSERT INTO t VALUES (2)");
            savepoint.release();
            good &= !within(db);
        }
        good &= ask(db, "SELECT x FROM t") == "2";
        {
            SQLite::Savepoint savepoint(db, name);
            ask(db, "INSERT INTO t VALUES (3)");
            savepoint.rollback();
        }
        good &= ask(db, "SELECT x FROM t") == "2";
        good &= ask(db, std::string("RELEASE ") + quoted) == "";
        {
            SQLite::Savepoint savepoint(db, name);
            ask(db, "INSERT INTO t VALUES (4)");
        }
        good &= ask(db, "SELECT x FROM t") == "2";
        good &= ask(db, "SELECT count(*) FROM victim") == "0";
    } catch (...) {
        good = false;
    }
    sqlite3_free(quoted);
    return good;
}

int main() {
    {
        Memory db("CREATE TABLE t(x)");
        std::string name = "first";
        const bool before = within(db);
        {
            SQLite::Savepoint savepoint(db, name);
            ok("a savepoint opens a transaction", !before && within(db));
            ok("the given name is left as it was", name == "first");
            ok("no statement is left open", sqlite3_next_stmt(db.getHandle(), nullptr) == nullptr);
            ask(db, "INSERT INTO t VALUES (1)");
            ok("it has the given name",
               ask(db, "RELEASE other") == "error 1" && within(db) && ask(db, "RELEASE first") == "" && !within(db));
        }
        ask(db, "DELETE FROM t");
        {
            SQLite::Savepoint savepoint(db, "second");
            ask(db, "INSERT INTO t VALUES (2)");
            savepoint.release();
            ok("a release by the object ends it", !within(db));
        }
        ok("released changes are kept", ask(db, "SELECT x FROM t") == "2");
    }
    {
        Memory db("CREATE TABLE t(x)");
        {
            SQLite::Savepoint savepoint(db, "gone");
            ask(db, "INSERT INTO t VALUES (1)");
        }
        ok("the end of the object rolls the changes back", ask(db, "SELECT count(*) FROM t") == "0");
    }
    {
        Memory db("CREATE TABLE t(x)");
        SQLite::Savepoint savepoint(db, "undone");
        ask(db, "INSERT INTO t VALUES (1)");
        savepoint.rollback();
        ok("a rollback by the object undoes the changes", ask(db, "SELECT count(*) FROM t") == "0");
    }
    ok("a name with spaces works", works("a name of words"));
    ok("a name with an apostrophe works", works("it's") && works("'quoted'"));
    ok("a name with a quotation mark works", works("say \"hi\"") && works("\"quoted\""));
    ok("a keyword works as a name", works("select") && works("TO"));
    ok("a name of digits works", works("12"));
    ok("a name beyond ASCII works", works("\xc3\xa9t\xc3\xa9"));
    ok("SQL within a name is not run",
       works("a; INSERT INTO victim VALUES (1)") && works("a'; INSERT INTO victim VALUES (1); --"));
    ok("a long name works", works(std::string(3000, 'n')));
    {
        Memory db("CREATE TABLE t(x)");
        SQLite::Savepoint outer(db, "outer");
        ask(db, "INSERT INTO t VALUES (1)");
        {
            SQLite::Savepoint inner(db, "inner");
            ask(db, "INSERT INTO t VALUES (2)");
        }
        ok("an inner one is undone alone", ask(db, "SELECT x FROM t") == "1" && within(db));
        {
            SQLite::Savepoint inner(db, "another");
            ask(db, "INSERT INTO t VALUES (3)");
            inner.release();
        }
        outer.release();
        ok("savepoints nest", !within(db) && ask(db, "SELECT x FROM t") == "1,3");
    }
    {
        Memory db("CREATE TABLE t(x)");
        ask(db, "BEGIN; INSERT INTO t VALUES (1)");
        SQLite::Savepoint savepoint(db, "within");
        ask(db, "INSERT INTO t VALUES (2)");
        savepoint.release();
        const bool open = within(db);
        ask(db, "ROLLBACK");
        ok("a savepoint within a transaction works", open && ask(db, "SELECT count(*) FROM t") == "0");
    }
    {
        Memory db;
        sqlite3_set_authorizer(db.getHandle(), forbid, nullptr);
        ok("what SQLite forbids is thrown with its code",
           thrown([&] { SQLite::Savepoint savepoint(db, "name"); }) == SQLITE_AUTH);
        ok("a failed one is not begun", !within(db));
    }
    return plus_end();
}
