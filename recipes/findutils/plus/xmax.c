/*---
 * tasks: [xmax-d48a2e]
 * tests:
 *   the first is the larger: 'xsize.h: "Maximum of two sizes".'
 *   the second is the larger: 'xsize.h: "Maximum of two sizes".'
 *   of two equal sizes it is that size: 'xsize.h: "Maximum of two sizes".'
 *   zero is the smallest: 'xsize.h: "Maximum of two sizes"; a size_t has no sign.'
 *   sizes are not signed: 'xsize.h: the parameters are of type size_t.'
 *   sizes above 32 bits are compared whole: 'xsize.h: the parameters are of type size_t.'
 *   an overflow stays one: 'xsize.h: "with overflow check", "The convention is that SIZE_MAX represents overflow".'
 ---*/
#include "plus.h"
#define XSIZE_INLINE static inline
#include "xsize.h"

int main(void) {
    volatile size_t none = 0, few = 3, more = 4, large = SIZE_MAX / 2 + 1, over = SIZE_MAX;
    volatile size_t wide = ((size_t)1 << 33) + 1, low = 0xfffffff0u;
    plus_start();
    ok("the first is the larger", xmax(more, few) == 4);
    ok("the second is the larger", xmax(few, more) == 4);
    ok("of two equal sizes it is that size", xmax(few, few) == 3 && xmax(large, large) == large);
    ok("zero is the smallest", xmax(none, few) == 3 && xmax(few, none) == 3 && xmax(none, none) == 0);
    ok("sizes are not signed",
       xmax(large, few) == large && xmax(few, large) == large && xmax(large, large - 1) == large);
    ok("sizes above 32 bits are compared whole", xmax(wide, low) == wide && xmax(low, wide) == wide);
    ok("an overflow stays one", xmax(over, few) == SIZE_MAX && xmax(none, over) == SIZE_MAX &&
       xmax(over, over) == SIZE_MAX && xmax(over, over - 1) == SIZE_MAX && xmax(over - 1, over) == SIZE_MAX);
    return plus_end();
}
