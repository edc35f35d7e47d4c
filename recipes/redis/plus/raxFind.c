/*---
 * tasks: [0662CB892CF59881]
 * tests:
 *   a stored key is found: 'Docstring: "return 1 if the item is found".'
 *   a stored key gives its value: 'Docstring: "the value associated with the item is set at that address".'
 *   a key that was never stored is not found: 'Docstring: "0 otherwise".'
 *   the beginning of a stored key is not found: 'Docstring: "Find a key"; a prefix was not stored.'
 *   a longer key than the stored one is not found: 'Docstring: "Find a key"; a continuation was not stored.'
 *   the point where two keys part is not found: 'Docstring: "Find a key"; only whole keys are items.'
 *   a key between a stored one and its continuation is not found:
 *     'Docstring: "Find a key"; only whole keys are items.'
 *   a missing key leaves the value alone: 'Docstring: "If there is an item and value is non-NULL" the value is set.'
 *   the value may be NULL: 'Docstring: "value is passed in a non-NULL pointer"; acl.c: ACLCreateUser passes NULL.'
 *   a NULL that was stored is found and given:
 *     'Docstring: 1 if the item is found, and its value; rax.h: raxNode.isnull.'
 *   the empty key is found only if it was stored: 'Docstring: "Find a key"; len is the key, also when it is 0.'
 *   a key may hold any bytes: 'Arguments s and len; rdb.c: rdbLoadObject looks up binary stream IDs.'
 *   the length and not a zero byte ends the key: 'Argument len; keys are binary: networking.c: lookupClientByID.'
 *   a removed key is not found:
 *     'Docstring: "0 otherwise"; networking.c: unlinkClient removes what lookupClientByID finds.'
 *   every one of many keys is found with its value:
 *     'Docstring: 1 and the value for each item, whatever the tree looks like.'
 *   an empty tree holds no key: 'Docstring: "0 otherwise".'
 *   the lookup leaves the tree as it is: 'Docstring: it finds; rax.h: raxSize is the number of items.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static void *untouched = (void*)0x7777;
static int found, other;
static void *value;

static int find(rax *r, const char *key) {
    value = untouched;
    return raxFind(r,(unsigned char*)key,strlen(key),&value);
}

int main(void) {
    rax *r = raxNew();
    found = find(r,"a");
    other = find(r,"");
    test_cond("an empty tree holds no key", found == 0 && other == 0);

    raxInsert(r,(unsigned char*)"annibale",8,(void*)1,NULL);
    found = find(r,"annibale");
    test_cond("a stored key is found", found == 1);
    test_cond("a stored key gives its value", value == (void*)1);
    found = 0;
    const char *parts[] = {"", "a", "ann", "annibal"};
    for (int j = 0; j < 4; j++) found += find(r,parts[j]) != 0;
    test_cond("the beginning of a stored key is not found", found == 0);
    found = find(r,"annibalex");
    other = find(r,"annibale annibale");
    test_cond("a longer key than the stored one is not found", found == 0 && other == 0);
    found = find(r,"bannibale");
    other = find(r,"annxbale");
    test_cond("a key that was never stored is not found", found == 0 && other == 0);

    raxInsert(r,(unsigned char*)"annientare",10,(void*)2,NULL);
    raxInsert(r,(unsigned char*)"anno",4,(void*)3,NULL);
    found = find(r,"anni") + find(r,"ann") + find(r,"annie") + find(r,"annib");
    test_cond("the point where two keys part is not found", found == 0);

    raxInsert(r,(unsigned char*)"annibale barca",14,(void*)6,NULL);
    found = find(r,"annibale b") + find(r,"annibale ") + find(r,"annibale barc");
    other = find(r,"annibale") && find(r,"annibale barca");
    test_cond("a key between a stored one and its continuation is not found", found == 0 && other);

    found = find(r,"annuario");
    test_cond("a missing key leaves the value alone", found == 0 && value == untouched && !find(r,"anni") &&
              value == untouched);
    found = raxFind(r,(unsigned char*)"anno",4,NULL);
    other = raxFind(r,(unsigned char*)"anni",4,NULL);
    test_cond("the value may be NULL", found == 1 && other == 0);

    raxInsert(r,(unsigned char*)"nil",3,NULL,NULL);
    found = find(r,"nil");
    test_cond("a NULL that was stored is found and given", found == 1 && value == NULL);

    other = find(r,"");
    raxInsert(r,(unsigned char*)"",0,(void*)4,NULL);
    found = find(r,"");
    test_cond("the empty key is found only if it was stored", other == 0 && found == 1 && value == (void*)4);

    unsigned char id[16] = {0,0,1,255,0,128,0,0,0,0,0,0,0,0,0,9};
    raxInsert(r,id,sizeof(id),(void*)5,NULL);
    value = untouched;
    found = raxFind(r,id,sizeof(id),&value);
    id[15] = 8;
    other = raxFind(r,id,sizeof(id),NULL);
    test_cond("a key may hold any bytes", found == 1 && value == (void*)5 && other == 0);
    found = raxFind(r,(unsigned char*)"anno domini",4,&value);
    other = raxFind(r,(unsigned char*)"anno\0",5,NULL);
    test_cond("the length and not a zero byte ends the key", found == 1 && value == (void*)3 && other == 0);

    raxRemove(r,(unsigned char*)"anno",4,NULL);
    found = find(r,"anno");
    other = find(r,"annientare");
    test_cond("a removed key is not found", found == 0 && other == 1);

    /* Numbers as text share prefixes of each length, so nodes of each kind arise. */
    rax *many = raxNew();
    char key[32];
    for (long j = 0; j < 3000; j += 3)
        raxInsert(many,(unsigned char*)key,snprintf(key,sizeof(key),"%lx",j*j),(void*)(j+1),NULL);
    int right = 1, wrong = 0;
    for (long j = 0; j < 3000; j += 3) {
        snprintf(key,sizeof(key),"%lx",j*j);
        if (find(many,key) != 1 || value != (void*)(j+1)) right = 0;
        strcat(key,"z");
        wrong += find(many,key) != 0;
    }
    test_cond("every one of many keys is found with its value", right && wrong == 0);
    test_cond("the lookup leaves the tree as it is", raxSize(many) == 1000 && raxSize(r) == 6);
    test_report();
    return 0;
}
