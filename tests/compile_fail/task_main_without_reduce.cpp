// first error: the task has no reduction: expected 'using reduce
#include "apps/cli/task_main.hpp"
#include "duomap.hpp"

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

int main(int argc, char** argv) { return duomap::task_main<refused>(argc, argv); }
