/*---
 * tasks: [SQLite.Database.backup-b2f841.2]
 * tests:
 *   a missing file throws by default: 'Constructor: "when a required file is missing".'
 *   a missing file is not created by default: 'Constructor: "prevent creation of a void file".'
 *   a file is read by default: 'Constructor: "readonly default flag".'
 *   a file can not be written by default: 'Constructor: "readonly default flag".'
 *   the flags let it be written: 'Constructor: "aFlags [...] OPEN_READWRITE".'
 *   the flags let it be created: 'Constructor: "aFlags".'
 *   to write does not mean to create: 'Constructor: "aFlags".'
 *   the thrown code is that of SQLite: 'Constructor: "Exception is thrown in case of error".'
 *   the exception holds a message: 'Exception: "obtain detailed error messages from" the connection.'
 *   without a timeout there is none: 'setBusyTimeout: "Default busy timeout is 0ms".'
 *   the timeout is set: 'Constructor: "Amount of milliseconds to wait before returning SQLITE_BUSY".'
 *   the name is kept: 'getFilename: "Return the filename used to open the database".'
 *   the given VFS is used: 'Constructor: "UTF-8 name of custom VFS to use".'
 *   an unknown VFS throws: 'Constructor: "Exception is thrown in case of error".'
 *   without a VFS the default is used: 'Constructor: "or nullptr for sqlite3 default".'
 *   a failed one leaves no memory: 'Constructor: "then the Database object is NOT constructed".'
 *   saving writes the content to the file: 'backup: "to save the current contents of the database".'
 *   saving creates the file: 'backup: "into a database file on disk".'
 *   saving replaces what the file held: 'backup: "to save the current contents of the database".'
 *   saving leaves the database as it was: 'backup: "to save the current contents of the database".'
 *   loading reads the content of the file: 'backup: "to load the contents of a database file on disk".'
 *   loading replaces what the database held: 'backup: "into the main database of open database connection".'
 *   loading leaves the file as it was: 'backup: "to load the contents of a database file on disk".'
 *   loading leaves attached databases alone: 'backup: "into the main database of open database connection".'
 *   many pages are saved and loaded: 'backup: "the contents of a database file".'
 *   the file is unlocked and closed afterwards: 'backup: the other connection is its own.'
 *   a file that can not be opened throws: 'backup: "throw SQLite::Exception in case of error".'
 *   a file that is no database throws: 'backup: "throw SQLite::Exception in case of error".'
 *   after an error the database is as before: 'backup: "throw SQLite::Exception in case of error".'
 ---*/
#include "plus.h"

static std::string vfs(SQLite::Database &db) {
    char *name = nullptr;
    sqlite3_file_control(db.getHandle(), "main", SQLITE_FCNTL_VFSNAME, &name);
    const std::string text = name ? name : "";
    sqlite3_free(name);
    return text;
}

