#define LIMIT 10
#define SQUARE(x) ((x) * (x))
#ifdef LIMIT
typedef unsigned char byte;
#else
typedef char byte;
#endif

struct point {
  int x, y : 4;
  struct point *next;
  union {
    float f;
    double d;
  } value[2];
} origin = {.x = 1, .y = 2}, *first = &origin;

enum color { RED, GREEN = 3, BLUE };
extern int (*handlers[LIMIT])(const char *, ...);
static inline byte low(long number) { return (byte)(number & 0xff); }
volatile const int *const table[][3] = {{0, 0, 0}, {0}};
int old_style(a, b) int a; char b; { return a + b; }
_Static_assert(sizeof(int) == 4, "int");
__attribute__((noinline)) void assembly(int in) {
  struct point p = {1}, *q = &p;
  __asm__ volatile("nop" : "=r"(in) : "r"(p.x) : "memory");
  q->next->value[0].f = 1.5f * p.value[1].d + SQUARE(in++);
  *(int *)q = ~in | (p.x ^ q->y) % 3;
  p = (struct point){.next = q};
}
