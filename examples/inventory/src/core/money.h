#ifndef INV_CORE_MONEY_H
#define INV_CORE_MONEY_H

#include "core/api.h"
#include "core/strbuf.h"

#include <stddef.h>
#include <stdint.h>

INV_BEGIN

/* An amount in cents; negative amounts are owed. */
typedef int64_t money;

INV_API money money_quotient(money amount, int64_t divisor);
INV_API money money_permille(money amount, int64_t permille);
INV_API void money_share(money amount, const int64_t *weights, money *shares, size_t count);
INV_API void money_print(struct strbuf *out, money amount);
INV_API INV_CHECKED int money_read(const char *text, money *amount);
INV_API money money_round_to(money amount, money step);

INV_END

#endif
