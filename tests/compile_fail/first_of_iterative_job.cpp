// first error: the task has no map: expected 'DUOMAP_HD void map
#include "duomap.hpp"
#include "scheduler/iterative/iterative_job.hpp"

struct refused {
  using format = duomap::rows<float>;
  using key = duomap::no_key;
  using reduce = duomap::sum<float>;
};

void step(const duomap::input& points) {
  duomap::iterative_job job(refused{}, points);
  static_cast<void>(job.step(refused{}));
}
