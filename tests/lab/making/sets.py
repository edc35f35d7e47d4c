"""A small source tree whose functions belong together in different ways, and its build."""

from executor.repository.build.graph import BuildGraph, BuildStep

SOURCE = {
    "sum.c": """/* Mix a byte into a running value. */
int mix(int a, int b)
{
    return a * 31 + b;
}

/* Fold the upper half of a value into its lower half. */
static int fold(int value)
{
    return (value >> 16) ^ (value & 0xffff);
}

/* The check sum of a text, sixteen bits wide. */
int checksum(const char *text)
{
    int sum = 7;
    while (*text)
        sum = mix(sum, *text++);
    return fold(sum);
}

int twice_mixed(int a)
{
    return mix(mix(a, 1), 2);
}
""",
    "word.c": """/* Write a word as text, low byte first. */
void encode_word(unsigned word, char *out)
{
    for (int i = 0; i < 4; i++)
        out[i] = (char)(word >> (8 * i));
}

/* Read a word back from its text form again. */
unsigned decode_word(const char *text)
{
    unsigned word = 0;
    for (int i = 3; i >= 0; i--)
        word = word << 8 | (unsigned char)text[i];
    return word;
}
""",
    "ring.cpp": """class Ring {
public:
    int used() const;
    int first_free() const;
private:
    int begin_, end_, size_;
};

/// How many places of the ring hold something now.
int Ring::used() const
{
    return end_ >= begin_ ? end_ - begin_ : size_ - begin_ + end_;
}

/// The place that is filled next, or minus one.
int Ring::first_free() const
{
    if (begin_ == (end_ + 1) % size_)
        return -1;
    return end_;
}
""",
}


def compile_all(*paths: str) -> BuildGraph:
    """The graph of a build that compiles these files together."""
    return BuildGraph((BuildStep("compile", (), ".", ("a.o",), paths, (), paths),))
