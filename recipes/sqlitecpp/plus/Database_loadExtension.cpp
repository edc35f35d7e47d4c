/*---
 * tasks: [SQLite.Database.loadExtension-3ea69c]
 * tests:
 *   an extension is loaded without further steps: 'Docstring: "additionally enables module loading support prior".'
 *   without an entry point SQLite finds it: 'Docstring: "nullptr to let sqlite work it out".'
 *   the given entry point is called: 'Docstring: "apEntryPointName Name of the entry point".'
 *   only the given entry point is called: 'Docstring: "apEntryPointName Name of the entry point".'
 *   a second extension can be loaded: 'Docstring: "Load a module into the current sqlite database instance".'
 *   a missing library throws: 'Docstring: "throw SQLite::Exception in case of error".'
 *   a missing entry point throws: 'Docstring: "throw SQLite::Exception in case of error".'
 *   an entry point that fails throws: 'Docstring: "throw SQLite::Exception in case of error".'
 *   a file that is no library throws: 'Docstring: "throw SQLite::Exception in case of error".'
 *   after an error the connection works: 'Docstring: "throw SQLite::Exception in case of error".'
 *   only this connection has the extension: 'Comment: "Only affects the current connection".'
 *   another connection may not load: 'Comment: "Only affects the current connection".'
 *   loading from SQL stays disabled: 'CHANGELOG: SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION is used "for security".'
 *   loading from SQL stays disabled after an error: 'CHANGELOG: as before.'
 ---*/
#include "plus.h"

static const char *library = "./tests/plus/extension.so";

int main() {
    Memory db, other;
    /* Some builds of SQLite let each connection load. */
    for (Memory *each : {&db, &other})
        sqlite3_db_config(each->getHandle(), SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    ok("an extension is loaded without further steps", thrown([&] { db.loadExtension(library, nullptr); }) == NOTHING);
    ok("without an entry point SQLite finds it", ask(db, "SELECT plus_seven()") == "7");
    ok("only this connection has the extension", ask(other, "SELECT plus_seven()") == "error 1");
    ok("another connection may not load",
       sqlite3_load_extension(other.getHandle(), library, nullptr, nullptr) == SQLITE_ERROR);
    ok("loading from SQL stays disabled",
       ask(db, "SELECT load_extension('./tests/plus/extension.so', 'plus_other_entry')") == "error 1" &&
           ask(db, "SELECT plus_eight()") == "error 1");
    {
        Memory named;
        const int code = thrown([&] { named.loadExtension(library, "plus_other_entry"); });
        ok("the given entry point is called", code == NOTHING && ask(named, "SELECT plus_eight()") == "8");
        ok("only the given entry point is called", ask(named, "SELECT plus_seven()") == "error 1");
        ok("a second extension can be loaded",
           thrown([&] { named.loadExtension(library, nullptr); }) == NOTHING &&
               ask(named, "SELECT plus_seven(), plus_eight()") == "7,8");
    }
    {
        Memory failing("CREATE TABLE t(x)");
        ok("a missing library throws",
           thrown([&] { failing.loadExtension("./tests/plus/missing.so", nullptr); }) == SQLITE_ERROR);
        ok("a missing entry point throws",
           thrown([&] { failing.loadExtension(library, "plus_missing_entry"); }) == SQLITE_ERROR);
        ok("an entry point that fails throws",
           thrown([&] { failing.loadExtension(library, "plus_failing_entry"); }) == SQLITE_ERROR);
        put("tests/plus/text.so", "This is no library.\n");
        ok("a file that is no library throws",
           thrown([&] { failing.loadExtension("./tests/plus/text.so", nullptr); }) == SQLITE_ERROR);
        ok("after an error the connection works",
           ask(failing, "INSERT INTO t VALUES (1); SELECT x FROM t") == "1" &&
               thrown([&] { failing.loadExtension(library, nullptr); }) == NOTHING);
        ok("loading from SQL stays disabled after an error",
           ask(failing, "SELECT load_extension('./tests/plus/extension.so', 'plus_other_entry')") == "error 1");
    }
    return plus_end();
}
