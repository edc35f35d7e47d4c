/*---
 * tasks: [SQLite.operator-6849ab.2]
 * tests:
 *   text is written: 'operator<<: "Standard std::ostream inserter".'
 *   numbers are written as text: 'getBytes: "the string representation of the numerical value".'
 *   NULL writes nothing: 'getBytes: "0 for a NULL value".'
 *   empty text writes nothing: 'operator<<: "Standard std::ostream inserter".'
 *   a null byte within text is written: 'getBytes: "size in bytes [...] of the string", which may hold any.'
 *   text of a UTF-16 database is written as UTF-8: 'Database.h: "UTF-8 text encoding assumed".'
 *   long text is written whole: 'operator<<: "Standard std::ostream inserter".'
 *   the inserter gives its stream: 'operator<<: "Standard std::ostream inserter", so calls are chained.'
 *   the stream is only added to: 'operator<<: "Standard std::ostream inserter".'
 *   getText gives the text: 'getText: "a pointer to the text value (NULL terminated string) of the column".'
 *   getText gives numbers as text: 'getText: "a pointer to the text value"; SQLite converts.'
 *   getText gives zero as text: 'getText: the default is for a missing value alone.'
 *   getText gives a blob as text: 'getText: "a pointer to the text value"; SQLite converts.'
 *   getText of NULL is an empty string: 'getText: apDefaultValue is "" when not given.'
 *   getText of NULL is the default: 'getText: "apDefaultValue".'
 *   a default may be no pointer: 'getText: "apDefaultValue".'
 *   the default is not for other values: 'getText: "Return a pointer to the text value".'
 *   getText of a UTF-16 database is UTF-8: 'Database.h: "UTF-8 text encoding assumed".'
 *   getText of each column is its own: 'Constructor: "aIndex Index of the column in the row of result".'
 *   the text stays while the statement is valid: 'getText: "only valid while the statement is valid".'
 ---*/
#include "plus.h"

static SQLite::Column get(SQLite::Database &db, const std::string &expression) {
    SQLite::Statement query(db, "SELECT " + expression);
    query.executeStep();
    return query.getColumn(0);
}

static std::string shown(const SQLite::Column &column) {
    std::ostringstream stream;
    stream << column;
    return stream.str();
}

static bool text(const SQLite::Column &column, const char *expected) {
    const char *got = column.getText();
    return got && !strcmp(got, expected);
}

int main() {
    Memory db, wide("PRAGMA encoding = 'UTF-16'; CREATE TABLE t(x); "
                    "INSERT INTO t VALUES ('h\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80')");
    const char *utf8 = "h\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80";
    ok("text is written", shown(get(db, "'some text'")) == "some text");
    ok("numbers are written as text", shown(get(db, "42")) == "42" && shown(get(db, "-2.5")) == "-2.5" &&
                                          shown(get(db, "9223372036854775807")) == "9223372036854775807");
    ok("NULL writes nothing", shown(get(db, "NULL")).empty());
    ok("empty text writes nothing", shown(get(db, "''")).empty());
    {
        SQLite::Statement bound(db, "SELECT ?1, ?2");
        bound.bind(1, std::string("a\0b\0", 4));
        bound.bind(2, std::string("\0z", 2));
        bound.executeStep();
        ok("a null byte within text is written", shown(bound.getColumn(0)) == std::string("a\0b\0", 4) &&
                                                     shown(bound.getColumn(1)) == std::string("\0z", 2));
    }
    ok("text of a UTF-16 database is written as UTF-8", shown(get(wide, "x FROM t")) == utf8);
    ok("long text is written whole",
       shown(get(db, "replace(hex(zeroblob(50000)), '0', 'w')")) == std::string(100000, 'w'));
    {
        std::ostringstream stream;
        const SQLite::Column one = get(db, "'one'"), two = get(db, "2");
        std::ostream &result = stream << one;
        result << ", " << two << '!';
        ok("the inserter gives its stream", &result == &stream && stream.good());
        ok("the stream is only added to", stream.str() == "one, 2!");
    }
    ok("getText gives the text", text(get(db, "'some text'"), "some text") && text(get(db, "''"), ""));
    ok("getText gives numbers as text", text(get(db, "42"), "42") && text(get(db, "2.5"), "2.5"));
    ok("getText gives zero as text", text(get(db, "0"), "0") && !strcmp(get(db, "0").getText("default"), "0"));
    ok("getText gives a blob as text", text(get(db, "x'616263'"), "abc"));
    ok("getText of NULL is an empty string", text(get(db, "NULL"), ""));
    const char *other = "default";
    ok("getText of NULL is the default", get(db, "NULL").getText(other) == other);
    ok("a default may be no pointer", get(db, "NULL").getText(nullptr) == nullptr);
    {
        const SQLite::Column value = get(db, "'value'"), empty = get(db, "''");
        ok("the default is not for other values",
           !strcmp(value.getText(other), "value") && !strcmp(empty.getText(other), ""));
    }
    ok("getText of a UTF-16 database is UTF-8", text(get(wide, "x FROM t"), utf8));
    {
        SQLite::Statement three(db, "SELECT 'one', NULL, 'three'");
        three.executeStep();
        const SQLite::Column first = three.getColumn(0), second = three.getColumn(1), third = three.getColumn(2);
        const char *a = first.getText("x"), *b = second.getText("x"), *c = third.getText("x");
        ok("getText of each column is its own", !strcmp(a, "one") && !strcmp(b, "x") && !strcmp(c, "three"));
        ok("the text stays while the statement is valid", !strcmp(first.getText(), "one") && !strcmp(a, "one"));
    }
    return plus_end();
}
