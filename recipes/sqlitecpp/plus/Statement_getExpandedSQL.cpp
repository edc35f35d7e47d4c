/*---
 * tasks: [SQLite.Statement.getExpandedSQL-8c2ff6.2]
 * flags: [-fno-access-control]
 * tests:
 *   a query without parameters is given as it is: 'getExpandedSQL: "a UTF-8 string containing the SQL text".'
 *   bound numbers are expanded: 'getExpandedSQL: "with bound parameters expanded".'
 *   bound text is expanded and quoted: 'getExpandedSQL: "with bound parameters expanded", as SQL text.'
 *   a parameter that is not bound is NULL: 'getExpandedSQL: "with bound parameters expanded"; sqlite3_expanded_sql.'
 *   named parameters are expanded: 'getExpandedSQL: "with bound parameters expanded".'
 *   a new value is expanded after a reset: 'getExpandedSQL: "with bound parameters expanded".'
 *   text beyond ASCII stays UTF-8: 'getExpandedSQL: "Return a UTF-8 string".'
 *   long values are expanded whole: 'getExpandedSQL: "with bound parameters expanded".'
 *   it can be asked while rows are fetched: 'getExpandedSQL is const.'
 *   the query and its bindings stay: 'getExpandedSQL is const; getQuery: "Return the UTF-8 SQL Query".'
 *   the text of SQLite is freed: 'sqlite3_expanded_sql: the string "must be freed by the caller using sqlite3_free".'
 *   a statement that was moved away throws: 'getPreparedStatement: "Throw an exception if [...] not prepared".'
 *   a statement is prepared from the query: 'prepareStatement: "Prepare statement object".'
 *   a prepared statement runs: 'prepareStatement: "Return Shared pointer to prepared statement object".'
 *   each call prepares one of its own: 'prepareStatement: "Prepare statement object".'
 *   wrong SQL throws with the code of SQLite: 'Statement: "Exception is thrown in case of error".'
 *   the message is that of SQLite: 'Statement: "Exception is thrown in case of error", that of the connection.'
 *   what SQLite forbids throws with its code: 'Statement: "Exception is thrown in case of error".'
 *   a failed one leaves no statement: 'Statement: "then the Statement object is NOT constructed".'
 *   the end of the last owner finalizes it: 'Destructor: "by the destructor of the last shared pointer".'
 *   a column keeps the statement: 'Destructor: "by the destructor of the last shared pointer".'
 *   a step fails with the code of SQLite itself: 'tryExecuteStep: "return the sqlite result code".'
 *   a statement outlives a change of the schema: 'sqlite3_prepare_v2: it "will automatically recompile".'
 *   the whole query is prepared: 'Statement: "an UTF-8 encoded query string".'
 ---*/
#include "plus.h"
#include <memory>
#include <utility>

static int forbid(void *, int action, const char *, const char *, const char *, const char *) {
    return action == SQLITE_READ ? SQLITE_DENY : SQLITE_OK;
}

static bool is(const SQLite::Statement &query, const std::string &expected) {
    try {
        return query.getExpandedSQL() == expected;
    } catch (...) {
        return false;
    }
}

/* Whether the connection has no statement left. */
static bool none(SQLite::Database &db) {
    return sqlite3_next_stmt(db.getHandle(), nullptr) == nullptr;
}

