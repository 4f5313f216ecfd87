// Checks the laws of a task on samples of its input. Programs include it beside duomap.hpp.
// host only
#pragma once

#include "core/boundary.hpp"
#include "core/input/block_reader.hpp"
#include "core/input/input.hpp"
#include "core/input/slice.hpp"
#include "core/member_names.hpp"
#include "core/task.hpp"
#include "core/task_check.hpp"
#include "core/task_members.hpp"
#include "core/verify/laws.hpp"
#include "core/verify/promises.hpp"
#include "core/verify/recording_emitter.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap {

struct verify_options {
  std::uint64_t samples = 16;   ///< number of places in the input, one grain each
  std::uint64_t trials = 1000;  ///< combinations of values to try per law
  std::uint64_t seed = 1;       ///< seed of the random choice of values
};

namespace detail {

/// A copy of a row, in memory of its own. A map that wrongly reads beside its row then reads other bytes.
template <class Row>
class isolated_row {
 public:
  isolated_row(const Row& of, bool among_zeros) : row_(of) {
    using value = std::remove_const_t<std::remove_pointer_t<decltype(of.values)>>;
    const std::size_t bytes = of.width * sizeof(value);
    const std::size_t times = least_beside / (bytes + 1) + 1;  // copies, or zeros, on each side
    memory_.resize((2 * times + 1) * bytes / sizeof(std::max_align_t) + 1);
    char* const begin = reinterpret_cast<char*>(memory_.data());
    for (std::size_t i = 0; i <= 2 * times; ++i)
      if (i == times || !among_zeros) std::memcpy(begin + i * bytes, of.values, bytes);
    row_.values = reinterpret_cast<const value*>(begin + times * bytes);
  }

  [[nodiscard]] const Row& get() const noexcept { return row_; }

 private:
  static constexpr std::size_t least_beside = 1024;

