/* An extension of SQLite with two entry points, which make functions of different names, and one that fails. */
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

static void seven(sqlite3_context *context, int n, sqlite3_value **values) {
    sqlite3_result_int(context, 7);
}

static void eight(sqlite3_context *context, int n, sqlite3_value **values) {
    sqlite3_result_int(context, 8);
}

int sqlite3_extension_init(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
    SQLITE_EXTENSION_INIT2(api);
    return sqlite3_create_function(db, "plus_seven", 0, SQLITE_UTF8, 0, seven, 0, 0);
}

int plus_other_entry(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
    SQLITE_EXTENSION_INIT2(api);
    return sqlite3_create_function(db, "plus_eight", 0, SQLITE_UTF8, 0, eight, 0, 0);
}

int plus_failing_entry(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
    return SQLITE_ERROR;
}
