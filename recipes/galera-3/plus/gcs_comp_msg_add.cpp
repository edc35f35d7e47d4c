/*---
 * tasks: [gcs_comp_msg_add-3c50b5]
 * tests:
 *   it returns the index of the member: 'gcs_comp_msg.hpp: "Returns an index of the member".'
 *   the id is found there: 'gcs_comp_msg.hpp: "Adds a member"; gcs_comp_msg_member, "member ID by index".'
 *   the segment is found there: 'gcs_comp_msg.hpp: segment; signature.'
 *   members are added one after the other: 'gcs_comp_test.cpp: "returned %ld, expected %ld".'
 *   members are found by their ids: 'gcs_comp_msg.hpp: gcs_comp_msg_idx, "member index by ID".'
 *   an id of the full length is taken: 'gcs_comp_msg.hpp: GCS_COMP_MEMB_ID_MAX_LEN, "without trailing" null.'
 *   it ends with a null: 'gcs_comp_msg.hpp: the array is one longer; readers use strcmp.'
 *   its neighbours stay: 'gcs_comp_msg.hpp: memb, "member array".'
 *   an id that is one longer is an error: 'gcs_comp_msg.hpp: -ENAMETOOLONG; GCS_COMP_MEMB_ID_MAX_LEN.'
 *   an id that is much longer is an error: 'gcs_comp_msg.hpp: -ENAMETOOLONG; gcs_comp_test.cpp.'
 *   an empty id is an error: 'gcs_comp_test.cpp: "try to add empty id", -EINVAL.'
 *   an id that is there is an error: 'gcs_comp_msg.hpp: "-ENOTUNIQ when name collides".'
 *   it is an error for the first and the last member: 'gcs_comp_msg.hpp: "with one that is in membership already".'
 *   another segment makes it no other member: 'gcs_comp_msg.hpp: "when name collides".'
 *   ids that differ in one letter are different: 'gcs_comp_msg.hpp: "when name collides".'
 *   an id that begins like another is different: 'gcs_comp_msg.hpp: "when name collides".'
 *   a full membership is an error: 'gcs_comp_msg.hpp: "-1 when membership is full".'
 *   a membership of none is full: 'gcs_comp_msg.hpp: "-1 when membership is full".'
 *   an error changes nothing: 'gcs_comp_msg.hpp: error codes alone.'
 *   after an error others can be added: 'gcs_comp_test.cpp: "add final id".'
 *   number, own index and state stay: 'gcs_comp_msg.hpp: memb_num is given to gcs_comp_msg_new.'
 *   segments of any value are kept: 'gcs_comp_msg.hpp: gcs_segment_t.'
 *   the id is copied: 'Signature: const; gcs_comp_msg.hpp: char id[].'
 *   a copy of the message holds them: 'gcs_comp_msg.hpp: gcs_comp_msg_copy, "Creates a copy".'
 *   nothing behind the message is written: 'gcs_comp_msg.hpp: gcs_comp_msg_size.'
 ---*/
#include <errno.h>
#include <stdlib.h>
#include <galerautils.h>
#define GCS_COMP_MSG_ACCESS
#include "gcs_comp_msg.hpp"
#include "ok.h"

static bool member(const gcs_comp_msg_t *m, int idx, const char *id, int segment)
{
    const gcs_comp_memb_t *at = gcs_comp_msg_member(m, idx);
    return at && !strcmp(at->id, id) && at->segment == segment;
}

