#include "apps/numeric/blas.hpp"

#include <cblas.h>

#include <mutex>

namespace duomap {

void keep_blas_on_calling_thread() {
  static std::once_flag done;
  std::call_once(done, [] { openblas_set_num_threads(1); });
}

}  // namespace duomap