int main() {
    const std::string missing = fresh("missing.db"), path = fresh("open.db");
    int code = NOTHING;
    std::string message;
    try {
        SQLite::Database db(missing.c_str());
    } catch (const SQLite::Exception &e) {
        code = e.getErrorCode();
        message = e.what();
    }
    ok("a missing file throws by default", code != NOTHING);
    ok("the thrown code is that of SQLite", code == SQLITE_CANTOPEN);
    ok("the exception holds a message", message == sqlite3_errstr(SQLITE_CANTOPEN));
    ok("a missing file is not created by default", !exists(missing));
    ok("to write does not mean to create",
       thrown([&] { SQLite::Database db(missing, SQLite::OPEN_READWRITE); }) == SQLITE_CANTOPEN && !exists(missing));
    {
        SQLite::Database db(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        ok("the flags let it be created",
           ask(db, "CREATE TABLE t(x); INSERT INTO t VALUES (1); SELECT x FROM t") == "1" && exists(path));
        ok("without a timeout there is none", ask(db, "PRAGMA busy_timeout") == "0");
        ok("the name is kept", db.getFilename() == path);
    }
    {
        SQLite::Database db(path.c_str());
        ok("a file is read by default", ask(db, "SELECT x FROM t") == "1");
        ok("a file can not be written by default",
           ask(db, "INSERT INTO t VALUES (2)") == "error 8" && sqlite3_db_readonly(db.getHandle(), "main") == 1);
        ok("without a VFS the default is used", vfs(db) == sqlite3_vfs_find(nullptr)->zName);
    }
    {
        SQLite::Database db(path, SQLite::OPEN_READWRITE, 1234), other(path, SQLite::OPEN_READONLY, 1);
        ok("the flags let it be written", ask(db, "INSERT INTO t VALUES (2)") == "");
        ok("the timeout is set",
           ask(db, "PRAGMA busy_timeout") == "1234" && ask(other, "PRAGMA busy_timeout") == "1");
    }
    {
        SQLite::Database db(path.c_str(), SQLite::OPEN_READONLY, 0, "unix-none");
        ok("the given VFS is used", vfs(db) == "unix-none");
    }
    ok("an unknown VFS throws", thrown([&] {
           SQLite::Database db(path, SQLite::OPEN_READONLY, 0, "no such vfs");
       }) == SQLITE_ERROR);
    const auto fail = [&] { thrown([&] { SQLite::Database db(missing); }); };
    fail();
    const sqlite3_int64 before = sqlite3_memory_used();
    for (int i = 0; i < 20; i++) fail();
    ok("a failed one leaves no memory", sqlite3_memory_used() - before < 5000);

    const std::string file = fresh("saved.db");
    Memory db("CREATE TABLE t(x); INSERT INTO t VALUES (1), (2)");
    db.backup(file.c_str(), SQLite::Database::Save);
    ok("saving creates the file", exists(file));
    {
        Raw raw(file);
        ok("saving writes the content to the file", raw.ask("SELECT x FROM t") == "1,2");
        ok("saving leaves the database as it was", ask(db, "SELECT x FROM t") == "1,2");
        ok("the file is unlocked and closed afterwards",
           raw.run("BEGIN EXCLUSIVE; DROP TABLE t; CREATE TABLE other(y); INSERT INTO other VALUES (9); COMMIT") ==
               SQLITE_OK && !exists(file + "-journal"));
    }
    db.backup(file.c_str(), SQLite::Database::Save);
    ok("saving replaces what the file held",
       Raw(file).ask("SELECT x FROM t") == "1,2" && Raw(file).ask("SELECT name FROM sqlite_master") == "t");
    Raw(file).run("UPDATE t SET x = x + 10");
    {
        Memory target("CREATE TABLE old(x); ATTACH ':memory:' AS extra; CREATE TABLE extra.e(x)");
        target.backup(file.c_str(), SQLite::Database::Load);
        ok("loading reads the content of the file", ask(target, "SELECT x FROM t") == "11,12");
        ok("loading replaces what the database held", ask(target, "SELECT name FROM main.sqlite_master") == "t");
        ok("loading leaves attached databases alone", ask(target, "SELECT name FROM extra.sqlite_master") == "e");
        ok("loading leaves the file as it was", Raw(file).ask("SELECT x FROM t") == "11,12");
    }
    {
        Memory large("CREATE TABLE l(x); INSERT INTO l VALUES (zeroblob(2000000)), ('end')"), target;
        large.backup(file.c_str(), SQLite::Database::Save);
        target.backup(file.c_str(), SQLite::Database::Load);
        ok("many pages are saved and loaded",
           Raw(file).ask("SELECT length(x) FROM l") == "2000000,3" &&
               ask(target, "SELECT length(x) FROM l") == "2000000,3");
    }
    ok("a file that can not be opened throws",
       thrown([&] { db.backup("tests/plus/no/such.db", SQLite::Database::Save); }) == SQLITE_CANTOPEN &&
           thrown([&] { db.backup("tests/plus/no/such.db", SQLite::Database::Load); }) == SQLITE_CANTOPEN);
    const std::string text = fresh("text.db");
    put(text, std::string(3000, 'x'));
    ok("a file that is no database throws",
       thrown([&] { db.backup(text.c_str(), SQLite::Database::Load); }) == SQLITE_NOTADB);
    ok("after an error the database is as before", ask(db, "SELECT x FROM t") == "1,2");
    return plus_end();
}
