/*---
 * tasks: [4E9473BD7ADA756A]
 * instead: [src/acl.o]
 * tests:
 *   every default category is found with its flag: 'Docstring: "Initializes ACLCommandCategories with default ACL categories".'
 *   the first and the last default category are found: 'Docstring: "with default ACL categories".'
 *   the case of letters does not matter: 'acl.c: ACLGetCommandCategoryFlagByName compares with strcasecmp.'
 *   an unknown category is not found: 'acl.c: ACLGetCommandCategoryFlagByName goes on to an entry whose flag is 0.'
 *   there are no other categories than the default ones: 'Docstring: "with default ACL categories".'
 *   there is room for all categories and the entry that ends them: 'Docstring: it "allocates space for new ACL categories"; acl.c: ACL_MAX_CATEGORIES.'
 *   the names are copies: 'acl.c: ACLCleanupCategoriesOnFailure frees the names with zfree.'
 *   a new category gets the next bit: 'acl.c: ACLAddCommandCategory, "the next available acl_categories flag bit".'
 *   a new category leaves the default ones: 'Docstring: "allocates space for new ACL categories".'
 *   a new category is found by its name: 'acl.c: ACLAddCommandCategory.'
 *   as many categories as there are bits can be added: 'acl.c: ACL_MAX_CATEGORIES; docstring: "allocates space for new ACL categories".'
 *   each of them has a bit of its own: 'acl.c: ACLAddCommandCategory, "the next available acl_categories flag bit".'
 *   with all bits given an unknown category is not found: 'acl.c: ACLGetCommandCategoryFlagByName goes on to an entry whose flag is 0.'
 *   one category more is refused: 'acl.c: ACLAddCommandCategory, "0 -> Failed (out of space)".'
 *   categories can be taken back: 'acl.c: ACLCleanupCategoriesOnFailure removes them "from the trailing end".'
 ---*/
#include "../acl.c"
#include "../testhelp.h"

/* How many default categories are found with their flags. */
static int defaults(void) {
    int found = 0;
    for (int j = 0; ACLDefaultCommandCategories[j].flag; j++)
        found += ACLGetCommandCategoryFlagByName(ACLDefaultCommandCategories[j].name) ==
                 ACLDefaultCommandCategories[j].flag;
    return found;
}

int main(void) {
    const int number = sizeof(ACLDefaultCommandCategories) / sizeof(ACLDefaultCommandCategories[0]) - 1;
    const size_t room = sizeof(struct ACLCategoryItem) * (ACL_MAX_CATEGORIES + 1);
    /* Memory that was used before. */
    void *dirty[4];
    for (int j = 0; j < 4; j++) memset(dirty[j] = zmalloc(room), 0xff, room);
    for (int j = 0; j < 4; j++) zfree(dirty[j]);

    ACLInitCommandCategories();
    test_cond("every default category is found with its flag", defaults() == number);
    test_cond("the first and the last default category are found",
              ACLGetCommandCategoryFlagByName("keyspace") == ACL_CATEGORY_KEYSPACE &&
              ACLGetCommandCategoryFlagByName("scripting") == ACL_CATEGORY_SCRIPTING);
    test_cond("the case of letters does not matter", ACLGetCommandCategoryFlagByName("GEO") == ACL_CATEGORY_GEO);
    test_cond("an unknown category is not found",
              ACLGetCommandCategoryFlagByName("nothing") == 0 && ACLGetCommandCategoryFlagByName("") == 0);
    int n = 0;
    while (ACLCommandCategories[n].flag) n++;
    test_cond("there are no other categories than the default ones", n == number);
    int enough = zmalloc_size(ACLCommandCategories) >= room;
    test_cond("there is room for all categories and the entry that ends them", enough);
    if (!enough) exit(1);
    int copies = 1;
    for (int j = 0; j < number; j++)
        copies &= ACLCommandCategories[j].name != ACLDefaultCommandCategories[j].name;
    test_cond("the names are copies", copies);

    int added = ACLAddCommandCategory("mine", 0);
    test_cond("a new category gets the next bit", ACLGetCommandCategoryFlagByName("mine") == 1ULL << number);
    test_cond("a new category is found by its name", added == 1 && ACLGetCommandCategoryFlagByName("mine") != 0);
    test_cond("a new category leaves the default ones", defaults() == number);
    int all = 1, more = 1;
    uint64_t bits = 0;
    for (int j = number + 1; j < ACL_MAX_CATEGORIES; j++, more++) {
        char name[32];
        snprintf(name, sizeof(name), "category%d", j);
        all &= ACLAddCommandCategory(name, 0);
        bits |= ACLGetCommandCategoryFlagByName(name);
    }
    test_cond("as many categories as there are bits can be added", all && defaults() == number);
    test_cond("each of them has a bit of its own", bits == ~0ULL << (number + 1));
    test_cond("with all bits given an unknown category is not found", ACLGetCommandCategoryFlagByName("nothing") == 0);
    test_cond("one category more is refused", ACLAddCommandCategory("more", 0) == 0);
    ACLCleanupCategoriesOnFailure(more);
    test_cond("categories can be taken back",
              ACLGetCommandCategoryFlagByName("mine") == 0 && defaults() == number && ACLAddCommandCategory("mine", 0));
    test_report();
    return 0;
}
