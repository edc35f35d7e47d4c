/*---
 * tasks: [6B610D8B9F68DAE1]
 * tests:
 *   without a memory limit a dict may expand: 'Docstring: "Return 1 if currently we allow dict to expand"; maxmemory 0 is no limit.'
 *   within the limit a dict may expand: 'Docstring: it stops a dict "if used memory will be over maxmemory after dict expands".'
 *   up to the limit a dict may expand: 'Docstring: it stops a dict if used memory will be "over maxmemory".'
 *   past the limit a dict may not expand: 'Docstring: it stops a dict "if used memory will be over maxmemory after dict expands".'
 *   the memory that the expansion takes is counted: 'Docstring: "used memory [...] after dict expands"; the parameter moreMem.'
 *   a full server does not let a dict expand: 'Docstring: it stops a dict "if used memory will be over maxmemory after dict expands".'
 *   an overfull dict may expand past the limit: 'Docstring: "we still allow dict to expand if dict load factor exceeds HASHTABLE_MAX_LOAD_FACTOR".'
 *   just above the load factor a dict may expand past the limit: 'Docstring: "if dict load factor exceeds HASHTABLE_MAX_LOAD_FACTOR".'
 *   at the load factor a dict may not expand past the limit: 'Docstring: only "if dict load factor exceeds HASHTABLE_MAX_LOAD_FACTOR".'
 *   just below the load factor a dict may not expand past the limit: 'Docstring: only "if dict load factor exceeds HASHTABLE_MAX_LOAD_FACTOR".'
 *   an overfull dict within the limit may expand: 'Docstring: "Return 1 if currently we allow dict to expand".'
 *   with resizing switched off no dict may expand: 'server.h: dict_resizing, "Whether to allow main dict and expired dict to be resized (debug)".'
 *   with resizing switched off an overfull dict may not expand: 'server.h: dict_resizing; DEBUG DICT-RESIZING 0.'
 *   with resizing switched off there is no expansion without a limit: 'server.h: dict_resizing; DEBUG DICT-RESIZING 0.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

int dictResizeAllowed(size_t moreMem, double usedRatio);

static int with(unsigned long long maxmemory, size_t more, double ratio) {
    server.maxmemory = maxmemory;
    return dictResizeAllowed(more, ratio);
}

int main(void) {
    zfree(zmalloc(1));
    void *held = zmalloc(1000000);
    unsigned long long used = zmalloc_used_memory();
    const double most = HASHTABLE_MAX_LOAD_FACTOR;

    server.dict_resizing = 1;
    test_cond("without a memory limit a dict may expand", with(0, 1 << 30, 1) == 1);
    test_cond("within the limit a dict may expand", with(used + 100000, 50000, 1) == 1);
    test_cond("up to the limit a dict may expand", with(used + 100000, 100000, 1) == 1);
    test_cond("past the limit a dict may not expand", with(used + 100000, 100001, 1) == 0);
    test_cond("the memory that the expansion takes is counted",
              with(used + 100000, 0, 1) == 1 && with(used + 100000, 1 << 30, 1) == 0);
    test_cond("a full server does not let a dict expand", with(used - 500000, 1, 1) == 0 && with(1, 0, .5) == 0);
    test_cond("an overfull dict may expand past the limit", with(used + 100000, 1 << 30, 5) == 1);
    test_cond("just above the load factor a dict may expand past the limit", with(1, 1 << 20, most + .001) == 1);
    test_cond("at the load factor a dict may not expand past the limit", with(1, 1 << 20, most) == 0);
    test_cond("just below the load factor a dict may not expand past the limit", with(1, 1 << 20, most - .001) == 0);
    test_cond("an overfull dict within the limit may expand", with(used + 100000, 10, 5) == 1 && with(0, 10, 5) == 1);
    server.dict_resizing = 0;
    test_cond("with resizing switched off no dict may expand", with(used + 100000, 10, 1) == 0);
    test_cond("with resizing switched off an overfull dict may not expand", with(used + 100000, 10, 5) == 0);
    test_cond("with resizing switched off there is no expansion without a limit", with(0, 10, 1) == 0);
    zfree(held);
    test_report();
    return 0;
}
