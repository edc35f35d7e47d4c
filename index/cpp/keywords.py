"""Words of C and C++ that have a meaning of their own in a declaration."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNDAMENTAL_TYPES = word_set("void bool _Bool char short int long float double unsigned signed")
"""The types that the languages have built in."""

STANDARD_TYPES = word_set(
    "size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t intptr_t ptrdiff_t "
    "wchar_t char16_t char32_t"
)
"""Number types that the standard headers define."""

PRIMITIVE_TYPES = FUNDAMENTAL_TYPES | STANDARD_TYPES
"""Types that no repository defines and that have no members."""

STANDARD_CLASSES = word_set(
    "string wstring u16string u32string string_view basic_string vector deque list forward_list array set multiset "
    "map multimap unordered_set unordered_map pair tuple optional variant function bitset queue stack "
    "initializer_list ostream istream iostream stringstream ostringstream istringstream fstream ifstream ofstream"
)
"""Classes of the standard library that no repository defines, whose methods have everybody's names."""

TYPE_TAGS = word_set("struct union enum class typename")
"""Words that stand before a type's name."""

SPECIFIERS = word_set(
    "const volatile static inline extern virtual constexpr explicit friend register unsigned signed template restrict"
)
"""Words of a declaration that name no type by themselves."""