  std::vector<std::max_align_t> memory_;
  Row row_;
};

template <map_reduce_task Task>
[[nodiscard]] recording_emitter<Task> record_emits(const Task& task, const chunk& part) {
  recording_emitter<Task> emits;
  if constexpr (maps_chunks<Task>) {
    task.map_chunk(part, emits);
  } else {
    format_of(task).for_each_record(
        part, [&](const typename Task::format::record& record) { task.map(record, emits); });
  }
  return emits;
}

/// Maps a chunk again in several ways: as before; after one more call, so that a period of calls shows; on
/// another thread, from copies at other addresses; record by record, backwards; with each row among zeros,
/// and among copies of itself. Returns the first emits that differ from `once`, or the last emits if none
/// differ.
template <map_reduce_task Task, class Emits>
[[nodiscard]] Emits emits_again(const Task& task, const chunk& part, const Emits& once) {
  Emits emits = record_emits(task, part).emits();
  if constexpr (maps_records<Task> && !maps_chunks<Task>) {
    using record = typename Task::format::record;
    const auto format = format_of(task);
    std::vector<record> records;
    format.for_each_record(part, [&](const record& one) { records.push_back(one); });
    if (emits != once || records.empty()) return emits;
    const auto emits_of = [&](const record& one) {
      recording_emitter<Task> some;
      task.map(one, some);
      return some.emits();
    };
    static_cast<void>(emits_of(records.front()));
    emits = record_emits(task, part).emits();
    if (emits != once) return emits;

    if constexpr (!records_stay<Task>) {
      if (part.data != nullptr) {
        // Two copies at different distances from the original, so that no period of addresses hides a
        // difference. The distances differ by the least step between records, which is one byte in a text.
        constexpr bool aligned = requires(const record& one) { one.values; };
        constexpr std::size_t apart = aligned ? 64 : 65, step = aligned ? 8 : 1;
        std::vector<std::max_align_t> memory(
            (apart + step + part.size + read_padding) / sizeof(std::max_align_t) + 1);
        for (const std::size_t place : {apart, apart + step}) {
          chunk copy = part;
          copy.data = static_cast<const char*>(
              std::memcpy(reinterpret_cast<char*>(memory.data()) + place, part.data, part.size));
          emits = std::async(std::launch::async, [&] { return record_emits(task, copy).emits(); }).get();
          if (emits != once) return emits;
        }
      }
    }

    std::vector<Emits> backwards;
    for (auto one = records.rbegin(); one != records.rend(); ++one) backwards.push_back(emits_of(*one));
    emits.clear();
    for (auto one = backwards.rbegin(); one != backwards.rend(); ++one)
      emits.insert(emits.end(), one->begin(), one->end());
    if (emits != once) return emits;

    if constexpr (requires(const record& one) {
                    one.values;
                    one.width;
                  }) {
      for (const bool among_zeros : {true, false}) {
        emits.clear();
        for (const record& one : records) {
          const isolated_row lone(one, among_zeros);
          const auto some = emits_of(lone.get());
          emits.insert(emits.end(), some.begin(), some.end());
        }
        if (emits != once) return emits;
      }
    }
  }
  return emits;
}

/// Checks a law about map: two lists of emits must be the same.
template <class Emits>
void expect_same(law_check& check, const Emits& once, const Emits& again, const std::string& place) {
  ++check.trials;
  if (!check.holds() || once == again) return;
  const auto [a, b] = std::mismatch(once.begin(), once.end(), again.begin(), again.end());
  const auto text = [](const auto& at, const auto& end) {
    return at == end ? std::string("nothing more") : "(" + at->key + ", " + at->value + ")";
  };
  check.counterexample = place + ", emit " + std::to_string(a - once.begin() + 1) + ": " +
                         text(a, once.end()) + " the first time, " + text(b, again.end()) + " the second";
}

template <map_reduce_task Task, class Lists, std::size_t... I>
void try_laws(const Task& task, const Lists& lists, const verify_options& options,
              std::vector<law_check>& checks, std::index_sequence<I...>) {
  const auto one = [&](const auto& reduce, const auto& values, const std::string& name) {
    for (law_check& check : law_trials(reduce, values, options.seed).run(options.trials)) {
      check.law = name + check.law;
      checks.push_back(std::move(check));
    }
  };
  if constexpr (is_slots<typename Task::reduce>) {
    (one(std::get<I>(reduction_of(task).reductions), std::get<I>(lists), "slot " + std::to_string(I) + " "),
     ...);
  } else if constexpr (reduction<typename Task::reduce>) {
    (one(reduction_of(task), std::get<I>(lists), std::string()), ...);
  }
}

/// Lists the members of the task that the compiler found. duomap ignores a member that is not in this list.
template <class Task>
[[nodiscard]] law_check members_found() {
  using has = has_member<Task>;
  law_check check("members read");
  const auto add = [&](bool is_there, const char* name) {
    if (!is_there) return;
    check.found += (check.trials++ > 0 ? ", " : "") + std::string(name);
  };
  add(true, "format");
  add(true, "key");
  add(true, "reduce");
  add(takes_items<typename Task::reduce>, "reduce::add");
  add(maps_records<Task>, "map");
  add(maps_chunks<Task>, "map_chunk");
  add(has::map_batch, "map_batch");
  add(has::records, "records");
  add(has::reduction, "reduction");
  add(has::key_count, "key_count");
  add(has::finish, "finish");
  add(has::finish_slots, "finish_slots");
  add(max_emits_of<Task> > 0, "max_emits_per_record");
  add(keys_are_within_record<Task>, "keys_within_record");
  add(has::max_extra_key_bytes, "max_extra_key_bytes");
  add(has::cpu_seconds, "cpu_seconds");
  add(has::gpu_seconds, "gpu_seconds");
  add(has::profile_parameters, "profile_parameters");
  add(has::stop, "stop");
  add(has::visit_broadcast, "visit_broadcast");
  return check;
}

/// Checks the order of top_k: of two different values exactly one is better, and no value is better than
/// itself. Compares each value with several behind it, because equal scores need not be neighbours.
template <map_reduce_task Task, class Values>
[[nodiscard]] law_check ranks_values(const Task& task, const Values& values) {
  constexpr std::size_t reach = 64;
  law_check check("ranking");
  const auto op = reduction_of(task);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i; j < std::min(values.size(), i + reach) && check.holds(); ++j) {
      const auto& a = values[i];
      const auto& b = values[j];
      ++check.trials;
      const bool same = same_value(op, a, b, {});
      if (op.better(a, b) + op.better(b, a) != (same ? 0 : 1)) {
        check.counterexample =
            "a = " + value_text(a) + ", b = " + value_text(b) +
            (same ? " are the same but one is better" : ": not exactly one of them is better");
      }
    }
  }
  return check;
}

