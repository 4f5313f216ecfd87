// compiles
// Names up to 0.1 mean what they meant.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include "core/engine_kind.hpp"
#include "core/record/rows.hpp"
#include "core/task.hpp"
#include "core/task_members.hpp"
#include "core/worker_pool.hpp"
#include "gpu/engines/dense/row_unit.hpp"

#include <concepts>
#include <cstdint>

struct old_promise {
  static constexpr std::uint64_t emits_within_record = 2;
};
static_assert(duomap::max_emits_of<old_promise> == 2);
static_assert(duomap::keys_are_within_record<old_promise>);

struct count_alone {
  static constexpr std::uint64_t max_emits_per_record = 3;
};
static_assert(duomap::max_emits_of<count_alone> == 3);
static_assert(!duomap::keys_are_within_record<count_alone>);

struct both_promises {
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr bool keys_within_record = true;
};
static_assert(duomap::max_emits_of<both_promises> == 1);
static_assert(duomap::keys_are_within_record<both_promises>);

struct no_promise {};
static_assert(duomap::max_emits_of<no_promise> == 0);
static_assert(!duomap::keys_are_within_record<no_promise>);

struct old_batch {
  using format = duomap::rows<float>;
  using key = duomap::no_key;
  using reduce = duomap::sum<std::uint64_t>;
  template <std::size_t Several>
  void map_several(const duomap::row<float> (&)[Several], auto& emit) const {
    emit(Several);
  }
};
static_assert(duomap::gpu::maps_batch<old_batch, 4>);
std::uint64_t batch_by_old_name() {
  const duomap::row<float> rows[4] = {};
  std::uint64_t sum = 0;
  const auto add = [&](std::uint64_t one) {
    sum += one;
  };
  duomap::gpu::map_batch_of(old_batch{}, rows, add);
  return sum;
}

static_assert(std::same_as<duomap::parallel, duomap::worker_pool>);
static_assert(duomap::engine_kind::whole_chunk == duomap::engine_kind::custom);
static_assert(duomap::engine_kind::reduction_object == duomap::engine_kind::hash);
