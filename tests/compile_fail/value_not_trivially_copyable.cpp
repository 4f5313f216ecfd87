// expect: satisf(y|action of) [^ ]*has_trivially_copyable_value
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>
#include <string>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::string>;
  void map(duomap::byte_view word, auto& emit) const { emit(word, std::string("1")); }
};

static_assert(duomap::map_reduce_task<refused>);