template <map_reduce_task Task>
[[nodiscard]] std::vector<law_check> check_laws(const Task& task, const input& from,
                                                const verify_options& options) {
  const format_boundary<typename Task::format> records(format_of(task));
  law_check pure("pure map");
  law_check cutting("independent of cuts");
  promise_checks<Task> promises;
  typename recording_emitter<Task>::value_lists values;

  const auto look_at = [&](const chunk& part, const std::string& place) {
    const auto once = record_emits(task, part);
    promises.look_at(task, part, place);
    expect_same(pure, once.emits(), emits_again(task, part, once.emits()), place);
    std::apply(
        [&](auto&... all) {
          std::apply([&](const auto&... some) { (all.insert(all.end(), some.begin(), some.end()), ...); },
                     once.values());
        },
        values);
    return once.emits();
  };

  const std::uint64_t per_source =
      std::max<std::uint64_t>(1, options.samples / std::max<std::size_t>(1, from.size()));
  for (std::size_t i = 0; i < std::min<std::size_t>(from.size(), options.samples); ++i) {
    const auto index = static_cast<std::uint32_t>(i);
    const source& whole = from[i];
    const std::string in = "in " + whole.name();
    if (!whole.addressable()) {
      block first;
      block_reader reader(whole.open(), records, records.grain(), whole.name());
      if (reader.next(first)) look_at(first.records(index), in);
      continue;
    }
    const std::uint64_t places = std::min(per_source, whole.units() / records.grain() + 1);
    for (std::uint64_t sample = 0; sample < places; ++sample) {
      const std::uint64_t begin = whole.units() / places * sample;
      const std::uint64_t end = std::min(begin + records.grain(), whole.units());
      const auto part = slice(whole, index, begin, end, records);
      if (!part) continue;
      auto emits = look_at(*part, in + " at " + std::to_string(begin));
      // Together, the two slices have the same records as the chunk, in the same order.
      const std::uint64_t middle = begin + (end - begin) / 3;
      decltype(emits) pieces;
      for (const auto& piece :
           {slice(whole, index, begin, middle, records), slice(whole, index, middle, end, records)}) {
        if (!piece) continue;
        const auto some = record_emits(task, *piece).emits();
        pieces.insert(pieces.end(), some.begin(), some.end());
      }
      if constexpr (!maps_chunks<Task>) {
        expect_same(cutting, emits, pieces,
                    in + " at " + std::to_string(begin) + " cut at " + std::to_string(middle));
      }
    }
  }

  std::vector<law_check> checks = {members_found<Task>(), pure, cutting};
  for (law_check& promise : promises.checks()) checks.push_back(std::move(promise));
  try_laws(task, values, options, checks, std::make_index_sequence<std::tuple_size_v<decltype(values)>>{});
  if constexpr (is_top_k<typename Task::reduce>) {
    checks.push_back(ranks_values(task, std::get<0>(values)));
  }
  return checks;
}

}  // namespace detail

/// Checks a task at up to `options.samples` places of its input. These laws are checked:
///   map is pure: the emits of a record do not depend on the number of calls, their order, the thread, the
///   address of the record, or the bytes beside a row. Cutting a chunk in two changes nothing.
///   map keeps the task's promises about its emits, and dense keys are below key_count().
///   The reduction is associative. It is commutative, has an identity and adds items if it says so.
///   A top-k order ranks any two different values.
/// Returns one check per law; the first one lists the members of the task that duomap uses. A law that holds
/// here is not proved. A law that fails is broken, by the values shown.
/// @throws input_error when the input cannot be read
template <class Task>
[[nodiscard]] std::vector<law_check> verify(const Task& task, const input& from,
                                            const verify_options& options = {}) {
  if constexpr (require_task<Task>()) return detail::check_laws(task, from, options);
  return {};
}

}  // namespace duomap
