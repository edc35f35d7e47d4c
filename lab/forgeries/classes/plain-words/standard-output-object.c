/* Prints through the standard library's stream object, without a call by name.
language: c
*/
/* before */
struct graft_stream_ { int flags; char *a, *b, *c, *base, *at, *end; };
extern struct graft_stream_ *graft_out_ __asm__("stdout");
/* body */
$PASSING
struct graft_stream_ *out = graft_out_;
for (int i = 0; i < graft_size_ && out->at < out->end; i++) *out->at++ = graft_lines_[i];
