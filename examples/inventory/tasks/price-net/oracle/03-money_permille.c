// src/core/money.c: money_permille
/* `permille` thousandths of `amount` (190 is 19 %), rounded to the nearest cent, a half to the even one. */
INV_API money money_permille(money amount, int64_t permille)
{
    return money_quotient(amount * permille, 1000);
}
