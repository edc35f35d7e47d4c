/*---
 * tasks: [SQLite.Column.getString-befc19]
 * tests:
 *   text is given: 'Docstring: "Return a std::string for a TEXT or BLOB column".'
 *   a blob is given: 'Docstring: "Return a std::string for a TEXT or BLOB column".'
 *   a null byte within text is kept: 'Docstring: "this correctly handles strings that contain null bytes".'
 *   a null byte at the end of text is kept: 'Docstring: "this correctly handles strings that contain null bytes".'
 *   null bytes of a blob are kept: 'Docstring: "this correctly handles strings that contain null bytes".'
 *   a blob of all bytes is given as it is: 'Docstring: "Return a std::string for a TEXT or BLOB column".'
 *   empty text is an empty string: 'Docstring: "Return a std::string".'
 *   an empty blob is an empty string: 'Docstring: "Return a std::string".'
 *   NULL is an empty string: 'getBytes: "0 for a NULL value".'
 *   a number is given as text: 'getBytes: "size in bytes of the string representation of the numerical value".'
 *   text beyond ASCII is UTF-8: 'Database.h: "UTF-8 text encoding assumed".'
 *   text of a UTF-16 database is converted to UTF-8: 'Database.h: "UTF-8 text encoding assumed".'
 *   a null byte in a UTF-16 database is kept: 'Docstring: "handles strings that contain null bytes".'
 *   a number of a UTF-16 database is UTF-8: 'Database.h: "UTF-8 text encoding assumed".'
 *   a blob of a UTF-16 database is given as it is: 'Docstring: "for a TEXT or BLOB column".'
 *   long values are given whole: 'Docstring: "Return a std::string for a TEXT or BLOB column".'
 *   each column gives its own: 'Constructor: "aIndex Index of the column in the row of result, starting at 0".'
 *   a second call gives the same: 'It is const.'
 *   it can follow other ways to read: 'It is const; so are getText, getBlob and getBytes.'
 *   its length is that of getBytes: 'getBytes: "size in bytes".'
 *   the string outlives the row: 'Docstring: "Return a std::string"; getText says to copy to one.'
 *   it works when the statement is gone: 'Constructor: "Shared pointer to the prepared SQLite Statement Object".'
 ---*/
#include "plus.h"
#include <memory>

static std::string get(SQLite::Database &db, const std::string &expression) {
    SQLite::Statement query(db, "SELECT " + expression);
    query.executeStep();
    return query.getColumn(0).getString();
}

int main() {
    Memory db, wide("PRAGMA encoding = 'UTF-16'; CREATE TABLE t(x, b); "
                    "INSERT INTO t VALUES ('h\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80', x'00ff6100'), (12345, NULL)");
    ok("text is given", get(db, "'some text'") == "some text");
    ok("a blob is given", get(db, "x'616263'") == "abc");
    SQLite::Statement bound(db, "SELECT ?1, ?2, ?3");
    std::string all;
    for (int i = 0; i < 512; i++) all += static_cast<char>(i);
    bound.bind(1, std::string("a\0b\0\0c", 6));
    bound.bind(2, std::string("end\0", 4));
    bound.bind(3, all.data(), static_cast<int>(all.size()));
    bound.executeStep();
    ok("a null byte within text is kept", bound.getColumn(0).getString() == std::string("a\0b\0\0c", 6));
    ok("a null byte at the end of text is kept", bound.getColumn(1).getString() == std::string("end\0", 4));
    ok("a blob of all bytes is given as it is", bound.getColumn(2).getString() == all);
    ok("null bytes of a blob are kept", get(db, "x'00610062'") == std::string("\0a\0b", 4) &&
                                            get(db, "zeroblob(5)") == std::string(5, '\0'));
    ok("empty text is an empty string", get(db, "''").empty());
    ok("an empty blob is an empty string", get(db, "x''").empty() && get(db, "zeroblob(0)").empty());
    ok("NULL is an empty string", get(db, "NULL").empty() && get(wide, "NULL").empty());
    ok("a number is given as text", get(db, "42") == "42" && get(db, "-7") == "-7" && get(db, "2.5") == "2.5" &&
                                        get(db, "9223372036854775807") == "9223372036854775807");
    ok("text beyond ASCII is UTF-8", get(db, "'\xc3\xa9\xe2\x82\xac'") == "\xc3\xa9\xe2\x82\xac");

    SQLite::Statement query(wide, "SELECT x, b, x FROM t");
    query.executeStep();
    const std::string text = query.getColumn(0).getString();
    ok("text of a UTF-16 database is converted to UTF-8", text == "h\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    ok("a blob of a UTF-16 database is given as it is",
       query.getColumn(1).getString() == std::string("\x00\xff\x61\x00", 4));
    query.executeStep();
    ok("a number of a UTF-16 database is UTF-8",
       query.getColumn(0).getString() == "12345" && query.getColumn(1).getString().empty());
    ok("the string outlives the row", text == "h\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    {
        ask(wide, "CREATE TABLE n(x)");
        SQLite::Statement insert(wide, "INSERT INTO n VALUES (?1)");
        insert.bind(1, std::string("x\0y", 3));
        insert.exec();
        SQLite::Statement read(wide, "SELECT x FROM n");
        read.executeStep();
        ok("a null byte in a UTF-16 database is kept", read.getColumn(0).getString() == std::string("x\0y", 3));
    }
    ok("long values are given whole",
       get(db, "replace(hex(zeroblob(50000)), '0', 'w')") == std::string(100000, 'w') &&
           get(db, "zeroblob(70000)") == std::string(70000, '\0'));
    {
        SQLite::Statement three(db, "SELECT 'one', 'two', 'three'");
        three.executeStep();
        ok("each column gives its own",
           three.getColumn(2).getString() == "three" && three.getColumn(0).getString() == "one" &&
               three.getColumn(1).getString() == "two");
        const SQLite::Column column = three.getColumn(2);
        const std::string first = column.getString();
        ok("a second call gives the same", first == "three" && column.getString() == "three");
        const bool read = !strcmp(column.getText(), "three") && !memcmp(column.getBlob(), "three", 5);
        ok("it can follow other ways to read", read && column.getString() == "three" && column.getBytes() == 5);
    }
    {
        const SQLite::Column column = bound.getColumn(0);
        ok("its length is that of getBytes", column.getString().size() == 6 && column.getBytes() == 6);
    }
    std::unique_ptr<SQLite::Column> column;
    {
        SQLite::Statement last(db, "SELECT 'kept'");
        last.executeStep();
        column.reset(new SQLite::Column(last.getColumn(0)));
    }
    ok("it works when the statement is gone", column->getString() == "kept");
    return plus_end();
}
