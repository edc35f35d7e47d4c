/*---
 * tasks: [SQLite.Statement.getColumnDeclaredType-0637ea]
 * tests:
 *   each column has its declared type: 'Docstring: "Return the declared type of the specified result column".'
 *   the type is given as declared: 'Docstring: "the type given at creation of the column".'
 *   the type of the value does not matter: 'Docstring: "not the actual data type".'
 *   it can be asked before a row is fetched: 'Docstring: the type of the column, not of a value.'
 *   it can be asked while rows are fetched: 'Docstring: the type of the column, not of a value.'
 *   it can be asked at the end and after a reset: 'Docstring: the type of the column, not of a value.'
 *   an alias has the type of its column: 'Docstring: "the declared type of the specified result column".'
 *   a column of a view has the type of its origin: 'Docstring: "the declared type of the specified result column".'
 *   an index below 0 throws: 'Docstring: throws if "out of the [0, getColumnCount()) range".'
 *   an index from the number of columns on throws: 'Docstring: throws if "out of the [0, getColumnCount()) range".'
 *   a statement that is no SELECT throws: 'Docstring: throws if "the statement is not a SELECT query".'
 *   an expression throws: 'Docstring: throws if "not a table column but an expression or subquery".'
 *   an expression beside columns throws alone: 'Docstring: "the column at aIndex is not a table column".'
 *   a column that was declared without a type throws: 'Docstring: throws "if the type can not be determined".'
 *   after an exception other columns can be asked: 'Docstring: it is const and tells of one column.'
 ---*/
#include "plus.h"

static bool is(const SQLite::Statement &query, int index, const char *type) {
    try {
        const char *result = query.getColumnDeclaredType(index);
        return result && !strcmp(result, type);
    } catch (...) {
        return false;
    }
}

static bool fails(const SQLite::Statement &query, int index) {
    return throws([&] { query.getColumnDeclaredType(index); });
}

int main() {
    Memory db("CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, price DOUBLE, code VARCHAR(10), free,"
              "               odd My Own Type);"
              "CREATE VIEW v AS SELECT price AS cost, name FROM t;"
              "INSERT INTO t VALUES (1, 'a', 'text', 5, 6, 7), (2, 3.5, NULL, x'00', 1, 2)");
    SQLite::Statement query(db, "SELECT name, id, price, code, odd FROM t ORDER BY id");
    ok("it can be asked before a row is fetched", is(query, 0, "TEXT") && is(query, 1, "INTEGER"));
    ok("each column has its declared type",
       is(query, 0, "TEXT") && is(query, 1, "INTEGER") && is(query, 2, "DOUBLE") && is(query, 4, "My Own Type"));
    ok("the type is given as declared", is(query, 3, "VARCHAR(10)") && is(query, 4, "My Own Type"));
    query.executeStep();
    ok("the type of the value does not matter", is(query, 2, "DOUBLE") && is(query, 3, "VARCHAR(10)"));
    query.executeStep();
    ok("it can be asked while rows are fetched", is(query, 0, "TEXT") && is(query, 2, "DOUBLE"));
    query.executeStep();
    const bool end = query.isDone() && is(query, 0, "TEXT");
    query.reset();
    ok("it can be asked at the end and after a reset", end && is(query, 4, "My Own Type"));
    ok("an index below 0 throws", fails(query, -1) && fails(query, -5) && fails(query, INT_MIN));
    ok("an index from the number of columns on throws", fails(query, 5) && fails(query, 6) && fails(query, INT_MAX));
    ok("after an exception other columns can be asked", is(query, 1, "INTEGER"));

    SQLite::Statement alias(db, "SELECT id AS name, name AS id FROM t");
    ok("an alias has the type of its column", is(alias, 0, "INTEGER") && is(alias, 1, "TEXT"));
    SQLite::Statement view(db, "SELECT cost, name FROM v");
    ok("a column of a view has the type of its origin", is(view, 0, "DOUBLE") && is(view, 1, "TEXT"));

    SQLite::Statement insert(db, "INSERT INTO t(name) VALUES (?)"), update(db, "UPDATE t SET name = 1");
    ok("a statement that is no SELECT throws", fails(insert, 0) && fails(update, 0) && fails(insert, 1));
    SQLite::Statement sum(db, "SELECT 1 + 1, count(*), 'text' FROM t");
    ok("an expression throws", fails(sum, 0) && fails(sum, 1) && fails(sum, 2));
    SQLite::Statement mixed(db, "SELECT id, id + 1, name FROM t");
    ok("an expression beside columns throws alone",
       is(mixed, 0, "INTEGER") && fails(mixed, 1) && is(mixed, 2, "TEXT"));
    SQLite::Statement untyped(db, "SELECT free FROM t");
    ok("a column that was declared without a type throws", fails(untyped, 0));
    return plus_end();
}
