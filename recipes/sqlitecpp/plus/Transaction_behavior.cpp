/*---
 * tasks: [SQLite.Transaction.Transaction-8bd85d]
 * tests:
 *   each behavior opens a transaction: 'Docstring: "Begins the SQLite transaction with the specified behavior".'
 *   each behavior commits: 'Class comment: "with all the changes committed".'
 *   each behavior is rolled back at its end: 'Class comment: "is rolled back in the destructor".'
 *   deferred locks nothing: 'Docstring: "the requested transaction behavior"; SQLite locks at the first use.'
 *   deferred can begin where another connection writes: 'Docstring: "the requested transaction behavior".'
 *   immediate keeps other writers out: 'Docstring: "the requested transaction behavior"; SQLite locks for writing.'
 *   immediate lets others read: 'Docstring: "the requested transaction behavior"; it is not the exclusive one.'
 *   exclusive keeps readers out: 'Docstring: "the requested transaction behavior".'
 *   the locks are gone afterwards: 'Class comment: "is rolled back in the destructor".'
 *   immediate throws where another connection writes: 'Docstring: "Exception is thrown in case of error".'
 *   exclusive throws where another connection reads: 'Docstring: "Exception is thrown in case of error".'
 *   a failed one leaves no transaction: 'Docstring: "then the Transaction is NOT initiated".'
 *   each throws within a transaction: 'Docstring: "Exception is thrown in case of error".'
 *   a failed one leaves the outer transaction alone: 'Docstring: "then the Transaction is NOT initiated".'
 *   an unknown behavior throws: 'Docstring: "Exception is thrown in case of error"; the enumeration has three.'
 *   an unknown behavior begins nothing: 'Docstring: "then the Transaction is NOT initiated".'
 ---*/
#include "plus.h"

using SQLite::TransactionBehavior;
static const TransactionBehavior all[] = {TransactionBehavior::DEFERRED, TransactionBehavior::IMMEDIATE,
                                          TransactionBehavior::EXCLUSIVE};

int main() {
    const std::string path = fresh("behavior.db");
    Raw raw(path);
    raw.run("CREATE TABLE t(x)");
    SQLite::Database db(path, SQLite::OPEN_READWRITE);

    bool open = true, committed = true, rolled = true, inner = true, outer = true;
    for (TransactionBehavior behavior : all) {
        {
            SQLite::Transaction transaction(db, behavior);
            open &= within(db);
            ask(db, "INSERT INTO t VALUES (1)");
            transaction.commit();
            committed &= !within(db) && raw.ask("SELECT count(*) FROM t") == "1";
        }
        {
            SQLite::Transaction transaction(db, behavior);
            ask(db, "DELETE FROM t");
            for (TransactionBehavior further : all)
                inner &= thrown([&] { SQLite::Transaction t(db, further); }) == SQLITE_ERROR;
            outer &= within(db) && ask(db, "SELECT count(*) FROM t") == "0";
        }
        rolled &= !within(db) && raw.ask("SELECT count(*) FROM t") == "1";
        raw.run("DELETE FROM t");
    }
    ok("each behavior opens a transaction", open);
    ok("each behavior commits", committed);
    ok("each behavior is rolled back at its end", rolled);
    ok("each throws within a transaction", inner);
    ok("a failed one leaves the outer transaction alone", outer);

    bool gone = true;
    {
        SQLite::Transaction transaction(db, TransactionBehavior::DEFERRED);
        ok("deferred locks nothing", raw.run("BEGIN EXCLUSIVE") == SQLITE_OK);
        raw.run("ROLLBACK");
    }
    gone &= raw.run("BEGIN EXCLUSIVE; ROLLBACK") == SQLITE_OK;
    {
        SQLite::Transaction transaction(db, TransactionBehavior::IMMEDIATE);
        ok("immediate lets others read", raw.ask("SELECT count(*) FROM t") == "0");
        ok("immediate keeps other writers out", raw.run("BEGIN IMMEDIATE") == SQLITE_BUSY);
        raw.run("ROLLBACK");
    }
    gone &= raw.run("BEGIN EXCLUSIVE; ROLLBACK") == SQLITE_OK;
    {
        SQLite::Transaction transaction(db, TransactionBehavior::EXCLUSIVE);
        ok("exclusive keeps readers out", raw.ask("SELECT count(*) FROM t") == "error 5");
    }
    gone &= raw.run("BEGIN EXCLUSIVE; ROLLBACK") == SQLITE_OK;
    ok("the locks are gone afterwards", gone);

    bool none = true;
    raw.run("BEGIN IMMEDIATE");
    ok("immediate throws where another connection writes",
       thrown([&] { SQLite::Transaction t(db, TransactionBehavior::IMMEDIATE); }) == SQLITE_BUSY);
    none &= !within(db);
    ok("deferred can begin where another connection writes",
       thrown([&] { SQLite::Transaction t(db, TransactionBehavior::DEFERRED); }) == NOTHING);
    raw.run("ROLLBACK");
    raw.run("INSERT INTO t VALUES (1)");
    raw.run("BEGIN; SELECT * FROM t");
    ok("exclusive throws where another connection reads",
       thrown([&] { SQLite::Transaction t(db, TransactionBehavior::EXCLUSIVE); }) == SQLITE_BUSY);
    none &= !within(db);
    raw.run("ROLLBACK");
    ok("a failed one leaves no transaction", none);

    bool unknown = true, nothing = true;
    for (int number : {-1, 3, 99}) {
        unknown &= throws([&] {
            SQLite::Transaction t(db, static_cast<TransactionBehavior>(number));
            nothing = false;
        });
        nothing &= !within(db);
    }
    ok("an unknown behavior throws", unknown);
    ok("an unknown behavior begins nothing", nothing);
    return plus_end();
}
