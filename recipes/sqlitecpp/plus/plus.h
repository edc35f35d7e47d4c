/* What all plus tests of this package share: lines in TAP, codes of exceptions, and a place for database files. */
#ifndef PLUS_H
#define PLUS_H
#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Savepoint.h>
#include <SQLiteCpp/VariadicBind.h>
#include <sqlite3.h>
#include <climits>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

static int plus_tests;

static inline void ok(const char *name, bool passed) {
    printf("%sok %d - %s\n", passed ? "" : "not ", ++plus_tests, name);
    fflush(stdout);
}

static inline int plus_end() {
    printf("1..%d\n", plus_tests);
    return 0;
}

/* What a call threw: its result code, NOTHING, or OTHER for what isn't an SQLite::Exception. */
enum { NOTHING = -1000, OTHER = -2000 };

template <class F> static int thrown(F call) {
    try {
        call();
    } catch (const SQLite::Exception &e) {
        return e.getErrorCode();
    } catch (...) {
        return OTHER;
    }
    return NOTHING;
}

/* Whether a call threw an SQLite::Exception, of any code. */
template <class F> static bool throws(F call) {
    const int code = thrown(call);
    return code != NOTHING && code != OTHER;
}

/* Name of a database file that isn't there yet. */
static inline std::string fresh(const char *name) {
    const std::string path = std::string("tests/plus/") + name;
    for (const char *suffix : {"", "-journal", "-wal", "-shm"}) remove((path + suffix).c_str());
    return path;
}

static inline bool exists(const std::string &path) {
    return std::ifstream(path.c_str()).is_open();
}

static inline std::string content(const std::string &path) {
    std::ifstream file(path.c_str(), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

static inline void put(const std::string &path, const std::string &bytes) {
    std::ofstream file(path.c_str(), std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), bytes.size());
}

/* All that these need goes through SQLite itself, so that they don't rest on the function under test. */
static int plus_text(void *to, int columns, char **values, char **) {
    std::string &text = *static_cast<std::string *>(to);
    for (int i = 0; i < columns; i++) {
        if (!text.empty()) text += ',';
        text += values[i] ? values[i] : "NULL";
    }
    return 0;
}

/* What a query gives, values parted by commas, or "error N". */
static inline std::string ask(sqlite3 *db, const std::string &sql) {
    std::string text;
    const int ret = sqlite3_exec(db, sql.c_str(), plus_text, &text, nullptr);
    return ret == SQLITE_OK ? text : "error " + std::to_string(ret);
}

static inline std::string ask(SQLite::Database &db, const std::string &sql) {
    return ask(db.getHandle(), sql);
}

/* A bare connection of SQLite. */
struct Raw {
    sqlite3 *db = nullptr;
    explicit Raw(const std::string &path) { sqlite3_open(path.c_str(), &db); }
    ~Raw() { sqlite3_close_v2(db); }
    int run(const std::string &sql) { return sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr); }
    std::string ask(const std::string &sql) { return ::ask(db, sql); }
};

/* A database in memory that can be written. */
struct Memory : SQLite::Database {
    explicit Memory(const char *sql = "")
        : SQLite::Database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE) {
        sqlite3_exec(getHandle(), sql, nullptr, nullptr, nullptr);
    }
};

/* Whether a connection is within a transaction. */
static inline bool within(SQLite::Database &db) {
    return !sqlite3_get_autocommit(db.getHandle());
}
#endif
