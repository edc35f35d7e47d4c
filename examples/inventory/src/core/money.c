#include "core/money.h"

#include "core/text.h"

/* Divide `amount` by `divisor` and round to the nearest cent, a half to the even neighbour ("banker's rounding").
 *
 * The divisor must be positive; the amount may be negative: 5 / 2 is 2, 7 / 2 is 4, -5 / 2 is -2, -7 / 2 is -4. */
INV_API money money_quotient(money amount, int64_t divisor)
{
    money quotient = amount / divisor;
    int64_t rest = amount % divisor;
    int64_t sign = rest < 0 ? -1 : 1;
    int64_t twice = rest * sign * 2;
    if (twice > divisor || (twice == divisor && quotient % 2 != 0))
        quotient += sign;
    return quotient;
}

/* `permille` thousandths of `amount` (190 is 19 %), rounded to the nearest cent, a half to the even one. */
INV_API money money_permille(money amount, int64_t permille)
{
    return money_quotient(amount * permille, 1000);
}

/* Round `amount` to the nearest multiple of `step` cents (a cash register without small coins has a step of 5).
 *
 * A half goes to the even multiple. A step of 1 or less returns the amount as it is. */
INV_API money money_round_to(money amount, money step)
{
    if (step <= 1)
        return amount;
    return money_quotient(amount, step) * step;
}

/* Share `amount` out over `count` parties by their weights, without losing or making a cent.
 *
 * Each gets amount * weight / (sum of weights), rounded towards zero; the cents that are left over go one each to
 * the first parties whose weight isn't 0, in order (taken away, when the amount is negative). Weights are not
 * negative. When all weights are 0 every share is 0. */
INV_API void money_share(money amount, const int64_t *weights, money *shares, size_t count)
{
    int64_t sum = 0;
    money left = amount;
    for (size_t i = 0; i < count; i++)
        sum += weights[i];
    for (size_t i = 0; i < count; i++) {
        shares[i] = sum > 0 ? amount * weights[i] / sum : 0;
        left -= shares[i];
    }
    int64_t cent = left < 0 ? -1 : 1;
    for (size_t i = 0; sum > 0 && left != 0; i = (i + 1) % count) {
        if (weights[i] > 0) {
            shares[i] += cent;
            left -= cent;
        }
    }
}

/* Add `amount` to `out` as units and cents: 1234 is "12.34", 5 is "0.05", -70 is "-0.70".
 *
 * From 10000.00 on the units are grouped in threes by commas: 1234567 is "12,345.67"; "9999.99" has none. */
INV_API void money_print(struct strbuf *out, money amount)
{
    uint64_t cents = amount < 0 ? 0 - (uint64_t)amount : (uint64_t)amount;
    uint64_t units = cents / 100;
    uint64_t group = 1;
    if (amount < 0)
        strbuf_put_run(out, '-', 1);
    if (units >= 10000)
        while (units / group >= 1000)
            group *= 1000;
    strbuf_put_digits(out, units / group, 1);
    while (group > 1) {
        group /= 1000;
        strbuf_put_run(out, ',', 1);
        strbuf_put_digits(out, units / group % 1000, 3);
    }
    strbuf_put_run(out, '.', 1);
    strbuf_put_digits(out, cents % 100, 2);
}

/* Read an amount such as "12.34", "-0.7", "15" or "3." from the whole of `text`.
 *
 * White space around it is allowed; a plus sign, commas and a third digit after the point are not. At least one
 * digit must stand before the point, and at most 15. On success stores the cents in *amount and returns 1; else
 * returns 0 and leaves *amount alone. */
INV_API INV_CHECKED int money_read(const char *text, money *amount)
{
    int64_t cents = 0;
    text = text_skip_space(text);
    int negative = *text == '-';
    text += negative;
    size_t digits = text_take_digits(&text, 15, &cents);
    if (digits == 0)
        return 0;
    if (*text == '.') {
        int64_t fraction = 0;
        text++;
        digits = text_take_digits(&text, 2, &fraction);
        cents = cents * 100 + (digits == 1 ? fraction * 10 : fraction);
    } else {
        cents *= 100;
    }
    if (*text_skip_space(text) != '\0')
        return 0;
    *amount = negative ? -cents : cents;
    return 1;
}
