// src/store/item.cpp: store::is_article_number
/// Whether `text` is a whole EAN-13 or EAN-8: 13 or 8 digits, the last of which is the check digit of the others.
bool is_article_number(const std::string &text)
{
    if (text.size() != 13 && text.size() != 8)
        return false;
    int expected = check_digit(text.substr(0, text.size() - 1));
    return expected >= 0 && text.back() == '0' + expected;
}
