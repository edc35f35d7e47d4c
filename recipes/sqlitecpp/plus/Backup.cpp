/*---
 * tasks: [SQLite.Backup.Backup-4c70de]
 * tests:
 *   the source is copied to the destination: 'Docstring: "for the source database and destination database".'
 *   the source stays as it was: 'Docstring: "apSrcDatabaseName Source database name".'
 *   an attached source is found by its name: 'Docstring: "the name specified after the AS keyword in an ATTACH".'
 *   an attached destination is found by its name: 'Docstring: "the name specified after the AS keyword in an ATTACH".'
 *   both names are used for their own connection: 'Docstring: "apDestDatabaseName", "apSrcDatabaseName".'
 *   the temporary database is found by its name: 'Docstring: "temp for the temporary database".'
 *   an object that makes no step copies nothing: 'Docstring: "Initialize a SQLite Backup object".'
 *   an unknown destination throws: 'Docstring: "Exception is thrown in case of error".'
 *   an unknown source throws: 'Docstring: "Exception is thrown in case of error".'
 *   one connection for both throws: 'Docstring: "Exception is thrown in case of error".'
 *   a destination that is being read throws: 'Docstring: "Exception is thrown in case of error".'
 *   the error is that of the destination: 'sqlite3_backup_init: it is "stored in the destination".'
 *   the message is that of the destination: 'sqlite3_backup_init: it is "stored in the destination".'
 *   a former error of the source does not count: 'sqlite3_backup_init: the error is that of the destination.'
 *   after an error both connections can be used: 'Docstring: "then the Backup object is NOT constructed".'
 *   the other constructors reach it: 'Callers: the constructors for std::string and for main databases.'
 *   content of the destination is replaced: 'Docstring: "to backup a source database file to a destination".'
 *   a destination can be closed after its backup: 'Class comment: "RAII encapsulation of a SQLite Database Backup".'
 ---*/
#include "plus.h"

static bool copies(SQLite::Backup &backup) {
    return backup.executeStep() == SQLITE_DONE;
}

