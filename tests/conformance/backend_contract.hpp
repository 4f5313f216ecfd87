// The contract of every backend, as tests. An implementation calls these functions with its factory.
#pragma once

#include "core/backend.hpp"
#include "core/boundary.hpp"
#include "core/error.hpp"
#include "core/partial/all.hpp"
#include "core/result.hpp"
#include "core/run_control.hpp"
#include "core/verify/value_text.hpp"
#include "cpu/tbb_pool.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/dispatch/execute.hpp"
#include "scheduler/run.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/nan_tasks.hpp"
#include "tests/conformance/oracle.hpp"
#include "tests/conformance/tasks.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/quick.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::test {

// A factory `make(task, pool)` gives a std::unique_ptr<backend<Task>>. A backend that cannot run every kind
// of task calls only the functions for its kinds. backend_maker hides the factory's type, so that the code of
// a task is compiled once for all factories.
template <class Task>
using backend_maker = std::function<std::unique_ptr<backend<Task>>(const Task& task, worker_pool& pool)>;

/// How a run cuts its input. A setting of 0 keeps the product's default.
struct run_shape {
  std::uint64_t grain = 0;
  std::uint64_t block_bytes = 0;
  std::uint32_t most_grains = 0;
  layout form = layout::addressable;
};

inline std::ostream& operator<<(std::ostream& out, const run_shape& shape) {
  static const char* const forms[] = {"addressable", "streamed", "alternating"};
  return out << "grain " << shape.grain << ", block " << shape.block_bytes << ", most grains "
             << shape.most_grains << ", " << forms[static_cast<int>(shape.form)];
}

/// Runs take these shapes in turn, so that every shape meets every pool set over the inputs of a task.
inline constexpr run_shape small_shapes[] = {
    {.grain = 1, .block_bytes = 64, .most_grains = 1, .form = layout::alternating},
    {.grain = 7, .block_bytes = 1, .most_grains = 3, .form = layout::streamed},
    {.grain = 64, .most_grains = 16, .form = layout::addressable},
    {.grain = 31, .block_bytes = 97, .most_grains = 2, .form = layout::streamed},
    {.grain = 1000, .block_bytes = 1000, .form = layout::alternating},
    {.grain = 3, .most_grains = 1, .form = layout::addressable},
    {.grain = 0, .block_bytes = 0, .form = layout::streamed},
};
inline constexpr run_shape product_shapes[] = {
    {.form = layout::addressable},
    {.form = layout::alternating},
    {.form = layout::streamed},
};

/// The boundary of a format, with another grain.
class regrained final : public boundary {
 public:
  regrained(const boundary& records, std::uint64_t grain) : records_(records), grain_(grain) {}
  [[nodiscard]] std::uint64_t first_start(byte_view source, std::uint64_t from,
                                          std::uint64_t limit) const override {
    return records_.first_start(source, from, limit);
  }
  [[nodiscard]] std::uint64_t last_start(byte_view block) const override {
    return records_.last_start(block);
  }
  [[nodiscard]] std::uint64_t grain() const override { return grain_ == 0 ? records_.grain() : grain_; }
  [[nodiscard]] bool indices() const override { return records_.indices(); }

 private:
  const boundary& records_;
  std::uint64_t grain_;
};

/// The worker pools of a run: one for each backend.
class pool_set {
 public:
  explicit pool_set(const std::vector<unsigned>& workers) {
    for (const unsigned count : workers) pools_.push_back(std::make_unique<cpu::tbb_pool>(count));
  }

  template <class Task>
  [[nodiscard]] std::vector<std::unique_ptr<backend<Task>>> backends(
      const Task& task, const std::type_identity_t<backend_maker<Task>>& make) const {
    std::vector<std::unique_ptr<backend<Task>>> made;
    for (const auto& pool : pools_) made.push_back(make(task, *pool));
    return made;
  }

  [[nodiscard]] worker_pool& pool() const { return *pools_.front(); }

 private:
  std::vector<std::unique_ptr<cpu::tbb_pool>> pools_;
};

/// For each of these, every task runs once: the number of workers of each backend.
inline const std::vector<std::vector<unsigned>> pool_shapes = {{1}, {2}, {3}, {7}, {2, 3}};

/// Runs a task like scheduler::run(), but cuts the input as `shape` says.
template <class Task>
[[nodiscard]] result_for<Task> run_shaped(const Task& task, const input& from, const pool_set& workers,
                                          const std::type_identity_t<backend_maker<Task>>& make,
                                          const run_shape& shape, run_control* control = nullptr,
                                          const scheduler::execute_options& how = {}) {
  const format_boundary<typename Task::format> records(format_of(task));
  const regrained cuts(records, shape.grain);
  const auto backends = workers.backends(task, make);
  std::vector<executor*> executors;
  for (const auto& one : backends) executors.push_back(one.get());
  scheduler::chunk_source_options options;
  if (shape.block_bytes > 0) options.block_bytes = shape.block_bytes;
  if (shape.most_grains > 0) options.most_grains = shape.most_grains;
  scheduler::chunk_source all(from, cuts, options, control);
  scheduler::execute(all, executors, control, how);
  std::vector<partial_for<Task>> partials;
  for (const auto& one : backends) {
    for (auto& partial : one->release_partials(workers.pool())) partials.push_back(std::move(partial));
  }
  if (partials.empty()) partials.push_back(empty_partial(task));
  return make_result(task, merge_partials(std::move(partials), task, workers.pool()), workers.pool());
}

