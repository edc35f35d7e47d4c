/*---
 * tasks: [luaRegisterFunctionReadFlags-7900d3.4]
 * instead: [src/function_lua.o]
 * tests:
 *   the name is set: 'Signature: name; registerFunctionArgs.name.'
 *   the description is set: 'Signature: desc; registerFunctionArgs.desc.'
 *   the function is set: 'Signature: lua_f_ctx; registerFunctionArgs.lua_f_ctx.'
 *   all 64 bits of the flags are set: 'Signature: uint64_t flags; registerFunctionArgs.f_flags.'
 *   no description stays none: 'Callers: desc is NULL in luaRegisterFunctionReadPositionalArgs.'
 *   what was there before is gone: 'The name: initialize.'
 *   nothing is copied or freed: 'luaRegisterFunctionArgsDispose frees name and desc once.'
 ---*/
#include "../server.h"
#include "../functions.h"
#include "../function_lua.c"
#include "../testhelp.h"

int main(void) {
    sds name = sdsnew("name"), desc = sdsnew("description");
    luaFunctionCtx f = {7};
    registerFunctionArgs args;
    memset(&args, 0xaa, sizeof(args));
    size_t before = zmalloc_used_memory();
    luaRegisterFunctionArgsInitialize(&args, name, desc, &f, 0x8000000100000002ULL);
    test_cond("the name is set", args.name == name);
    test_cond("the description is set", args.desc == desc);
    test_cond("the function is set", args.lua_f_ctx == &f && f.lua_function_ref == 7);
    test_cond("all 64 bits of the flags are set", args.f_flags == 0x8000000100000002ULL);
    luaRegisterFunctionArgsInitialize(&args, desc, NULL, &f, 0);
    test_cond("no description stays none", args.desc == NULL);
    test_cond("what was there before is gone", args.name == desc && args.f_flags == 0);
    test_cond("nothing is copied or freed",
              zmalloc_used_memory() == before && !strcmp(name, "name") && !strcmp(desc, "description"));
    test_report();
    return 0;
}
