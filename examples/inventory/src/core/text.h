#ifndef INV_CORE_TEXT_H
#define INV_CORE_TEXT_H

#include "core/api.h"

#include <stddef.h>
#include <stdint.h>

INV_BEGIN

INV_API const char *text_skip_space(const char *text);
INV_API size_t text_take_digits(const char **text, size_t most, int64_t *value);
INV_API char *text_trim(char *text);
INV_API int text_same(const char *a, const char *b);
INV_API int text_fits(const char *pattern, const char *text);
INV_API int text_check_digit(const char *digits);

INV_END

#endif