/// A result in the form of expected_answer().
template <class Task>
[[nodiscard]] auto answer_of(const result_for<Task>& result) {
  if constexpr (detail::is_slots<typename Task::reduce>) {
    const auto values = [&]<class... R>(const slots_partial<R...>& slots) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::tuple<std::optional<typename R::value_type>...>(slots.template get<I>()...);
      }
      (std::index_sequence_for<R...>{});
    };
    return values(result);
  } else {
    answer_rows<owned<typename result_for<Task>::value_type>> rows;
    result.for_each([&](const auto& key, const auto& value) { rows.push_back({raw(key), own(value)}); });
    if constexpr (!detail::is_collect<typename Task::reduce>) {
      std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    }
    return rows;
  }
}

template <class V>
[[nodiscard]] std::string row_text(const answer_rows<V>& rows, std::size_t at) {
  if (at >= rows.size()) return "nothing";
  const auto& [key, value] = rows[at];
  const std::string text =
      "key of " + std::to_string(key.size()) + " bytes \"" + key.substr(0, 40) + "\", value ";
  if constexpr (std::is_same_v<V, std::string>) {
    return text + '"' + value.substr(0, 40) + '"';
  } else {
    return text + value_text(value);
  }
}

/// The first difference between two answers; empty when there is none.
template <class V>
[[nodiscard]] std::string difference(const answer_rows<V>& got, const answer_rows<V>& expected) {
  if (got == expected) return {};
  std::size_t at = 0;
  while (at < got.size() && at < expected.size() && got[at] == expected[at]) ++at;
  return "row " + std::to_string(at) + " of " + std::to_string(got.size()) + " is " + row_text(got, at) +
         "; expected of " + std::to_string(expected.size()) + " is " + row_text(expected, at);
}

template <class... V>
[[nodiscard]] std::string difference(const std::tuple<std::optional<V>...>& got,
                                     const std::tuple<std::optional<V>...>& expected) {
  return got == expected ? "" : "other values in the slots";
}

/// Runs a task on all samples with all pool sets, with one shape after the other.
template <class Task>
void check_answers(const Task& task, const std::vector<sample>& samples,
                   const std::type_identity_t<backend_maker<Task>>& make,
                   std::span<const run_shape> shapes = small_shapes) {
  std::vector<decltype(expected_answer(task, samples[0]))> expected;
  for (const sample& one : samples) expected.push_back(expected_answer(task, one));
  std::size_t turn = 0;
  for (const auto& workers : pool_shapes) {
    const pool_set all(workers);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const run_shape& shape = shapes[turn++ % shapes.size()];
      INFO(samples[i].name << "; " << workers.size() << " backends, the first with " << workers.front()
                           << " workers; " << shape);
      const auto result = run_shaped(task, make_input(samples[i], shape.form), all, make, shape);
      CHECK(difference(answer_of<Task>(result), expected[i]) == "");
    }
    // In the next round, each sample gets another shape.
    if (samples.size() % shapes.size() == 0) ++turn;
  }
}

[[nodiscard]] inline std::mt19937_64 seeded() { return std::mt19937_64(seed()); }

// Hashed keys with commutative reductions.

template <class Make>
void check_word_counts(const Make& make) {
  auto random = seeded();
  const auto texts = boundary_texts(random);
  check_answers(word_counts{}, texts, make);
  check_answers(word_counts{.lower_case = true}, texts, make);
  check_answers(finished_word_counts{}, texts, make);
}

template <class Make>
void check_large_texts(const Make& make) {
  auto random = seeded();
  const auto texts = large_texts(random);
  check_answers(word_counts{.lower_case = true}, texts, make, product_shapes);
  check_answers(line_spans{}, texts, make, product_shapes);
}

/// The number of keys for tables larger than the caches, where backends may take another path.
[[nodiscard]] inline std::uint64_t many_keys() { return torture ? 4000 : quick() ? 60'000 : 400'000; }

