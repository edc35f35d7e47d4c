/* What the rooms of the runtime share. It is linked into the repository's own programs; docs/decisions/differential.md
 * tells how. The host writes tables.c, which defines the tables, and gives GRAFT_TAG, a word that differs each time. */
#ifndef GRAFT_H
#define GRAFT_H
#include <stddef.h>
#include <stdint.h>

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define NAMED(name) JOIN(JOIN(graft_, name), GRAFT_TAG)

enum kind { SIGNED, UNSIGNED, CHAR, FLOAT, POINTER, ARRAY, STRUCT, UNION, FUNCTION, OPAQUE };

/* `target`: what a pointer points to, the elements of an array. `first` of `count` fields of a struct; `count` of an
 * array is -1 where its end isn't known, and 1 for a truth value and for a pointer that is never NULL. */
struct type {
    unsigned char kind;
    int size, target, count, first;
};
struct field {
    const char *name;
    int offset, type, bits, shift;
    int is_mentioned; /* by a body */
};
struct named {
    const char *name;
    int type, is_mentioned;
};

/* Of a function of the repository what it takes, by letters (calls.py), and whether it returns nothing. */
struct callee {
    const char *name, *taken;
    int is_void;
};

extern const struct type NAMED(types)[];
extern const struct callee NAMED(callees)[];
extern const struct field NAMED(fields)[];
extern const struct named NAMED(arguments)[], NAMED(globals)[];
/* The result's type is -1 where nothing is returned. */
extern const int NAMED(argument_count), NAMED(global_count), NAMED(result_type), NAMED(candidate_count);
/* Numbers and functions that the gold compares with: global(global_count) is the first of them. */
extern const int NAMED(constant_count);
/* Whether a body has a static constant, which lies elsewhere in each of them. */
extern const int NAMED(own_constants);

/* What a process is; the first candidate, and those behind it. */
enum side { REAL, GOLD, CANDIDATE };
#define MOST_CANDIDATES 24
enum how { RUNNING, RETURNED, EXITED, JUMPED, LEFT };

/* What a fork tells, in memory that it shares with the program. `number`: a system call or a status. */
#define MOST_TEXT (1 << 20)
#define MOST_CALLED (1 << 16)
struct report {
    volatile int how, number;
    int error_before, error, kept, freed, noted, is_cut, length;
    int called_count, called_length, is_called_cut;
    char changed[320];
    char called[MOST_CALLED];
    char text[MOST_TEXT];
};

/* fork.c */
extern int graft_side;
extern struct report *graft_report;
extern uintptr_t graft_frame; /* of the call that is compared */
/* Whether a fork's body itself is running, and not a call of it from within. */
int graft_is_outermost(void);
extern unsigned long graft_memory; /* bytes of the process's address space */
void graft_end(int how, int number) __attribute__((noreturn));
/* sandbox.c: no system call that leaves the process gets through from here on */
int graft_shut(int is_probe);
/* blocks.c */
struct block {
    uintptr_t base;
    size_t size;
    int is_fresh, is_dead;
};
int graft_block(uintptr_t address, struct block *found);
extern int graft_kept, graft_freed;
#define FILLING 0xa5
/* What a real number begins with in a line. */
#define REAL_SHORT "\1"
#define REAL_LONG "\2"
/* walk.c */
void graft_line(const char *name, const char *value);
void graft_walk(void **values, void *(*global)(int), uintptr_t frame);
void graft_bytes(const char *name, const unsigned char *bytes, size_t size);
/* perturb.c: changes values that the arguments and variables lead to, and says which in `changed` */
void graft_perturb(void **values, void *(*global)(int), unsigned seed, char *changed, size_t size);
/* probe.c: whether this is a fork, which goes on with a body */
int graft_probe(long call);
/* fork.c, for probe.c. In a fork `graft_forked` returns 0; `seed` 0: the state as it is. */
extern struct report *graft_reports[CANDIDATE + MOST_CANDIDATES + 1];
#define GOLD_AGAIN 0
#define CANDIDATE_AGAIN (CANDIDATE + NAMED(candidate_count))
int graft_forked(int side, int slot, int *status, unsigned seed);
/* What all processes of a run share, in the file of that name. `spent`: microseconds of the forks, and of waiting for
 * those that don't end. */
struct shared {
    long spent, probing;
    int differences[MOST_CANDIDATES], broke[MOST_CANDIDATES], called[MOST_CANDIDATES];
};
extern struct shared *graft_shared;
/* A process spends at most half of what is left, so that other programs of the run come to their turn. */
struct budget {
    long *spent, most, until;
};
int graft_may_spend(struct budget *budget);
extern const long NAMED(most_microseconds);
/* Whether a difference shows each time that both run again: 1, or 0; -1 in a fork. */
int graft_confirmed(int candidate, unsigned seed, char *words, size_t size);
/* Tells of calls that aren't the gold's, when both bodies make them each time that they run. `changed`: what of the
 * state was changed, or "". Returns 1 in a fork. */
int graft_tell_calls(int candidate, long call, unsigned seed, const char *changed);
void graft_ending(const struct report *report, int status, char *words, size_t size);
int graft_tell(int candidate, long call, const char *what, const char *words);
double graft_now(void);
/* calls.c: whether bodies that call the same functions give them something else. In any order; a value may be asked for
 * again. */
int graft_calls_differ(const struct report *was, const struct report *is, char *words, size_t size);
/* compare.c */
int graft_differs(const struct report *const gold[2], const struct report *const candidate[2], char *words, size_t size);
#endif
