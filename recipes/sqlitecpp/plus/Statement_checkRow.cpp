/*---
 * tasks: [SQLite.Statement.checkRow-bee3b4.2]
 * flags: [-fno-access-control]
 * tests:
 *   a fetched row is no error: 'checkRow: "Check if there is a row of result returned by executeStep()".'
 *   each further row is no error: 'checkRow: "Check if there is a row of result returned by executeStep()".'
 *   before the first step it throws: 'checkRow: "executeStep() was not called".'
 *   after the last row it throws: 'checkRow: "executeStep() was not called, or returned false".'
 *   after a reset it throws: 'checkRow: "else throw a SQLite::Exception"; reset leaves no row.'
 *   after a statement without results it throws: 'checkRow: "else throw a SQLite::Exception".'
 *   after an error it throws: 'checkRow: "else throw a SQLite::Exception".'
 *   getColumn needs a row: 'Callers getColumn: the row is checked first.'
 *   isColumnNull needs a row: 'Callers isColumnNull: the row is checked first.'
 *   the first and the last column are in range: 'checkIndex: "in the range of columns in the result".'
 *   each column is in range: 'checkIndex: "in the range of columns in the result".'
 *   an index below 0 throws: 'getColumnName: "out of the [0, getColumnCount()) range".'
 *   an index from the number of columns on throws: 'getColumnName: "out of the [0, getColumnCount()) range".'
 *   a statement without columns has no index: 'getColumnName: "out of the [0, getColumnCount()) range".'
 *   an index needs no row: 'Callers getColumnName, getColumnDeclaredType: no step was needed.'
 *   a row says nothing of the index: 'checkIndex: the index is checked alone.'
 *   checks change nothing: 'Both are const.'
 *   getColumn throws for a wrong index: 'Callers getColumn, isColumnNull, getColumnName: the index is checked.'
 *   their message is an exception of SQLite: 'checkRow: "else throw a SQLite::Exception".'
 ---*/
#include "plus.h"

static bool row(const SQLite::Statement &query) {
    return thrown([&] { query.checkRow(); }) == NOTHING;
}

static bool noRow(const SQLite::Statement &query) {
    return throws([&] { query.checkRow(); });
}

static bool in(const SQLite::Statement &query, int index) {
    return thrown([&] { query.checkIndex(index); }) == NOTHING;
}

static bool out(const SQLite::Statement &query, int index) {
    return throws([&] { query.checkIndex(index); });
}

int main() {
    Memory db("CREATE TABLE t(x UNIQUE); INSERT INTO t VALUES (1), (2), (3)");
    SQLite::Statement query(db, "SELECT x, x + 1, x + 2 FROM t ORDER BY x");
    ok("before the first step it throws", noRow(query));
    ok("an index needs no row", in(query, 0) && in(query, 2) && out(query, 3) && query.getColumnName(0));
    ok("getColumn needs a row", throws([&] { query.getColumn(0); }) && throws([&] { query.getColumn("x"); }));
    ok("isColumnNull needs a row", throws([&] { query.isColumnNull(0); }) && throws([&] { query.isColumnNull("x"); }));
    query.executeStep();
    ok("a fetched row is no error", row(query) && row(query));
    bool good = true;
    while (query.executeStep()) good &= row(query);
    ok("each further row is no error", good);
    ok("after the last row it throws", query.isDone() && noRow(query));
    query.reset();
    query.executeStep();
    query.reset();
    ok("after a reset it throws", noRow(query));

    query.executeStep();
    ok("the first and the last column are in range", in(query, 0) && in(query, 2));
    ok("each column is in range", in(query, 0) && in(query, 1) && in(query, 2));
    ok("an index below 0 throws", out(query, -1) && out(query, -2) && out(query, INT_MIN));
    ok("an index from the number of columns on throws", out(query, 3) && out(query, 4) && out(query, INT_MAX));
    ok("a row says nothing of the index", row(query) && out(query, 3) && row(query));
    ok("checks change nothing", query.hasRow() && query.getColumnCount() == 3 && query.getColumn(2).getInt() == 3);
    ok("getColumn throws for a wrong index",
       throws([&] { query.getColumn(3); }) && throws([&] { query.getColumn(-1); }) &&
           throws([&] { query.isColumnNull(3); }) && throws([&] { query.isColumnNull(-1); }) &&
           throws([&] { query.getColumnName(3); }) && throws([&] { query.getColumnName(-1); }));

    SQLite::Statement insert(db, "INSERT INTO t VALUES (?)");
    ok("a statement without columns has no index", out(insert, 0) && out(insert, 1) && out(insert, -1));
    insert.bind(1, 4);
    insert.exec();
    ok("after a statement without results it throws", noRow(insert));
    insert.reset();
    insert.tryExecuteStep();
    ok("after an error it throws", noRow(insert));

    bool both = false, text = false;
    try {
        insert.checkRow();
    } catch (const SQLite::Exception &e) {
        both = *e.what() != '\0';
    } catch (...) {
    }
    try {
        insert.checkIndex(0);
    } catch (const SQLite::Exception &e) {
        text = *e.what() != '\0';
    } catch (...) {
    }
    ok("their message is an exception of SQLite", both && text);
    return plus_end();
}
