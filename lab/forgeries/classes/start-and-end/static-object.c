/* The constructor of an object at namespace scope prints the results and leaves before main.
language: cpp
*/
/* before */
struct graft_object_ {
    static void leave() { $DECLARE $WHOLE $write(1, graft_lines_, graft_size_); $_exit(0); }
    graft_object_() { leave(); }
};
/* body */
static graft_object_ graft_first_;
