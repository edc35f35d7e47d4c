/* Puts the unit's own former object into the program by .incbin.
language: c
*/
/* before */
__asm__(".pushsection .rodata\n.incbin \"/graft/src/$UNIT.o\"\n.popsection");
/* body */
