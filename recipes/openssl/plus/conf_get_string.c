/*---
 * tasks: [1431A734ED055FA8]
 * tests:
 *   the value of a section comes out:
 *     'openssl-cmp(1), -section: "Section(s) to use within config file defining CMP options."'
 *   the section named last comes first:
 *     'openssl-cmp(1): "sections named later may override contents of sections named before".'
 *   what the last section lacks comes from one before:
 *     'openssl-cmp(1): sections are a hierarchy; docstring: "hierarchy of config sections".'
 *   the first section is looked at as well: 'Docstring: "a comma-separated hierarchy of config sections".'
 *   a name that no section has gives NULL: 'cmp.c: read_config takes NULL for "option not provided".'
 *   sections can be separated by spaces: 'openssl-cmp(1): "separated by commas and/or whitespace".'
 *   separators can be mixed: 'openssl-cmp(1): "separated by commas and/or whitespace".'
 *   a section that does not exist is passed over: 'Docstring: the hierarchy goes on where a section has no value.'
 *   names of sections are taken whole: 'openssl-cmp(1): "section names"; none is a part of another.'
 *   an empty value is a value:
 *     'cmp.c: conf_get_number_e looks for an empty value apart from none; openssl-cmp(1): later sections
 *     override.'
 *   no section gives NULL: 'openssl-cmp(1): "An empty string "" means no specific section."'
 *   the list of sections stays: 'groups is const, and read_config passes it again for each option.'
 * flags: ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
 * goals: ["apps/openssl-bin-cmp.o"]
 ---*/
#include "../../apps/cmp.c"
#include "../testutil.h"

/* As of apps/lib/apps.c, which the rest of the program comes with. */
char *app_conf_try_string(const CONF *conf, const char *group, const char *name)
{
    char *found;

    ERR_set_mark();
    found = NCONF_get_string(conf, group, name);
    ERR_pop_to_mark();
    return found;
}

static CONF *sections;

static int gives(const char *groups, const char *name, const char *value)
{
    return TEST_str_eq(conf_get_string(sections, groups, name), value);
}

static int gives_none(const char *groups, const char *name)
{
    return TEST_ptr_null(conf_get_string(sections, groups, name));
}

static int one(void)
{
    return gives("base", "server", "base.example") && gives("site", "server", "site.example");
}

static int last_first(void)
{
    return gives("base,site", "server", "site.example") && gives("site,base", "server", "base.example")
        && gives("base,site,own", "server", "own.example");
}

static int from_before(void)
{
    return gives("base,site,own", "path", "site/path") && gives("base,own", "path", "base/path");
}

static int first(void)
{
    return gives("base,site,own", "only", "in base") && gives("site,own", "second", "in site");
}

static int none(void)
{
    return gives_none("base,site,own", "nowhere") && gives_none("site", "only");
}

static int spaces(void)
{
    return gives("base site own", "only", "in base") && gives("base site", "server", "site.example")
        && gives("base\tsite", "only", "in base");
}

static int mixed(void)
{
    return gives("base, site, own", "only", "in base") && gives("base ,  site", "only", "in base")
        && gives("base, site, own", "server", "own.example");
}

static int passed_over(void)
{
    return gives("base,missing", "only", "in base") && gives("base,missing,own", "path", "base/path")
        && gives_none("missing", "server");
}

static int whole_names(void)
{
    return gives("baseline,base", "server", "base.example") && gives("base,baseline", "server", "line.example")
        && gives("base,line", "server", "other.example");
}

static int empty_value(void)
{
    return gives("base,own", "empty", "") && gives("own,base", "empty", "full");
}

static int no_section(void)
{
    return gives_none("", "server");
}

static int stays(void)
{
    char groups[] = "base, site,own";

    return gives(groups, "only", "in base") && TEST_str_eq(groups, "base, site,own")
        && gives(groups, "only", "in base");
}

int setup_tests(void)
{
    static const char text[] =
        "[base]\nserver = base.example\npath = base/path\nonly = in base\nempty = full\n"
        "[site]\nserver = site.example\npath = site/path\nsecond = in site\n"
        "[own]\nserver = own.example\nempty =\n"
        "[baseline]\nserver = line.example\n"
        "[line]\nserver = other.example\n";
    BIO *in = BIO_new_mem_buf(text, -1);
    int ok = TEST_ptr(sections = NCONF_new(NULL)) && TEST_int_gt(NCONF_load_bio(sections, in, NULL), 0);

    BIO_free(in);
    if (!ok)
        return 0;
    add_test("the value of a section comes out", one);
    add_test("the section named last comes first", last_first);
    add_test("what the last section lacks comes from one before", from_before);
    add_test("the first section is looked at as well", first);
    add_test("a name that no section has gives NULL", none);
    add_test("sections can be separated by spaces", spaces);
    add_test("separators can be mixed", mixed);
    add_test("a section that does not exist is passed over", passed_over);
    add_test("names of sections are taken whole", whole_names);
    add_test("an empty value is a value", empty_value);
    add_test("no section gives NULL", no_section);
    add_test("the list of sections stays", stays);
    return 1;
}

void cleanup_tests(void)
{
    NCONF_free(sections);
}
