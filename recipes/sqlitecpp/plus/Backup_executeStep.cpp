/*---
 * tasks: [SQLite.Backup.executeStep-b8dc0a]
 * flags: ['-Wl,--wrap=sqlite3_backup_step']
 * tests:
 *   without a number all pages are copied: 'Docstring: "a negative value meaning all remaining source pages"; -1.'
 *   the end is SQLITE_DONE: 'Docstring: "return SQLITE_OK/SQLITE_DONE/SQLITE_BUSY/SQLITE_LOCKED".'
 *   any negative number is all pages: 'Docstring: "a negative value meaning all remaining source pages".'
 *   one page is copied: 'Docstring: "aNumPage The number of source pages to be copied".'
 *   several pages are copied: 'Docstring: "aNumPage The number of source pages to be copied".'
 *   before the end it is SQLITE_OK: 'Docstring: "return SQLITE_OK/SQLITE_DONE/SQLITE_BUSY/SQLITE_LOCKED".'
 *   the remaining pages are copied: 'Docstring: "a negative value meaning all remaining source pages".'
 *   a number beyond the pages copies all: 'Docstring: "aNumPage The number of source pages to be copied".'
 *   no page is copied: 'Docstring: "aNumPage The number of source pages to be copied".'
 *   page by page all is copied: 'Docstring: "Execute a step of backup with a given number of source pages".'
 *   a locked destination is SQLITE_BUSY: 'Docstring: "return SQLITE_OK/SQLITE_DONE/SQLITE_BUSY/SQLITE_LOCKED".'
 *   a source that is written to is busy or locked: 'Docstring: "return [...] SQLITE_BUSY/SQLITE_LOCKED".'
 *   after a lock it goes on: 'Docstring: only other errors "are considered fatal".'
 *   a destination that can not be written throws: 'Docstring: "Exception is thrown when [...] SQLITE_READONLY".'
 *   a lack of memory throws: 'Docstring: "Exception is thrown when [...] SQLITE_NOMEM".'
 *   an error of input or output throws: 'Docstring: "Exception is thrown when SQLITE_IOERR_XXX".'
 *   each further error throws: 'Docstring: "throw SQLite::Exception in case of error".'
 *   results that are no error are returned: 'Docstring: "return SQLITE_OK/SQLITE_DONE/SQLITE_BUSY/SQLITE_LOCKED".'
 *   the thrown code is the result: 'Exception: "ret Return value from function call that failed".'
 *   a call makes one step: 'Docstring: "Execute a step of backup".'
 ---*/
#include "plus.h"

static int instead = -1, steps;

extern "C" int __real_sqlite3_backup_step(sqlite3_backup *, int);

extern "C" int __wrap_sqlite3_backup_step(sqlite3_backup *backup, int pages) {
    steps++;
    return instead < 0 ? __real_sqlite3_backup_step(backup, pages) : instead;
}

static const char *many = "PRAGMA page_size = 1024; CREATE TABLE t(x);"
                          "INSERT INTO t VALUES (zeroblob(20000)), ('end')";

