//# expect: safe
//# flags: --property array-bounds expect: safe
//# flags: --property array-bounds --int-encoding bits expect: safe
// Copies of whole members, of parts of them, and of rows. The last member behind a pointer may be longer.
#include <stdlib.h>
#include <string.h>

struct header { char name[8]; short rows[2][3]; int flag; };
struct packet { int length; char text[1]; };

int main(void) {
  struct header h = { "AAAAAAA", { { 1, 2, 3 }, { 4, 5, 6 } }, 1 }, k, *p = &k;
  memcpy(k.name, h.name, 8);
  memcpy(p->name + 4, &h.name[2], 4);
  memcpy(k.rows, h.rows, sizeof k.rows);
  memcpy(&k.rows[0][0], h.rows[0], sizeof k.rows);
  memset(p->rows[1], 0, sizeof p->rows[1]);
  memcpy(&k.flag, &h.flag, sizeof k.flag);
  struct packet *q = malloc(sizeof *q + 3);
  if (q)
    memset(q->text, 'x', 4);
  free(q);
  return 0;
}
