// expect: satisf(y|action of) [^ ]*holds_its_bytes
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>
#include <string_view>

struct refused {
  using format = duomap::words;
  using key = std::string_view;
  using reduce = duomap::sum<std::uint64_t>;
  void map(duomap::byte_view word, auto& emit) const { emit(word.text(), 1); }
};

static_assert(duomap::map_reduce_task<refused>);