/// The name of one of the many_keys() keys.
[[nodiscard]] inline std::string many_keys_name(std::uint64_t i) {
  return std::to_string(i * 0x9E3779B97F4A7C15u % 400'000) + "key";
}

template <class Make>
void check_many_keys(const Make& make) {
  check_answers(word_counts{},
                {{"many keys", {repeated(many_keys(), many_keys_name), repeated(5000, many_keys_name, " ")}}},
                make, product_shapes);
}

template <class Make>
void check_byte_keys(const Make& make) {
  auto random = seeded();
  const auto texts = boundary_texts(random);
  check_answers(reversed_endings{}, texts, make);
  check_answers(line_heads{}, texts, make);
  check_answers(key_lengths{}, {{"key lengths", {}, 200}}, make);
  check_answers(nul_keys{}, boundary_ranges(), make);
}

template <class Make>
void check_fixed_size_keys(const Make& make) {
  auto random = seeded();
  const auto texts = boundary_texts(random);
  check_answers(word_heads<1>{}, texts, make);
  check_answers(word_heads<15>{}, texts, make);
  check_answers(word_heads<16>{}, texts, make);
  check_answers(word_heads<65>{}, texts, make);
  check_answers(field_sums{}, texts, make);
  check_answers(number_parity{}, boundary_rows<std::uint64_t>(random, 2, 24), make);
  check_answers(row_counts{}, boundary_rows<char>(random, 5), make);
}

/// Rows in a caller's memory: a backend must not read beside them, which the address sanitizer reports.
template <class Make>
void check_rows_in_place(const Make& make) {
  auto random = seeded();
  const pool_set workers({2});
  for (const std::uint32_t width : {1u, 5u, 15u, 16u, 33u}) {
    for (const std::uint64_t count : {1u, 3u, 64u, 65u}) {
      const std::string bytes = random_rows<char>(random, count, width, 0, 0, 2);
      const auto exact = std::make_unique<char[]>(bytes.size());
      std::copy(bytes.begin(), bytes.end(), exact.get());
      const row_counts task{.width = width};
      const auto result =
          run_shaped(task, view_input({exact.get(), bytes.size()}), workers, make, run_shape{.grain = 8});
      INFO(count << " rows of " << width << " bytes");
      CHECK(difference(answer_of<row_counts>(result), expected_answer(task, sample{"", {bytes}})) == "");
    }
  }
}

// Dense keys and no key.

template <class Make>
void check_dense_keys(const Make& make) {
  auto random = seeded();
  check_answers(byte_histogram{}, boundary_rows<unsigned char>(random, 1), make);
  check_answers(cell_moments{}, boundary_rows<std::int32_t>(random, 3, 8), make);
  check_answers(seen_values{}, boundary_rows<std::uint16_t>(random, 2), make);
  check_answers(pair_distances{}, boundary_ranges(128 * 129 / 2), make);
  const std::vector<std::int64_t> centres = {0, 3, 5, 1'000'000'000, -2'000'000'000};
  check_answers(nearest_centre{.centres = {centres.data(), centres.size()}},
                boundary_rows<std::int32_t>(random, 1), make);
}

template <class Make>
void check_whole_chunks(const Make& make) {
  auto random = seeded();
  check_answers(chunk_newlines{}, boundary_texts(random), make);
}

template <class Make>
void check_no_key(const Make& make) {
  auto random = seeded();
  const auto rows = boundary_rows<std::int64_t>(random, 1);
  check_answers(overall<sum<std::uint64_t>>{}, rows, make);
  check_answers(overall<minimum<std::int64_t>>{}, rows, make);
  check_answers(overall<maximum<std::int32_t>>{}, rows, make);
}

template <class Make>
void check_slots(const Make& make) {
  auto random = seeded();
  check_answers(extremes{}, boundary_rows<std::int64_t>(random, 2), make);
}

template <class Make>
void check_nan(const Make& make) {
  auto random = seeded();
  const auto numbers = boundary_rows<std::int64_t>(random, 1);
  check_answers(sparse_extremes<no_key, minimum<float>>{}, numbers, make);
  check_answers(sparse_extremes<no_key, argmax<float>>{}, numbers, make);
  check_answers(sparse_extremes<dense, minimum<float>>{}, numbers, make);
  check_answers(sparse_extremes<dense, maximum<double>>{}, numbers, make);
  check_answers(sparse_extremes<std::uint32_t, minimum<float>>{}, numbers, make);
  check_answers(sparse_extremes<std::uint32_t, extend_numbers>{}, numbers, make);
}

// Tasks that keep several values of a key.

template <class Make>
void check_collect(const Make& make) {
  auto random = seeded();
  const auto texts = boundary_texts(random);
  check_answers(lines_by_head{}, texts, make);
  check_answers(lines_by_head{.grouped = true}, texts, make);
  check_answers(places_by_size{}, texts, make);
  check_answers(places_by_class{}, texts, make);
  check_answers(even_indices{}, boundary_ranges(), make);
}

template <class Make>
void check_top_k(const Make& make) {
  auto random = seeded();
  const auto rows = boundary_rows<std::int64_t>(random, 1);
  for (const std::uint64_t k : {0u, 1u, 3u, 100'000u}) {
    check_answers(largest_rows{.k = k}, rows, make);
  }
  check_answers(largest_rows_by_class{}, rows, make);
}

// Reductions that do not commute, so the order of the input matters.

template <class Make>
void check_input_order(const Make& make) {
  auto random = seeded();
  const auto texts = boundary_texts(random);
  check_answers(line_spans{}, texts, make);
  check_answers(first_places{}, texts, make);
  check_answers(word_chains{}, texts, make);
  const auto rows = boundary_rows<std::uint64_t>(random, 4);
  check_answers(matrix_products{}, rows, make);
  check_answers(matrix_product{}, rows, make);
}

}  // namespace duomap::test
