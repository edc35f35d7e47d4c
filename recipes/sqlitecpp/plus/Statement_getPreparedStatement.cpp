/*---
 * tasks: [SQLite.Statement.getPreparedStatement-278411]
 * flags: [-fno-access-control]
 * tests:
 *   the pointer is that of SQLite: 'Docstring: "return raw pointer to Prepared Statement Object".'
 *   it holds the query: 'Docstring: "Return a prepared statement object".'
 *   it is of the database: 'Docstring: "Return a prepared statement object".'
 *   each call gives the same: 'Docstring: "return raw pointer", of the one object.'
 *   two statements have their own: 'Docstring: "raw pointer to Prepared Statement Object", of this statement.'
 *   it is the same whatever has been executed: 'Docstring: "Return a prepared statement object".'
 *   the call changes nothing: 'It is const.'
 *   it is left to the statement to finalize: 'Docstring: "raw pointer"; the member is the shared one.'
 *   a statement that was moved away throws: 'Docstring: "Throw an exception if the statement [...] was not prepared".'
 *   binding to a statement that was moved away throws: 'Callers bind use it before they reach SQLite.'
 *   the target of a move has the pointer: 'Docstring: "return raw pointer to Prepared Statement Object".'
 *   a statement without text throws: 'Docstring: "Throw an exception if the statement object was not prepared".'
 ---*/
#include "plus.h"
#include <utility>

int main() {
    Memory db("CREATE TABLE t(x); INSERT INTO t VALUES (1), (2)");
    {
        SQLite::Statement query(db, "SELECT x FROM t WHERE x < ?");
        sqlite3_stmt *bare = sqlite3_next_stmt(db.getHandle(), nullptr);
        sqlite3_stmt *got = query.getPreparedStatement();
        ok("the pointer is that of SQLite", got != nullptr && got == bare);
        ok("it holds the query", got && !strcmp(sqlite3_sql(got), "SELECT x FROM t WHERE x < ?"));
        ok("it is of the database", got && sqlite3_db_handle(got) == db.getHandle());
        ok("each call gives the same", query.getPreparedStatement() == got && query.getPreparedStatement() == got);
        query.bind(1, 10);
        query.executeStep();
        bool same = query.getPreparedStatement() == got;
        ok("the call changes nothing", query.hasRow() && query.getColumn(0).getInt() == 1 && query.executeStep() &&
                                           query.getColumn(0).getInt() == 2);
        query.executeStep();
        same &= query.isDone() && query.getPreparedStatement() == got;
        query.reset();
        same &= query.getPreparedStatement() == got;
        ok("it is the same whatever has been executed", same);
        SQLite::Statement other(db, "SELECT 2");
        ok("two statements have their own",
           other.getPreparedStatement() != got && !strcmp(sqlite3_sql(other.getPreparedStatement()), "SELECT 2"));
    }
    ok("it is left to the statement to finalize", sqlite3_next_stmt(db.getHandle(), nullptr) == nullptr);
    {
        SQLite::Statement first(db, "SELECT ?1, :name");
        sqlite3_stmt *bare = first.getPreparedStatement();
        SQLite::Statement second(std::move(first));
        ok("the target of a move has the pointer", second.getPreparedStatement() == bare);
        ok("a statement that was moved away throws",
           throws([&] { first.getPreparedStatement(); }) && throws([&] { first.getPreparedStatement(); }));
        ok("binding to a statement that was moved away throws",
           throws([&] { first.bind(1, 5); }) && throws([&] { first.bind(1); }) &&
               throws([&] { first.clearBindings(); }));
    }
    {
        SQLite::Statement empty(db, "");
        ok("a statement without text throws", throws([&] { empty.getPreparedStatement(); }));
    }
    return plus_end();
}
