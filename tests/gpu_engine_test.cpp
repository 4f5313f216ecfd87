// Names of the engines, and which of them can run a task.
#include "gpu/engine.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <functional>
#include <string>

using duomap::gpu::engine_kind;
using duomap::test::contains;
namespace gpu = duomap::gpu;

namespace {

/// Records are single bytes.
struct single_bytes {
  using record = char;
  [[nodiscard]] std::uint64_t grain() const { return 1; }
  [[nodiscard]] std::uint64_t first_start(duomap::byte_view, std::uint64_t from, std::uint64_t) const { return from; }
  [[nodiscard]] std::uint64_t last_start(duomap::byte_view bytes) const { return bytes.size; }
};

template <class Key, class Reduce>
struct tiny_task {
  using format = single_bytes;
  using key = Key;
  using reduce = Reduce;
  [[nodiscard]] std::uint64_t key_count() const { return 256; }
  void map(char, auto&) const {}
};
