// src/core/text.c: text_skip_space
/* The first character of `text` that is no white space; it may be the closing '\0'. */
INV_API const char *text_skip_space(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}
