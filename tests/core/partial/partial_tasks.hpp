// Declares tasks for tests of merging, and makes keys of all lengths.
#pragma once

#include "core/compact_key.hpp"
#include "core/partial/all.hpp"
#include "core/record/index_range.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/sequence_reduction.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::test::core_partial_merged_partials_test {

using test::sequence;
using test::sequence_of;

/// The members of a task that the merge needs: key kind, reduction, number of dense keys.
template <class Key, class Reduce>
struct task_of {
  using format = index_range;
  using key = Key;
  using reduce = Reduce;
  std::uint64_t keys = 1;
  reduce settings{};
  [[nodiscard]] std::uint64_t key_count() const { return keys; }
  [[nodiscard]] reduce reduction() const { return settings; }
  void map(std::uint64_t, auto&) const {}
};

using number_sum = sum<std::uint64_t>;
using in_order = test::concatenation<false>;

/// Unlike task_of it stores no reduction: std::tuple, the type of slots, is not trivially copyable.
struct slots_task {
  using format = index_range;
  using key = no_key;
  using reduce = slots<number_sum, maximum<int>>;
  void map(std::uint64_t, auto&) const {}
};

inline compact_key key_of(std::string_view bytes, key_arena& arena) {
  if (bytes.size() <= compact_key::max_inline) return compact_key::of_short(bytes);
  return compact_key::of_stored(hash_long(bytes), arena.store(bytes));
}

/// A keyed partial like that of a backend: distinct keys by partition, long keys in an arena of its own.
inline keyed_partial<std::uint64_t> keyed_from(const std::map<std::string, std::uint64_t>& counts) {
  keyed_partial<std::uint64_t> made;
  auto arena = std::make_shared<key_arena>();
  for (const auto& [bytes, count] : counts) {
    const compact_key key = key_of(bytes, *arena);
    made.partitions[partition_of(key.hash())].push_back({key, count});
  }
  made.arenas.push_back(std::move(arena));
  return made;
}

/// Turns a partial into one whose entries the merge has yet to read.
template <class V>
keyed_partial<V> unread(keyed_partial<V> from) {
  class held_entries final : public unread_entries<V> {
   public:
    explicit held_entries(keyed_partial<V> all) : all_(std::move(all)) {}
    void read(unsigned partition, std::vector<keyed_entry<V>>& to) const override {
      const auto& entries = all_.partitions[partition];
      to.insert(to.end(), entries.begin(), entries.end());
    }

   private:
    keyed_partial<V> all_;
  };
  keyed_partial<V> all;
  all.arenas = from.arenas;
  all.unread.push_back(std::make_shared<held_entries>(std::move(from)));
  return all;
}

template <class V>
std::map<std::string, V> contents(const keyed_partial<V>& partial) {
  std::map<std::string, V> found;
  for (unsigned p = 0; p < partition_count; ++p) {
    for (const auto& entry : partial.partitions[p]) {
      if (partition_of(entry.key.hash()) != p) FAIL("an entry in another partition");
      if (!found.emplace(entry.key.bytes().text(), entry.value).second)
        FAIL("a key stands in a partial twice");
    }
  }
  return found;
}

inline std::string some_key(std::mt19937& random, std::uint64_t distinct) {
  const std::uint64_t number = random() % distinct;
  return (number % 4 == 0 ? "a key of more than fifteen bytes " : "k") + std::to_string(number);
}

}  // namespace duomap::test::core_partial_merged_partials_test
