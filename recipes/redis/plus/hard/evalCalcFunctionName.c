/*---
 * tasks: [luaCreateFunction-73df11.16]
 * instead: [src/eval.o]
 * tests:
 *   the name begins with f_: 'luaCreateFunction: "The function name will be generated in the following form: f_<hex sha1 sum>".'
 *   of a script it is its SHA1: 'Parameter evalsha: 0 for EVAL, whose argument is the script.'
 *   a script of any bytes is hashed whole: 'Parameter script: an sds; sha1hex takes a length.'
 *   an empty script has a name: 'EVAL "".'
 *   of a SHA1 it is that: 'Parameter evalsha: 1 for EVALSHA, whose argument is the SHA1.'
 *   a SHA1 in upper case gives the same name: 'scripting.tcl: "EVALSHA - Can we call a SHA1 in uppercase?"; luaCreateFunction names in lower case.'
 *   other characters are kept: 'What is no SHA1 isn''t found.'
 *   it ends with a zero byte after 42 characters: 'Callers: char funcname[43].'
 *   nothing is written behind it: 'Callers: char funcname[43].'
 *   it is the name that luaCreateFunction registers: 'Caller evalGenericCommand looks it up.'
 *   the script stays as it is: 'It is the client''s argument.'
 ---*/
#include "evaltest.h"

static char name[64];
static sds script;

static int is(int evalsha, const char *text, size_t len, const char *want) {
    memset(name,'#',sizeof(name));
    sdsfree(script);
    script = sdsnewlen(text,len);
    evalCalcFunctionName(evalsha,script,name);
    return !memcmp(name,want,strlen(want)+1) && sdslen(script) == len && !memcmp(script,text,len);
}

#define ONE "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"

int main(void) {
    startScripts();
    int one = is(0,"return 1",8,"f_" ONE);
    test_cond("the name begins with f_", name[0] == 'f' && name[1] == '_');
    test_cond("of a script it is its SHA1", one && is(0,"return 2",8,"f_7f923f79fe76194c868d7e1d0820de36700eb649"));
    char digest[41];
    sha1hex(digest,"a\0b\r\n\xff",6);
    char want[50];
    sprintf(want,"f_%s",digest);
    test_cond("a script of any bytes is hashed whole", is(0,"a\0b\r\n\xff",6,want));
    test_cond("an empty script has a name", is(0,"",0,"f_da39a3ee5e6b4b0d3255bfef95601890afd80709"));
    test_cond("of a SHA1 it is that", is(1,ONE,40,"f_" ONE));
    test_cond("a SHA1 in upper case gives the same name", is(1,"E0E1F9FABFC9D4800C877A703B823AC0578FF8DB",40,"f_" ONE) &&
              is(1,"E0e1F9fabfC9D4800c877A703b823AC0578FF8Db",40,"f_" ONE));
    test_cond("other characters are kept", is(1,"@AZ[`az{/09: -_.................XYZabcde",40,
              "f_@az[`az{/09: -_.................xyzabcde"));
    test_cond("it ends with a zero byte after 42 characters", strlen(name) == 42 && is(0,"x",1,"f_11f6ad8ec52a2984abaafd7c3b516503785c2072") &&
              name[42] == '\0');
    int behind = 1;
    for (int j = 43; j < 64; j++) behind &= name[j] == '#';
    is(1,ONE,40,"f_" ONE);
    for (int j = 43; j < 64; j++) behind &= name[j] == '#';
    test_cond("nothing is written behind it", behind);
    robj *body = createStringObject("return 1",8);
    luaCreateFunction(NULL,body);
    is(0,"return 1",8,"f_" ONE);
    lua_getfield(lctx.lua,LUA_REGISTRYINDEX,name);
    test_cond("it is the name that luaCreateFunction registers", lua_isfunction(lctx.lua,-1));
    lua_pop(lctx.lua,1);
    test_cond("the script stays as it is", is(1,"E0E1F9FABFC9D4800C877A703B823AC0578FF8DB",40,"f_" ONE) &&
              !strcmp(script,"E0E1F9FABFC9D4800C877A703B823AC0578FF8DB"));
    test_report();
    return 0;
}
