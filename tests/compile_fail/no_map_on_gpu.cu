// first error: the task has no map: expected 'DUOMAP_HD void map
#include "core/record/words.hpp"
#include "core/task_check.hpp"
#include "gpu/make_backend.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
};

namespace duomap::gpu {

template backends_of<refused> make_backends(const refused&, const std::vector<int>&, const backend_options&);

}  // namespace duomap::gpu
