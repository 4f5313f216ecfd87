// expect: f\.last_start\(b\)[^ ]* (is|would be) invalid
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>

struct endless {
  using record = duomap::byte_view;
  [[nodiscard]] std::uint64_t grain() const;
  [[nodiscard]] std::uint64_t first_start(duomap::byte_view source, std::uint64_t from,
                                          std::uint64_t limit) const;
};

struct refused {
  using format = endless;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  void map(duomap::byte_view record, auto& emit) const { emit(record, 1); }
};

static_assert(duomap::map_reduce_task<refused>);