int main() {
    {
        Memory source("CREATE TABLE t(x); INSERT INTO t VALUES (1), (2)"), target("CREATE TABLE old(x)");
        {
            SQLite::Backup idle(target, "main", source, "main");
        }
        ok("an object that makes no step copies nothing",
           ask(target, "SELECT name FROM sqlite_master") == "old" && ask(source, "SELECT x FROM t") == "1,2");
        {
            SQLite::Backup backup(target, "main", source, "main");
            copies(backup);
        }
        ok("the source is copied to the destination", ask(target, "SELECT x FROM t") == "1,2");
        ok("the source stays as it was", ask(source, "SELECT x FROM t") == "1,2");
        ok("content of the destination is replaced", ask(target, "SELECT name FROM sqlite_master") == "t");
    }
    {
        Memory source("CREATE TABLE t(x); INSERT INTO t VALUES ('main'); ATTACH ':memory:' AS extra;"
                      "CREATE TABLE extra.t(x); INSERT INTO extra.t VALUES ('extra');"
                      "CREATE TEMP TABLE t(x); INSERT INTO temp.t VALUES ('temp')");
        Memory target("ATTACH ':memory:' AS place");
        {
            SQLite::Backup backup(target, "main", source, "extra");
            copies(backup);
        }
        ok("an attached source is found by its name",
           ask(target, "SELECT x FROM main.t") == "extra" && ask(target, "SELECT x FROM place.t") == "error 1");
        {
            SQLite::Backup backup(target, "place", source, "main");
            copies(backup);
        }
        ok("an attached destination is found by its name",
           ask(target, "SELECT x FROM place.t") == "main" && ask(target, "SELECT x FROM main.t") == "extra");
        {
            SQLite::Backup backup(target, "main", source, "temp");
            copies(backup);
        }
        ok("the temporary database is found by its name", ask(target, "SELECT x FROM main.t") == "temp");
        {
            SQLite::Backup backup(target, "place", source, "extra");
            copies(backup);
        }
        ok("both names are used for their own connection",
           ask(target, "SELECT x FROM place.t") == "extra" &&
               throws([&] { SQLite::Backup backup(target, "extra", source, "place"); }));
    }
    {
        Memory source("CREATE TABLE t(x UNIQUE); INSERT INTO t VALUES (1)");
        Memory target("CREATE TABLE t(x); INSERT INTO t VALUES (8)");
        /* Another error is the last one of each. */
        ask(source, "INSERT INTO t VALUES (1)");
        int code = NOTHING;
        std::string message, expected;
        try {
            SQLite::Backup backup(target, "main", source, "nowhere");
        } catch (const SQLite::Exception &e) {
            code = e.getErrorCode();
            message = e.what();
            expected = sqlite3_errmsg(target.getHandle());
        }
        ok("an unknown source throws", code == SQLITE_ERROR);
        ok("the message is that of the destination", !message.empty() && message == expected);
        ask(source, "INSERT INTO t VALUES (1)");
        ok("an unknown destination throws",
           thrown([&] { SQLite::Backup backup(target, "nowhere", source, "main"); }) == SQLITE_ERROR);
        ask(source, "INSERT INTO t VALUES (1)");
        code = thrown([&] { SQLite::Backup backup(target, "main", source, "nowhere"); });
        ok("the error is that of the destination",
           code == SQLITE_ERROR && sqlite3_errcode(target.getHandle()) == SQLITE_ERROR);
        ok("a former error of the source does not count",
           code == SQLITE_ERROR && sqlite3_errcode(source.getHandle()) == SQLITE_CONSTRAINT);
        ok("one connection for both throws",
           thrown([&] { SQLite::Backup backup(source, "main", source, "main"); }) == SQLITE_ERROR &&
               thrown([&] { SQLite::Backup backup(source, "temp", source, "main"); }) == SQLITE_ERROR);
        sqlite3_stmt *reader = nullptr;
        sqlite3_prepare_v2(target.getHandle(), "SELECT x FROM t", -1, &reader, nullptr);
        sqlite3_step(reader);
        ok("a destination that is being read throws",
           thrown([&] { SQLite::Backup backup(target, "main", source, "main"); }) == SQLITE_ERROR);
        sqlite3_finalize(reader);
        const bool usable = ask(target, "INSERT INTO t VALUES (9); SELECT x FROM t") == "8,9" &&
                            ask(source, "INSERT INTO t VALUES (2); SELECT x FROM t") == "1,2";
        bool again = false;
        thrown([&] {
            SQLite::Backup backup(target, "main", source, "main");
            again = copies(backup);
        });
        ok("after an error both connections can be used",
           usable && again && ask(target, "SELECT x FROM t") == "1,2");
    }
    {
        Memory source("CREATE TABLE t(x); INSERT INTO t VALUES (1);"
                      "ATTACH ':memory:' AS extra; CREATE TABLE extra.e(x)");
        Memory first, second;
        {
            SQLite::Backup mains(first, source);
            SQLite::Backup named(second, std::string("main"), source, std::string("extra"));
            copies(mains);
            copies(named);
        }
        ok("the other constructors reach it", ask(first, "SELECT x FROM t") == "1" &&
                                                  ask(second, "SELECT name FROM sqlite_master") == "e");
    }
    {
        Memory source("CREATE TABLE t(x)");
        Raw target(":memory:");
        int closed;
        {
            SQLite::Database place(":memory:", SQLite::OPEN_READWRITE);
            {
                SQLite::Backup backup(place, "main", source, "main");
                copies(backup);
            }
            thrown([&] { SQLite::Backup backup(place, "main", source, "nowhere"); });
            ask(place, "INSERT INTO t VALUES (5)");
            closed = sqlite3_next_stmt(place.getHandle(), nullptr) == nullptr && ask(place, "SELECT x FROM t") == "5";
        }
        ok("a destination can be closed after its backup", closed);
    }
    return plus_end();
}
