/*---
 * tasks: [SQLite.Database.tableExists-c83cf1.2]
 * tests:
 *   a table exists: 'tableExists: "true if the table exists".'
 *   a missing table does not exist: 'tableExists: "true if the table exists".'
 *   no table exists in an empty database: 'tableExists: "true if the table exists".'
 *   the case of the name counts: 'tableExists: "Table names are case sensitive".'
 *   a part of a name is no table: 'tableExists: "Table name".'
 *   wildcards are no table: 'tableExists: "Table name".'
 *   an empty name is no table: 'tableExists: "Table name".'
 *   a view is no table: 'tableExists: "Shortcut to test if a table exists".'
 *   an index is no table: 'tableExists: "Shortcut to test if a table exists".'
 *   a trigger is no table: 'tableExists: "Shortcut to test if a table exists".'
 *   a name with spaces is found: 'tableExists: "Table name".'
 *   a name with quotes is found: 'tableExists: "Table name".'
 *   a name beyond ASCII is found: 'tableExists: "an UTF-8 encoded [...] Table name".'
 *   SQL within the name is no SQL: 'tableExists: "Table name".'
 *   a dropped or renamed table does not exist: 'tableExists: "true if the table exists".'
 *   a table within a transaction exists until it is undone: 'tableExists: "true if the table exists".'
 *   a table that another connection made exists: 'tableExists: "true if the table exists".'
 *   each of many tables is found: 'tableExists: "true if the table exists".'
 *   no statement is left open: 'Destructor: "All SQLite statements must have been finalized before".'
 *   a file that is no database throws: 'tableExists: "throw SQLite::Exception in case of error".'
 *   a lock in the way throws its code: 'tableExists: "throw SQLite::Exception in case of error".'
 *   an empty key is no error: 'key: "Set the key"; without one there is nothing to do.'
 *   a key throws without support for keys: 'key: "throw SQLite::Exception in case of error".'
 *   a key of null bytes throws without support for keys: 'key: "throw SQLite::Exception in case of error".'
 *   a database can be used after key: 'key: "directly after opening the database".'
 ---*/
#include "plus.h"

int main() {
    Memory empty;
    ok("no table exists in an empty database", !empty.tableExists("t") && !empty.tableExists("test"));
    Memory db("CREATE TABLE test(x); CREATE VIEW a_view AS SELECT x FROM test; CREATE INDEX an_index ON test(x);"
              "CREATE TRIGGER a_trigger AFTER INSERT ON test BEGIN DELETE FROM test; END;"
              "CREATE TABLE \"two words\"(x); CREATE TABLE \"it's\"(x); CREATE TABLE \"a\"\"b\"(x);"
              "CREATE TABLE \"\xc3\xa9t\xc3\xa9\"(x)");
    ok("a table exists", db.tableExists("test"));
    ok("a missing table does not exist", !db.tableExists("other") && !db.tableExists("x"));
    ok("the case of the name counts", !db.tableExists("Test") && !db.tableExists("TEST") && !db.tableExists("tesT"));
    ok("a part of a name is no table",
       !db.tableExists("tes") && !db.tableExists("est") && !db.tableExists("tests") && !db.tableExists("two"));
    ok("wildcards are no table", !db.tableExists("t_st") && !db.tableExists("%") && !db.tableExists("te%") &&
                                     !db.tableExists("*") && !db.tableExists("t?st"));
    ok("an empty name is no table", !db.tableExists(""));
    ok("a view is no table", !db.tableExists("a_view"));
    ok("an index is no table", !db.tableExists("an_index"));
    ok("a trigger is no table", !db.tableExists("a_trigger"));
    ok("a name with spaces is found",
       db.tableExists("two words") && !db.tableExists(" test") && !db.tableExists("test "));
    ok("a name with quotes is found", db.tableExists("it's") && db.tableExists("a\"b") && !db.tableExists("'test'"));
    ok("a name beyond ASCII is found", db.tableExists("\xc3\xa9t\xc3\xa9") && !db.tableExists("\xc3\x89t\xc3\xa9"));
    ok("SQL within the name is no SQL",
       !db.tableExists("no' OR '1'='1") && !db.tableExists("'; DROP TABLE test; --") &&
                                            ask(db, "SELECT count(*) FROM test") == "0");
    ask(db, "CREATE TABLE first(x); CREATE TABLE gone(x); ALTER TABLE first RENAME TO second; DROP TABLE gone");
    ok("a dropped or renamed table does not exist",
       !db.tableExists("gone") && !db.tableExists("first") && db.tableExists("second"));
    ask(db, "BEGIN; CREATE TABLE within(x)");
    const bool during = db.tableExists("within");
    ask(db, "ROLLBACK");
    ok("a table within a transaction exists until it is undone", during && !db.tableExists("within"));
    bool good = true;
    for (int i = 0; i < 40; i++) {
        const std::string name = "many_" + std::to_string(i);
        good &= !db.tableExists(name);
        ask(db, "CREATE TABLE " + name + "(x)");
        good &= db.tableExists(name);
    }
    ok("each of many tables is found", good);
    ok("no statement is left open", sqlite3_next_stmt(db.getHandle(), nullptr) == nullptr);

    const std::string text = fresh("text.db");
    put(text, std::string(2000, 'x'));
    {
        SQLite::Database none(text);
        ok("a file that is no database throws", thrown([&] { none.tableExists("t"); }) == SQLITE_NOTADB);
    }
    const std::string path = fresh("table.db");
    Raw raw(path);
    raw.run("CREATE TABLE before(x)");
    {
        SQLite::Database file(path);
        const bool first = file.tableExists("before") && !file.tableExists("later");
        raw.run("CREATE TABLE later(x)");
        ok("a table that another connection made exists", first && file.tableExists("later"));
        raw.run("BEGIN EXCLUSIVE");
        ok("a lock in the way throws its code", thrown([&] { file.tableExists("before"); }) == SQLITE_BUSY);
        raw.run("ROLLBACK");
    }
    ok("an empty key is no error", thrown([&] { db.key(""); }) == NOTHING);
    ok("a key throws without support for keys", throws([&] { db.key("secret"); }) && throws([&] { db.key(" "); }));
    ok("a key of null bytes throws without support for keys",
       throws([&] { db.key(std::string(1, '\0')); }) && throws([&] { db.key(std::string("\0x", 2)); }));
    ok("a database can be used after key", ask(db, "INSERT INTO second VALUES (4); SELECT x FROM second") == "4");
    return plus_end();
}