int main() {
    Memory source(many);
    const int total = std::stoi(ask(source, "PRAGMA page_count"));
    {
        Memory target;
        SQLite::Backup backup(target, source);
        const int result = backup.executeStep();
        ok("without a number all pages are copied",
           backup.getRemainingPageCount() == 0 && backup.getTotalPageCount() == total);
        ok("the end is SQLITE_DONE", result == SQLITE_DONE);
    }
    {
        bool good = true;
        for (int number : {-1, -2, -1000, INT_MIN}) {
            Memory target;
            SQLite::Backup backup(target, source);
            good &= backup.executeStep(number) == SQLITE_DONE && backup.getRemainingPageCount() == 0;
        }
        ok("any negative number is all pages", good);
    }
    {
        Memory target;
        {
            SQLite::Backup backup(target, source);
            const int none = backup.executeStep(0);
            ok("no page is copied", none == SQLITE_OK && backup.getRemainingPageCount() == total);
            const int one = backup.executeStep(1);
            ok("one page is copied", backup.getRemainingPageCount() == total - 1);
            const int more = backup.executeStep(5);
            ok("several pages are copied", backup.getRemainingPageCount() == total - 6);
            ok("before the end it is SQLITE_OK", one == SQLITE_OK && more == SQLITE_OK);
            ok("the remaining pages are copied",
               backup.executeStep() == SQLITE_DONE && backup.getRemainingPageCount() == 0);
        }
        const bool whole = ask(target, "SELECT length(x) FROM t") == "20000,3";
        SQLite::Backup backup(target, source);
        ok("a number beyond the pages copies all",
           whole && backup.executeStep(total + 100) == SQLITE_DONE && backup.getRemainingPageCount() == 0);
    }
    {
        Memory target;
        int calls = 0;
        {
            SQLite::Backup backup(target, source);
            int result = SQLITE_OK;
            for (steps = 0; result == SQLITE_OK && calls < 1000; calls++) result = backup.executeStep(1);
        }
        ok("page by page all is copied",
           ask(target, "SELECT length(x) FROM t") == "20000,3" && (calls == total || calls == total + 1));
        ok("a call makes one step", steps == calls);
    }
    {
        const std::string path = fresh("step.db");
        Raw raw(path);
        raw.run("CREATE TABLE old(x); BEGIN EXCLUSIVE");
        {
            SQLite::Database target(path, SQLite::OPEN_READWRITE);
            SQLite::Backup backup(target, source);
            int result = -1;
            thrown([&] { result = backup.executeStep(); });
            ok("a locked destination is SQLITE_BUSY", result == SQLITE_BUSY);
            raw.run("COMMIT");
            const int after = backup.executeStep();
            Memory place;
            Memory writing(many);
            ask(writing, "BEGIN IMMEDIATE; INSERT INTO t VALUES (1)");
            SQLite::Backup other(place, writing);
            result = -1;
            thrown([&] { result = other.executeStep(); });
            ok("a source that is written to is busy or locked", result == SQLITE_BUSY || result == SQLITE_LOCKED);
            ask(writing, "COMMIT");
            ok("after a lock it goes on", after == SQLITE_DONE && other.executeStep() == SQLITE_DONE);
        }
        SQLite::Database reader(path);
        SQLite::Backup backup(reader, source);
        ok("a destination that can not be written throws", thrown([&] { backup.executeStep(); }) == SQLITE_READONLY);
    }
    {
        Memory target;
        SQLite::Backup backup(target, source);
        const auto gives = [&](int code) {
            instead = code;
            const int result = thrown([&] { backup.executeStep(); });
            instead = -1;
            return result == code;
        };
        ok("a lack of memory throws", gives(SQLITE_NOMEM));
        ok("an error of input or output throws", gives(SQLITE_IOERR) && gives(SQLITE_IOERR_READ) &&
                                                     gives(SQLITE_IOERR_WRITE) && gives(SQLITE_IOERR_FSYNC));
        ok("each further error throws", gives(SQLITE_ERROR) && gives(SQLITE_READONLY) && gives(SQLITE_CORRUPT) &&
                                            gives(SQLITE_FULL) && gives(SQLITE_NOTADB) && gives(SQLITE_MISUSE));
        ok("the thrown code is the result", gives(SQLITE_IOERR_SHORT_READ) && gives(SQLITE_NOMEM));
        bool good = true;
        for (int code : {SQLITE_OK, SQLITE_DONE, SQLITE_BUSY, SQLITE_LOCKED}) {
            instead = code;
            good &= thrown([&] { good &= backup.executeStep(1) == code; }) == NOTHING;
            instead = -1;
        }
        ok("results that are no error are returned", good);
    }
    return plus_end();
}
