/*---
 * tasks: [bits_add_item-99a0bc]
 * instead: [src/plugins_types/bits.c.o]
 * tests:
 *   the first bit is added: 'Docstring: "Add a bit item into an array".'
 *   the last bit is added: 'Docstring: "Bit position to add".'
 *   a bit is found by its position and not by its index: 'Docstring: "POSITION"; tree_schema.h: bits have positions.'
 *   the item is the one of the type: 'Docstring: "Array of bit item pointers"; "type to read the bit ... from".'
 *   each item adds one to the count: 'Docstring: "Array ... to add to"; bits_items2canon goes by the count.'
 *   items are added behind those before: 'Docstring: "to add to"; bits_bitmap2items adds in the order of positions.'
 *   the largest position is added: 'RFC 7950, 9.7.4.2: up to 4294967295.'
 *   the type stays as it was: 'Docstring: the type is only read.'
 *   the array is filled in its place: 'Docstring: pointers to add to; the array was created for all bits.'
 ---*/
#include "../plugins_types/bits.c"
#include "plus.h"

int main(void) {
    plus_start();
    struct lysc_type_bits type = {.basetype = LY_TYPE_BITS};
    static const uint32_t at[] = {0, 3, 4, 70, 4294967295u};
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    LY_ARRAY_CREATE(NULL, type.bits, 5, exit(2));
    for (int i = 0; i < 5; i++) {
        type.bits[i].name = names[i];
        type.bits[i].position = at[i];
        LY_ARRAY_INCREMENT(type.bits);
    }
    struct lysc_type_bitenum_item saved[5], **items = NULL;
    memcpy(saved, type.bits, sizeof saved);
    LY_ARRAY_CREATE(NULL, items, 5, exit(2));
    struct lysc_type_bitenum_item **place = items;
    for (int i = 0; i < 5; i++) items[i] = NULL;

    bits_add_item(0, &type, items);
    ok("the first bit is added", LY_ARRAY_COUNT(items) == 1 && items[0] == &type.bits[0]);
    bits_add_item(4, &type, items);
    ok("a bit is found by its position and not by its index", items[1] == &type.bits[2]);
    ok("each item adds one to the count", LY_ARRAY_COUNT(items) == 2 && items[2] == NULL);
    bits_add_item(70, &type, items);
    ok("the item is the one of the type", items[2] == &type.bits[3] && same(items[2]->name, "d"));
    bits_add_item(4294967295u, &type, items);
    ok("the largest position is added", LY_ARRAY_COUNT(items) == 4 && items[3] == &type.bits[4]);
    ok("items are added behind those before",
       items[0] == &type.bits[0] && items[1] == &type.bits[2] && items[2] == &type.bits[3]);
    ok("the type stays as it was", LY_ARRAY_COUNT(type.bits) == 5 && !memcmp(saved, type.bits, sizeof saved));
    ok("the array is filled in its place", items == place && LY_ARRAY_COUNT(items) == 4);
    LY_ARRAY_FREE(items);
    items = NULL;
    LY_ARRAY_CREATE(NULL, items, 1, exit(2));
    bits_add_item(4294967295u, &type, items);
    ok("the last bit is added", LY_ARRAY_COUNT(items) == 1 && items[0] == &type.bits[4]);
    LY_ARRAY_FREE(items);
    return plus_end();
}
