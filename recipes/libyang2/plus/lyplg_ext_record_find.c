/*---
 * tasks: [lyplg_ext_record_find-df396a]
 * instead: [src/plugins.c.o]
 * tests:
 *   an extension plugin is found: 'Docstring: "Find an extension plugin".'
 *   it is the record of the module: 'Docstring: "Name of the module where the extension is defined".'
 *   it is the record of the revision: 'Docstring: "Revision of the module for which the plugin is implemented".'
 *   it is the record of the name: 'Docstring: "Name of the extension which the plugin implements".'
 *   each extension of a module has its own record: 'Docstring: "Name of the extension".'
 *   another module has none: 'Docstring: "NULL if none found".'
 *   another name has none: 'Docstring: "NULL if none found".'
 *   another revision has none: 'Docstring: "Revision of the module for which the plugin is implemented".'
 *   NULL is no wildcard for a revision: 'Docstring: "NULL is not a wildcard".'
 *   NULL finds a plugin without a revision: 'Docstring: "it matches only the plugins with NULL revision".'
 *   of two revisions the right one is found: 'Docstring: "Revision of the module".'
 *   a type plugin is no extension plugin: 'Docstring: "Find an extension plugin".'
 *   a name is compared as a whole: 'Docstring: "Name of the extension".'
 *   module and name are not interchanged: 'Docstring: MODULE and NAME.'
 ---*/
#include "../plugins.c"
#include "yang.h"

static const struct lyplg_ext_record records[] = {
    {.module = "plus-a", .revision = "2020-01-01", .name = "one", .plugin.id = "plus 1"},
    {.module = "plus-a", .revision = "2021-02-02", .name = "one", .plugin.id = "plus 2"},
    {.module = "plus-a", .revision = NULL, .name = "two", .plugin.id = "plus 3"},
    {.module = "plus-b", .revision = "2020-01-01", .name = "two", .plugin.id = "plus 4"},
    {0}
};

int main(void) {
    plus_start();
    yang_context(NULL);
    struct lyplg_ext_record *r = lyplg_ext_record_find("ietf-netconf-acm", "2012-02-22", "default-deny-write");
    ok("an extension plugin is found", r != NULL);
    if (!r) exit(1);
    ok("it is the record of the module", same(r->module, "ietf-netconf-acm"));
    ok("it is the record of the revision", same(r->revision, "2012-02-22"));
    ok("it is the record of the name", same(r->name, "default-deny-write"));
    struct lyplg_ext_record *all = lyplg_ext_record_find("ietf-netconf-acm", "2012-02-22", "default-deny-all");
    struct lyplg_ext_record *later = lyplg_ext_record_find("ietf-netconf-acm", "2018-02-14", "default-deny-write");
    ok("each extension of a module has its own record", all && all != r && same(all->name, "default-deny-all"));
    ok("of two revisions the right one is found", later && later != r && same(later->revision, "2018-02-14"));
    ok("another module has none",
       !lyplg_ext_record_find("ietf-netconf", "2012-02-22", "default-deny-write") &&
       !lyplg_ext_record_find("", "2012-02-22", "default-deny-write"));
    ok("another name has none", !lyplg_ext_record_find("ietf-netconf-acm", "2012-02-22", "default-deny"));
    ok("another revision has none",
       !lyplg_ext_record_find("ietf-netconf-acm", "2013-01-01", "default-deny-write") &&
       !lyplg_ext_record_find("ietf-netconf-acm", "", "default-deny-write"));
    ok("NULL is no wildcard for a revision", !lyplg_ext_record_find("ietf-netconf-acm", NULL, "default-deny-write"));
    if (plugins_insert(LYPLG_EXTENSION, records)) plus_die("Bail out! not added\n");
    r = lyplg_ext_record_find("plus-a", NULL, "two");
    ok("NULL finds a plugin without a revision",
       r && same(r->plugin.id, "plus 3") && !lyplg_ext_record_find("plus-b", NULL, "two") &&
       !lyplg_ext_record_find("plus-a", NULL, "one"));
    ok("a type plugin is no extension plugin",
       lyplg_type_plugin_find("ietf-inet-types", "2013-07-15", "ipv6-address") &&
       !lyplg_ext_record_find("ietf-inet-types", "2013-07-15", "ipv6-address") &&
       !lyplg_ext_record_find("", NULL, "string"));
    ok("a name is compared as a whole",
       !lyplg_ext_record_find("plus-a", "2020-01-01", "on") &&
       !lyplg_ext_record_find("plus-a", "2020-01-01", "one2") &&
       !lyplg_ext_record_find("plus", "2020-01-01", "one"));
    ok("module and name are not interchanged", !lyplg_ext_record_find("one", "2020-01-01", "plus-a"));
    return plus_end();
}