int main()
{
    limit();
    const char full[] = "01234567-89ab-cdef-0123-456789abcdef", longer[] = "01234567-89ab-cdef-0123-456789abcdefg";
    gcs_comp_msg_t *m = gcs_comp_msg_new(true, false, 2, 5, 17);
    const int first = gcs_comp_msg_add(m, "one", 3);
    ok("it returns the index of the member", first == 0);
    ok("the id is found there", gcs_comp_msg_member(m, 0) && !strcmp(gcs_comp_msg_member(m, 0)->id, "one"));
    ok("the segment is found there", gcs_comp_msg_member(m, 0)->segment == 3);
    const int second = gcs_comp_msg_add(m, "two", 0), third = gcs_comp_msg_add(m, full, 255);
    ok("members are added one after the other", second == 1 && third == 2 && member(m, 1, "two", 0) &&
       member(m, 0, "one", 3));
    ok("members are found by their ids", gcs_comp_msg_idx(m, "one") == 0 && gcs_comp_msg_idx(m, "two") == 1 &&
       gcs_comp_msg_idx(m, full) == 2 && gcs_comp_msg_idx(m, "three") == -1);
    ok("an id of the full length is taken", third == 2 && member(m, 2, full, 255));
    ok("it ends with a null", m->memb[2].id[GCS_COMP_MEMB_ID_MAX_LEN] == 0 && strlen(m->memb[2].id) == 36);
    ok("its neighbours stay", member(m, 1, "two", 0) && m->memb[3].id[0] == 0 && m->memb[3].segment == 0);

    const size_t size = gcs_comp_msg_size(m);
    gcs_comp_msg_t *before = gcs_comp_msg_copy(m);
    ok("an id that is one longer is an error", gcs_comp_msg_add(m, longer, 1) == -ENAMETOOLONG);
    char much[4000];
    memset(much, 'x', sizeof much);
    much[sizeof much - 1] = 0;
    ok("an id that is much longer is an error", gcs_comp_msg_add(m, much, 1) == -ENAMETOOLONG);
    ok("an empty id is an error", gcs_comp_msg_add(m, "", 1) == -EINVAL);
    ok("an id that is there is an error", gcs_comp_msg_add(m, "two", 0) == -ENOTUNIQ);
    ok("it is an error for the first and the last member", gcs_comp_msg_add(m, "one", 3) == -ENOTUNIQ &&
       gcs_comp_msg_add(m, full, 255) == -ENOTUNIQ);
    ok("another segment makes it no other member", gcs_comp_msg_add(m, "one", 9) == -ENOTUNIQ &&
       gcs_comp_msg_add(m, "two", 200) == -ENOTUNIQ);
    ok("an error changes nothing", !memcmp(m, before, size));
    const int fourth = gcs_comp_msg_add(m, "twa", 7);
    ok("after an error others can be added", fourth == 3 && member(m, 3, "twa", 7));
    ok("ids that differ in one letter are different", fourth == 3);
    const int fifth = gcs_comp_msg_add(m, "tw", 1);
    ok("an id that begins like another is different", fifth == 4 && member(m, 4, "tw", 1));
    gcs_comp_msg_t *whole = gcs_comp_msg_copy(m);
    const bool is_full = gcs_comp_msg_add(m, "six", 1) == -1 && gcs_comp_msg_add(m, "seven", 1) == -1;
    gcs_comp_msg_t *lone = gcs_comp_msg_new(false, false, 0, 1, 0);
    ok("a full membership is an error", is_full && !memcmp(m, whole, size) && gcs_comp_msg_add(lone, "a", 1) == 0 &&
       gcs_comp_msg_add(lone, "b", 1) == -1 && member(lone, 0, "a", 1) && gcs_comp_msg_add(m, "two", 0) < 0);
    gcs_comp_msg_t *leave = gcs_comp_msg_leave(0);
    ok("a membership of none is full", gcs_comp_msg_add(leave, "a", 0) == -1 && gcs_comp_msg_num(leave) == 0);
    ok("number, own index and state stay", gcs_comp_msg_num(m) == 5 && gcs_comp_msg_self(m) == 2 &&
       gcs_comp_msg_primary(m) && !gcs_comp_msg_bootstrap(m) && gcs_comp_msg_error(m) == 17);
    gcs_comp_msg_t *all = gcs_comp_msg_new(false, true, 0, 256, 0);
    bool segments = true;
    for (int i = 0; i < 256; i++) {
        char id[20];
        snprintf(id, sizeof id, "node-%d", i);
        segments = gcs_comp_msg_add(all, id, i) == i && segments;
    }
    for (int i = 0; i < 256; i++) {
        char id[20];
        snprintf(id, sizeof id, "node-%d", i);
        segments = segments && member(all, i, id, i);
    }
    ok("segments of any value are kept", segments);
    char mine[] = "mine";
    gcs_comp_msg_t *own = gcs_comp_msg_new(true, true, 0, 2, 0);
    gcs_comp_msg_add(own, mine, 4);
    const bool same = !strcmp(mine, "mine");
    strcpy(mine, "____");
    ok("the id is copied", same && member(own, 0, "mine", 4));
    gcs_comp_msg_t *copy = gcs_comp_msg_copy(m);
    ok("a copy of the message holds them", member(copy, 0, "one", 3) && member(copy, 4, "tw", 1) &&
       member(copy, 2, full, 255) && gcs_comp_msg_idx(copy, "twa") == 3);
    gcs_comp_msg_t *tight = gcs_comp_msg_new(true, false, 0, 2, 0);
    const size_t tight_size = gcs_comp_msg_size(tight);
    char *room = static_cast<char *>(malloc(tight_size + 64));
    memcpy(room, tight, tight_size);
    memset(room + tight_size, 0x77, 64);
    gcs_comp_msg_t *in = reinterpret_cast<gcs_comp_msg_t *>(room);
    gcs_comp_msg_add(in, full, 1);
    gcs_comp_msg_add(in, "11111111-2222-3333-4444-555555555555", 2);
    bool behind = member(in, 1, "11111111-2222-3333-4444-555555555555", 2) && member(in, 0, full, 1);
    for (int i = 0; i < 64; i++) behind = behind && room[tight_size + i] == 0x77;
    ok("nothing behind the message is written", behind);
    return plan();
}
