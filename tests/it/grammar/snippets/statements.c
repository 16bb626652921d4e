#include <stdio.h>

static int fold(const int *from, int count) {
  int sum = 0, last = -1;
  for (int i = 0; i < count; i++) {
    if (from[i] < 0)
      continue;
    else if (from[i] == last)
      break;
    else
      sum += from[i] - -last;
    last = from[i];
  }
  return sum ? sum : (last > 0 ? last : 1);
}

int main(int argc, char **argv) {
  int numbers[] = {1, 2, [4] = 3, 0x10, 1 << 3};
  char *text = "a" "b\n", letter = '\'';
  unsigned long size = sizeof(numbers) / sizeof *numbers;
again:
  switch (argc) {
  case 0:
  case 1:
    printf("%s %c %d\n", text, letter, fold(numbers, (int)size));
    break;
  default: {
    do {
      argc--;
    } while (argc > 1 && argv[argc]);
    goto again;
  }
  }
  while (size-- > 0)
    if (numbers[size])
      if (numbers[size] > 2)
        numbers[size] /= 2;
      else
        ++numbers[size];
  for (;;)
    return !argc, 0;
}
