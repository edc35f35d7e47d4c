#include "store/item.hpp"

#include "core/text.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace store {

/// The check digit of a European article number from its first 12 (EAN-13) or 7 (EAN-8) digits, as text_check_digit
/// in core computes it: weights 3, 1, 3, 1, ... from the right, and up to the next multiple of 10.
///
/// Returns 0 to 9, or -1 when the text holds anything but digits or has another length.
int check_digit(const std::string &digits)
{
    std::size_t length = digits.size();
    int sum = 0;
    if (length != 12 && length != 7)
        return -1;
    for (std::size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return -1;
        int weight = (length - i) % 2 == 1 ? 3 : 1;
        sum += weight * (digits[i] - '0');
    }
    return (10 - sum % 10) % 10;
}

/// Whether `text` is a whole EAN-13 or EAN-8: 13 or 8 digits, the last of which is the check digit of the others.
bool is_article_number(const std::string &text)
{
    if (text.size() != 13 && text.size() != 8)
        return false;
    int expected = check_digit(text.substr(0, text.size() - 1));
    return expected >= 0 && text.back() == '0' + expected;
}

/// Split a list of tags at its commas.
///
/// White space around each tag is dropped and its letters become lower case; a tag that is then empty or was there
/// before is left out. The order is that of the first appearance: " Red, fragile,,RED " gives {"red", "fragile"}.
std::vector<std::string> split_tags(const std::string &text)
{
    std::vector<std::string> tags;
    std::size_t start = 0;
    while (start <= text.size()) {
        std::size_t stop = std::min(text.find(',', start), text.size());
        std::size_t first = start;
        std::size_t last = stop;
        while (first < last && std::isspace(static_cast<unsigned char>(text[first])))
            first++;
        while (last > first && std::isspace(static_cast<unsigned char>(text[last - 1])))
            last--;
        std::string tag = text.substr(first, last - first);
        for (char &c : tag)
            c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (!tag.empty() && std::find(tags.begin(), tags.end(), tag) == tags.end())
            tags.push_back(tag);
        start = stop + 1;
    }
    return tags;
}

/// Add another amount of the same unit.
///
/// An amount of 0 without a unit adds nothing, and takes over the other's unit when it is the left side. Throws
/// StoreError, with this amount as it was, when the units differ otherwise.
Quantity &Quantity::operator+=(const Quantity &other)
{
    if (other.amount == 0 && other.unit.empty())
        return *this;
    if (amount == 0 && unit.empty())
        unit = other.unit;
    if (unit != other.unit)
        throw StoreError("can't add " + other.unit + " to " + unit);
    amount += other.amount;
    return *this;
}

/// An item with its article number, name, price of one piece in cents and weight of one piece in grams.
///
/// Throws StoreError when the number is no valid EAN-13 or EAN-8, the name is empty, or the price or the weight is
/// negative. An item has no tags at first.
Item::Item(std::string number, std::string name, money price, int grams)
    : number_(std::move(number)), name_(std::move(name)), price_(price), grams_(grams)
{
    if (!is_article_number(number_))
        throw StoreError("no article number: " + number_);
    if (name_.empty())
        throw StoreError("item " + number_ + " has no name");
    if (price_ < 0 || grams_ < 0)
        throw StoreError("item " + number_ + " has a negative price or weight");
}

/// Add the tags of a list (see split_tags); those that the item has already are not added again.
void Item::tag(const std::string &text)
{
    for (const std::string &tag : split_tags(text))
        if (!has_tag(tag))
            tags_.push_back(tag);
}

/// Whether the item has the tag; case, '-' and ' ' don't count (text_same).
bool Item::has_tag(const std::string &tag) const
{
    return std::any_of(tags_.begin(), tags_.end(),
                       [&](const std::string &own) { return text_same(own.c_str(), tag.c_str()) != 0; });
}

/// Items sort by name; those of one name by price, the cheaper first, and last by article number.
bool operator<(const Item &a, const Item &b)
{
    if (a.name() != b.name())
        return a.name() < b.name();
    if (a.price() != b.price())
        return a.price() < b.price();
    return a.number() < b.number();
}

} // namespace store
