/*---
 * tasks: [SQLite.SQLite.Backup.Deleter.operator-56af53]
 * flags: [-fno-access-control, '-Wl,--wrap=sqlite3_backup_finish']
 * tests:
 *   the end of a backup releases it: 'Comment: "Release resource for SQLite database backup".'
 *   it is released once: 'Comment: "Release resource", of the one pointer that is owned.'
 *   the given backup is released: 'Comment: "Release resource for SQLite database backup".'
 *   no backup is no error: 'Backup: a constructor that fails has no pointer; sqlite3_backup_finish takes none.'
 *   the destination can be closed afterwards: 'Header: "in an RAII fashion"; sqlite3_close refuses with a backup.'
 *   an unfinished backup is rolled back: 'sqlite3_backup_finish: "any active write-transaction [...] is rolled back".'
 *   a complete backup stays: 'Class comment: "to backup a source database file to a destination".'
 *   the destination is unlocked after an unfinished backup: 'Comment: "Release resource for SQLite database backup".'
 *   the source is unlocked after an unfinished backup: 'Comment: "Release resource for SQLite database backup".'
 *   a new backup can follow an unfinished one: 'Comment: "Release resource for SQLite database backup".'
 *   its memory is freed: 'Comment: "Release resource for SQLite database backup".'
 *   the source is left as it was: 'Class comment: "in a safe and online way".'
 *   a constructor that fails releases nothing: 'Constructor: "then the Backup object is NOT constructed".'
 ---*/
#include "plus.h"
#include <memory>

static int finished;
static sqlite3_backup *last;

extern "C" int __real_sqlite3_backup_finish(sqlite3_backup *);

extern "C" int __wrap_sqlite3_backup_finish(sqlite3_backup *backup) {
    if (backup) finished++;
    last = backup;
    return __real_sqlite3_backup_finish(backup);
}

static const char *many = "PRAGMA page_size = 1024; CREATE TABLE t(x);"
                          "INSERT INTO t VALUES (zeroblob(20000)), ('end')";

int main() {
    const std::string from = fresh("from.db"), to = fresh("to.db");
    Raw source(from), target(to);
    source.run(many);
    target.run("CREATE TABLE old(x); INSERT INTO old VALUES (1)");
    SQLite::Backup::Deleter deleter;
    deleter(nullptr);
    ok("no backup is no error", finished == 0);
    {
        Raw raw(":memory:"), place(":memory:");
        raw.run(many);
        sqlite3_backup *bare = sqlite3_backup_init(place.db, "main", raw.db, "main");
        sqlite3_backup *other = sqlite3_backup_init(target.db, "main", source.db, "main");
        sqlite3_backup_step(bare, 2);
        deleter(bare);
        const bool given = finished == 1 && last == bare;
        const bool closed = sqlite3_close(place.db) == SQLITE_OK;
        ok("the destination can be closed afterwards", closed);
        if (closed) place.db = nullptr;
        deleter(other);
        ok("the given backup is released", given && finished == 2 && last == other);
    }
    {
        SQLite::Database src(from), dest(to, SQLite::OPEN_READWRITE);
        finished = 0;
        bool early;
        {
            SQLite::Backup backup(dest, src);
            const int step = backup.executeStep(3);
            early = step == SQLITE_OK && finished == 0;
        }
        ok("the end of a backup releases it", early && finished > 0);
        ok("it is released once", finished == 1);
        ok("an unfinished backup is rolled back",
           ask(dest, "SELECT x FROM old") == "1" && target.ask("SELECT name FROM sqlite_master") == "old");
        ok("the destination is unlocked after an unfinished backup",
           target.run("BEGIN EXCLUSIVE; COMMIT") == SQLITE_OK);
        ok("the source is unlocked after an unfinished backup", source.run("BEGIN EXCLUSIVE; COMMIT") == SQLITE_OK);
        finished = 0;
        const bool threw = throws([&] { SQLite::Backup backup(dest, "main", src, "nowhere"); });
        ok("a constructor that fails releases nothing", threw && finished == 0);
        int again = -1;
        thrown([&] {
            SQLite::Backup backup(dest, src);
            again = backup.executeStep();
        });
        ok("a new backup can follow an unfinished one", again == SQLITE_DONE && finished == 1);
    }
    ok("a complete backup stays", target.ask("SELECT length(x) FROM t") == "20000,3");
    ok("the source is left as it was", source.ask("SELECT length(x) FROM t") == "20000,3");
    {
        Memory src(many), dest;
        const auto once = [&](int pages) {
            SQLite::Backup backup(dest, src);
            backup.executeStep(pages);
        };
        once(-1);
        once(1);
        const sqlite3_int64 before = sqlite3_memory_used();
        for (int i = 0; i < 200; i++) once(1);
        ok("its memory is freed", sqlite3_memory_used() - before < 5000);
    }
    return plus_end();
}
