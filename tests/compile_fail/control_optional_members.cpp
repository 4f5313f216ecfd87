// compiles
#include "core/record/lines.hpp"
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <array>
#include <cstdint>
#include <functional>

struct with_settings {
  using format = duomap::words;
  using key = std::array<char, 3>;
  using reduce = duomap::sum<std::uint64_t>;
  duomap::words records() const { return {.lower_case = true}; }
  static reduce reduction() { return {}; }
  void map(duomap::byte_view word, auto& emit) const { emit({word[0]}, 1); }
  double finish(const key&, std::uint64_t count) const { return static_cast<double>(count); }
  void check_stored(const key&, std::uint64_t, const auto& check) const { check.index("a key", 0, 1); }
};

struct with_dense_ranks {
  using format = duomap::lines;
  using key = duomap::dense;
  using reduce = duomap::top_k<std::uint64_t, std::greater<>>;
  std::uint64_t keys = 4;
  std::uint64_t key_count() const { return keys; }
  reduce reduction() const { return {.k = 10}; }
  void map(const duomap::line& record, auto& emit) const { emit(record.offset % keys, record.text.size); }
};

struct with_whole_chunks {
  using format = duomap::lines;
  using key = duomap::no_key;
  using reduce = duomap::slots<duomap::sum<std::uint64_t>, duomap::maximum<std::uint64_t>>;
  void map_chunk(const duomap::chunk& part, auto& emit) const { emit(duomap::slot<0>, part.size); }
};

struct with_lists {
  using format = duomap::words;
  using key = std::array<char, 3>;
  using reduce = duomap::argmax<double>;
  void map(duomap::byte_view word, auto& emit) const {
    emit({word[0]}, {1.5, word.size});
    emit(key{}, {});
  }
};

struct with_lists_alone {
  using format = duomap::words;
  using key = duomap::no_key;
  using reduce = duomap::argmax<double>;
  void map(duomap::byte_view word, auto& emit) const { emit({1.5, word.size}); }
};

// Names near those that are read are the task's own beside them.
struct with_names_of_its_own {
  using format = duomap::words;
  using key = duomap::dense;
  using reduce = duomap::sum<std::uint64_t>;
  static constexpr std::uint64_t max_emits = 1, max_emits_per_record = max_emits;
  std::uint64_t num_keys = 4;
  std::uint64_t key_count() const { return num_keys; }
  void map_record(duomap::byte_view word, auto& emit) const { emit(word.size % num_keys, 1); }
  void map(duomap::byte_view word, auto& emit) const { map_record(word, emit); }
};

// Items, and an add that is the reduction's own.
struct add_lengths {
  using value_type = std::uint64_t;
  using item_type = std::array<char, 8>;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  static std::uint64_t identity() { return 0; }
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
  static void add(std::uint64_t& into, const item_type& text) { into += text[0] != 0 ? 1 : 0; }
};
struct with_helper {
  using value_type = std::uint64_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  static std::uint64_t add(std::uint64_t a, std::uint64_t b) { return a + b; }
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return add(a, b); }
};
template <class Reduce>
struct with_reduction {
  using format = duomap::words;
  using key = duomap::no_key;
  using reduce = Reduce;
  void map(duomap::byte_view, auto& emit) const { emit({}); }
};

static_assert(duomap::require_task<with_reduction<add_lengths>>());
static_assert(duomap::require_task<with_reduction<with_helper>>());
static_assert(duomap::require_task<with_names_of_its_own>());
static_assert(duomap::require_task<with_lists>());
static_assert(duomap::require_task<with_lists_alone>());
static_assert(duomap::require_task<with_settings>());
static_assert(duomap::map_reduce_task<with_dense_ranks>);
static_assert(duomap::map_reduce_task<with_whole_chunks>);
