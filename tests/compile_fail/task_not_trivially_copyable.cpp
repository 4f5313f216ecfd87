// expect: satisf(y|action of) [^ ]*copyable_to_devices
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>
#include <string>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  std::string prefix;
  void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

static_assert(duomap::map_reduce_task<refused>);
