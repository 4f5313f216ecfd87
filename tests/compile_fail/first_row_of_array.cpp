// first error: a result is a number, a text .*or a struct of up to eight of them: give the task a finish..
#include "core/output/task_cells.hpp"

struct counts {
  int each[3];
  int all;
};

void refused() {
  duomap::for_each_cell(counts{}, [](const auto&) {});
}