int main() {
    Memory db("CREATE TABLE t(x, name); INSERT INTO t VALUES (1, 'a'), (2, 'b')");
    {
        SQLite::Statement plain(db, "SELECT x FROM t ORDER BY x");
        ok("a query without parameters is given as it is", is(plain, "SELECT x FROM t ORDER BY x"));
        plain.executeStep();
        ok("it can be asked while rows are fetched",
           is(plain, "SELECT x FROM t ORDER BY x") && plain.hasRow() && plain.getColumn(0).getInt() == 1 &&
               plain.executeStep() && plain.getColumn(0).getInt() == 2);
    }
    {
        SQLite::Statement query(db, "SELECT ?, ?, ?");
        ok("a parameter that is not bound is NULL", is(query, "SELECT NULL, NULL, NULL"));
        query.bind(1, 5);
        query.bind(2, -7);
        query.bind(3, static_cast<int64_t>(9000000000LL));
        ok("bound numbers are expanded", is(query, "SELECT 5, -7, 9000000000"));
        query.executeStep();
        query.reset();
        query.bind(2, 8);
        query.bind(3);
        ok("a new value is expanded after a reset", is(query, "SELECT 5, 8, NULL"));
        ok("the query and its bindings stay",
           query.getQuery() == "SELECT ?, ?, ?" && query.executeStep() && query.getColumn(0).getInt() == 5 &&
               query.getColumn(1).getInt() == 8 && is(query, "SELECT 5, 8, NULL"));
    }
    {
        SQLite::Statement query(db, "SELECT * FROM t WHERE name = ? OR name = ?");
        query.bind(1, "it's");
        query.bind(2, "");
        ok("bound text is expanded and quoted", is(query, "SELECT * FROM t WHERE name = 'it''s' OR name = ''"));
        SQLite::Statement named(db, "SELECT :one, @two, $three, :one");
        named.bind(":one", 1);
        named.bind("@two", "2");
        named.bind("$three", 3);
        ok("named parameters are expanded", is(named, "SELECT 1, '2', 3, 1"));
        SQLite::Statement wide(db, "SELECT '\xc3\xa9', ?");
        wide.bind(1, "\xe2\x82\xac");
        ok("text beyond ASCII stays UTF-8", is(wide, "SELECT '\xc3\xa9', '\xe2\x82\xac'"));
        SQLite::Statement large(db, "SELECT ?");
        large.bind(1, std::string(20000, 'y'));
        ok("long values are expanded whole", is(large, "SELECT '" + std::string(20000, 'y') + "'"));
        large.getExpandedSQL();
        const sqlite3_int64 before = sqlite3_memory_used();
        for (int i = 0; i < 10; i++) large.getExpandedSQL();
        ok("the text of SQLite is freed", sqlite3_memory_used() - before < 10000);
    }
    {
        SQLite::Statement first(db, "SELECT ?");
        SQLite::Statement second(std::move(first));
        ok("a statement that was moved away throws",
           throws([&] { first.getExpandedSQL(); }) && is(second, "SELECT NULL"));
    }
    {
        SQLite::Statement query(db, "SELECT x FROM t WHERE x = 2");
        sqlite3_stmt *bare = sqlite3_next_stmt(db.getHandle(), nullptr);
        ok("a statement is prepared from the query",
           bare && !strcmp(sqlite3_sql(bare), "SELECT x FROM t WHERE x = 2"));
        ok("a prepared statement runs", query.executeStep() && query.getColumn(0).getInt() == 2);
        std::shared_ptr<sqlite3_stmt> another = query.prepareStatement();
        const bool own = another && another.get() != bare && another.use_count() == 1 &&
                         sqlite3_db_handle(another.get()) == db.getHandle() &&
                         !strcmp(sqlite3_sql(another.get()), "SELECT x FROM t WHERE x = 2");
        const bool runs = own && sqlite3_step(another.get()) == SQLITE_ROW;
        another.reset();
        ok("each call prepares one of its own",
           runs && sqlite3_next_stmt(db.getHandle(), nullptr) == bare && !sqlite3_next_stmt(db.getHandle(), bare));
    }
    const bool first = none(db);
    {
        std::unique_ptr<SQLite::Column> column;
        bool kept;
        {
            SQLite::Statement query(db, "SELECT name FROM t WHERE x = 2");
            query.executeStep();
            column.reset(new SQLite::Column(query.getColumn(0)));
        }
        kept = column->getString() == "b" && !none(db);
        column.reset();
        ok("a column keeps the statement", kept);
        ok("the end of the last owner finalizes it", first && none(db));
    }
    ok("wrong SQL throws with the code of SQLite",
       thrown([&] { SQLite::Statement query(db, "SELECT nothing FROM nowhere"); }) == SQLITE_ERROR &&
           thrown([&] { SQLite::Statement query(db, "no SQL at all"); }) == SQLITE_ERROR);
    std::string message;
    try {
        SQLite::Statement query(db, "SELECT nothing FROM nowhere");
    } catch (const SQLite::Exception &e) {
        message = e.what();
    }
    ok("the message is that of SQLite", !message.empty() && message == sqlite3_errmsg(db.getHandle()));
    sqlite3_set_authorizer(db.getHandle(), forbid, nullptr);
    ok("what SQLite forbids throws with its code",
       thrown([&] { SQLite::Statement query(db, "SELECT x FROM t"); }) == SQLITE_AUTH);
    sqlite3_set_authorizer(db.getHandle(), nullptr, nullptr);
    ok("a failed one leaves no statement", none(db));
    {
        const std::string name(5000, 'n');
        SQLite::Statement query(db, "SELECT x AS " + name + " FROM t WHERE x = 1 OR x = 2 ORDER BY x DESC LIMIT 1");
        ok("the whole query is prepared",
           query.executeStep() && query.getColumn(0).getInt() == 2 && !query.executeStep() &&
               query.getColumnName(0) == name);
    }
    {
        ask(db, "CREATE TABLE u(x UNIQUE); INSERT INTO u VALUES (1)");
        SQLite::Statement insert(db, "INSERT INTO u VALUES (1)"), read(db, "SELECT count(*) FROM u");
        ok("a step fails with the code of SQLite itself", insert.tryExecuteStep() == SQLITE_CONSTRAINT);
        insert.tryReset();
        ask(db, "ALTER TABLE u ADD COLUMN y; CREATE TABLE further(x)");
        ok("a statement outlives a change of the schema",
           read.tryExecuteStep() == SQLITE_ROW && read.getColumn(0).getInt() == 1);
    }
    return plus_end();
}
