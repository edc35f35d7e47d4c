/*---
 * tasks: [SQLite.Database.rekey-ccec1b.2]
 * tests:
 *   a new key throws without support for keys: 'rekey: "throw SQLite::Exception in case of error".'
 *   an empty key throws without support for keys: 'rekey: "To decrypt [...] with an empty string".'
 *   a key of null bytes throws without support for keys: 'rekey: "throw SQLite::Exception in case of error".'
 *   a database is as before: 'rekey: "throw SQLite::Exception in case of error"; nothing was encrypted.'
 *   a database with content is unencrypted: 'isUnencrypted: "true if the database has the standard header".'
 *   a large database is unencrypted: 'isUnencrypted: it "reads the first bytes of a database file".'
 *   an open database is unencrypted: 'isUnencrypted: it "reads the first bytes of a database file".'
 *   the header alone is enough: 'isUnencrypted: "compares them to the standard header".'
 *   what follows the header does not matter: 'isUnencrypted: "reads the first bytes".'
 *   other text is encrypted: 'isUnencrypted: "If the header does not match [...] we assume [...] an encrypted file".'
 *   other bytes are encrypted: 'isUnencrypted: "If the header does not match the standard string".'
 *   an empty file has no header: 'isUnencrypted: "true if the database has the standard header".'
 *   a short file has no header: 'isUnencrypted: "true if the database has the standard header".'
 *   each byte of the text counts: 'isUnencrypted: "compares them to the standard header".'
 *   the case of the header counts: 'isUnencrypted: "compares them to the standard header".'
 *   a header further on does not count: 'isUnencrypted: "reads the first bytes of a database file".'
 *   an empty name throws: 'isUnencrypted: "throw SQLite::Exception in case of error".'
 *   a missing file throws: 'isUnencrypted: "throw SQLite::Exception in case of error".'
 *   a missing file is not created: 'isUnencrypted: "reads the first bytes of a database file".'
 *   the file stays as it was: 'isUnencrypted: "reads the first bytes of a database file".'
 ---*/
#include "plus.h"

static const std::string header("SQLite format 3\0", 16);

static bool plain(const std::string &bytes) {
    const std::string path = fresh("header.db");
    put(path, bytes);
    return SQLite::Database::isUnencrypted(path);
}

int main() {
    const std::string path = fresh("rekey.db");
    Raw raw(path);
    raw.run("CREATE TABLE t(x); INSERT INTO t VALUES (1), (2)");
    const std::string before = content(path);
    {
        SQLite::Database db(path, SQLite::OPEN_READWRITE);
        ok("a new key throws without support for keys",
           throws([&] { db.rekey("secret"); }) && throws([&] { db.rekey("k"); }));
        ok("an empty key throws without support for keys", throws([&] { db.rekey(""); }));
        ok("a key of null bytes throws without support for keys", throws([&] { db.rekey(std::string("\0x", 2)); }));
        ok("a database is as before", content(path) == before && ask(db, "SELECT x FROM t") == "1,2" &&
                                          ask(db, "INSERT INTO t VALUES (3)") == "");
        ok("an open database is unencrypted", SQLite::Database::isUnencrypted(path));
    }
    const std::string after = content(path);
    ok("a database with content is unencrypted", SQLite::Database::isUnencrypted(path));
    ok("the file stays as it was", content(path) == after && raw.ask("SELECT x FROM t") == "1,2,3");
    raw.run("INSERT INTO t VALUES (zeroblob(100000))");
    ok("a large database is unencrypted", SQLite::Database::isUnencrypted(path));
    ok("the header alone is enough", plain(header));
    ok("what follows the header does not matter", plain(header + "anything\n at all") && plain(header + "\n"));
    ok("other text is encrypted", !plain("This file is a text, and it has no header.\n") && !plain("SQLite\n"));
    std::string bytes;
    for (int i = 0; i < 1024; i++) bytes += static_cast<char>((i * 151 + 77) ^ (i >> 3));
    ok("other bytes are encrypted", !plain(bytes) && !plain(std::string(1024, '\0')) && !plain(std::string(64, '\n')));
    ok("an empty file has no header", !plain(""));
    ok("a short file has no header",
       !plain("S") && !plain("SQLite") && !plain("SQLite format ") && !plain("SQLite form"));
    bool each = true;
    for (int i = 0; i < 15; i++) {
        std::string wrong = header + std::string(84, '\1');
        wrong[i] = '#';
        each &= !plain(wrong);
        wrong[i] = '\0';
        each &= !plain(wrong);
    }
    ok("each byte of the text counts", each && !plain("SQLite format 2" + std::string(85, '\0')));
    ok("the case of the header counts", !plain("sqlite format 3" + std::string(85, '\0')) &&
                                            !plain("SQLITE FORMAT 3" + std::string(85, '\0')));
    ok("a header further on does not count", !plain("x" + header) && !plain("\n" + header) && !plain(" " + header) &&
                                                 !plain(std::string("\0", 1) + header));
    ok("an empty name throws", throws([] { SQLite::Database::isUnencrypted(""); }));
    const std::string missing = fresh("missing.db");
    ok("a missing file throws", throws([&] { SQLite::Database::isUnencrypted(missing); }) &&
                                    throws([] { SQLite::Database::isUnencrypted("tests/plus/no/such.db"); }));
    ok("a missing file is not created", !exists(missing));
    return plus_end();
}
