// Tests the hash engine's table with host threads in place of a kernel's threads. The code is the same, so a
// race that the thread sanitizer finds here is also a race on a GPU.
#include "gpu/engines/hash/device_table.hpp"

#include "core/config.hpp"
#include "core/reduce.hpp"
#include "core/reduce_fields.hpp"
#include "core/text/keyed_hash.hpp"
#include "gpu/engines/hash/value_cell.hpp"
#include "gpu/engines/probe_path.hpp"
#include "tests/catch.hpp"
#include "tests/gpu/support/check_cell.hpp"
#include "tests/gpu/support/keyed_tasks.hpp"
#include "tests/support/colliding_words.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace duomap::test::gpu_engines_hash_device_table_test {
namespace {

constexpr unsigned table_users = 8;

/// The table of the hash engine, in host memory.
template <reduction R>
class table_on_host {
 public:
  using table = gpu::device_table<R>;

  table_on_host(std::uint64_t slots, std::uint64_t pool_bytes, std::uint64_t hash_mask)
    : words_(slots, 0), cells_(slots), pool_(pool_bytes / 8, 0), hash_mask_(hash_mask) {
    for (auto& cell : cells_) cell.clear(R{});
  }

  [[nodiscard]] table view() {
    return {.words = words_.data(),
            .cells = cells_.data(),
            .pool = pool_.data(),
            .counters = &counters_,
            .slot_mask = words_.size() - 1,
            .index_shift = 64 - static_cast<unsigned>(std::countr_zero(words_.size())),
            .most_keys = words_.size() / 2,
            .most_pool_bytes = pool_.size() * 8,
            .hash_mask = hash_mask_,
            .secret = process_hash_secret(),
            .reduce = R{}};
  }

  [[nodiscard]] const gpu::table_counters& counters() const { return counters_; }

  /// Makes room for more keys and more bytes in the pool.
  void grow(std::uint64_t keys, std::uint64_t pool_bytes) {
    std::uint64_t slots = words_.size();
    while (slots / 2 < counters_.reserved_keys + keys) slots *= 2;
    table_on_host larger(slots, pool_.size() * 8, hash_mask_);
    std::swap(larger.pool_, pool_);
    while (larger.pool_.size() * 8 < counters_.reserved_pool_bytes + pool_bytes)
      larger.pool_.resize(larger.pool_.size() * 2);
    larger.counters_ = counters_;
    for (std::uint64_t i = 0; i < words_.size(); ++i) {
      if (words_[i] != 0) larger.view().take_over(words_[i], cells_[i]);
    }
    *this = std::move(larger);
  }

  /// The number of slots examined to find a key: the most for one key, and the sum over all keys.
  struct steps {
    std::uint64_t most = 0;
    std::uint64_t all = 0;
  };
  [[nodiscard]] steps steps_to_keys() {
    const table here = view();
    steps of{};
    for (const unsigned long long word : words_) {
      if (word == 0) continue;
      std::uint64_t looked_at = 0;
      const auto is_there = [&](std::uint64_t slot) {
        ++looked_at;
        return words_[slot] == word;
      };
      static_cast<void>(gpu::find_slot(here.home_of(here.hash_of(word)), here.slot_mask, here.index_shift,
                                       is_there, [&] { return here.far_hash_of(word); }));
      of.most = std::max(of.most, looked_at);
      of.all += looked_at;
    }
    return of;
  }

  /// Calls use(key, value) for each entry.
  void for_each(const std::function<void(std::string, typename R::value_type)>& use) const {
    for (std::uint64_t i = 0; i < words_.size(); ++i) {
      if (words_[i] == 0) continue;
      if ((words_[i] & gpu::long_flag) == 0) {
        use(std::string(gpu::key_of_short_word(words_[i]).bytes().text()), cells_[i].read());
      } else {
        const unsigned long long* const entry = pool_.data() + table::pool_index(words_[i]);
        use(std::string(reinterpret_cast<const char*>(entry + 2), entry[1]), cells_[i].read());
      }
    }
  }

 private:
  std::vector<unsigned long long> words_;
  std::vector<typename table::cell> cells_;
  std::vector<unsigned long long> pool_;
  gpu::table_counters counters_;
  std::uint64_t hash_mask_;
};

/// Folds a value into any key; there must be room for the key.
template <reduction R>
void fold(const gpu::device_table<R>& into, const std::string& key, const typename R::value_type& value) {
  const auto fold = [&](auto& cell) {
    cell.fold(value, R{});
  };
  if (key.size() <= gpu::max_word_bytes) {
    const std::uint64_t word = gpu::short_word(
        gpu::load_some(key.data(), static_cast<unsigned>(key.size()), gpu::anywhere{}), key.size());
    if (!into.fold_short(word, gpu::hash_of_short_word(word), fold)) into.give_back(1, 0);
    return;
  }
  const auto done = into.fold_long(key, gpu::hash_of_long(key, gpu::anywhere{}), gpu::anywhere{}, fold);
  into.give_back(done.is_new ? 0 : 1, gpu::pool_bytes_of_key(key.size()) - done.pool_bytes);
}

/// Distinct keys with lengths around every limit; many begin alike over a long way, some contain NULs.
std::vector<std::string> distinct_keys(std::mt19937_64& random, std::uint64_t count) {
  constexpr std::uint64_t lengths[] = {3, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 25, 100};
  std::set<std::string> keys = {"", "a", std::string(1, '\0'), std::string(8, '\0'), std::string(9, '\0')};
  while (keys.size() < count) {
    std::string key(lengths[random() % std::size(lengths)], 'k');
    // Keys differ only at one end, so that a comparison must look at the first and the last bytes.
    const std::uint64_t varied = std::min<std::uint64_t>(key.size(), 3);
    const std::uint64_t from = random() % 2 == 0 ? 0 : key.size() - varied;
    for (std::uint64_t i = 0; i < varied; ++i) key[from + i] = static_cast<char>(random());
    keys.insert(key);
  }
  return {keys.begin(), keys.end()};
}

struct table_setting {
  std::uint64_t distinct = 20'000;
  std::uint64_t emits = 150'000;
  std::uint64_t slots = 64;
  std::uint64_t pool_bytes = 8192;
  std::uint64_t hash_mask = ~std::uint64_t{0};
};

/// Many threads fold random emits into a table; compares it with a map. A thread reserves room for a batch,
/// as a kernel does for a tile. A batch without room waits until all threads have stopped and the table has
/// grown.
template <reduction R, class MakeValue>
void check_table(const table_setting& with, const MakeValue& make_value) {
  constexpr std::uint64_t batch_emits = 32;
  struct emit {
    std::uint32_t key;
    typename R::value_type value;
  };
  std::mt19937_64 random(seed());
  const std::uint64_t distinct = torture_hash || with.hash_mask == 0 ? 200 : with.distinct;
  const std::uint64_t emit_count = torture_hash || with.hash_mask == 0 ? with.emits / 10 : with.emits;
  const auto keys = distinct_keys(random, distinct);
  std::vector<emit> emits;
  std::map<std::string, typename R::value_type> expected;
  for (std::uint64_t i = 0; i < emit_count; ++i) {
    // Half of the emits have one of ten keys.
    const auto key = static_cast<std::uint32_t>(random() % (i % 2 == 0 ? 10 : keys.size()));
    emits.push_back({key, make_value(random)});
    const auto [place, is_new] = expected.try_emplace(keys[key], emits.back().value);
    if (!is_new) place->second = R{}(place->second, emits.back().value);
  }

  table_on_host<R> table(with.slots, with.pool_bytes, with.hash_mask);
  std::vector<std::uint64_t> waiting;
  for (std::uint64_t at = 0; at < emits.size(); at += batch_emits) waiting.push_back(at);
  std::uint64_t launches = 0;
  while (!waiting.empty()) {
    const auto view = table.view();
    std::atomic<std::uint64_t> next{0};
    std::mutex mutex;
    std::vector<std::uint64_t> returned;
    const auto use_table = [&] {
      while (true) {
        const std::uint64_t mine = next.fetch_add(1);
        if (mine >= waiting.size()) return;
        const std::uint64_t begin = waiting[mine];
        const std::uint64_t end = std::min<std::uint64_t>(begin + batch_emits, emits.size());
        std::uint64_t key_room = end - begin;
        std::uint64_t pool_room = 0;
        for (std::uint64_t i = begin; i < end; ++i)
          pool_room += gpu::pool_bytes_of_key(keys[emits[i].key].size());
        if (!view.reserve(key_room, pool_room)) {
          const std::lock_guard lock(mutex);
          returned.push_back(begin);
          continue;
        }
        for (std::uint64_t i = begin; i < end; ++i) {
          const byte_view key = keys[emits[i].key];
          const auto fold = [&](auto& cell) {
            cell.fold(emits[i].value, R{});
          };
          if (key.size <= gpu::max_word_bytes) {
            const std::uint64_t word = gpu::short_word(
                gpu::load_some(key.data, static_cast<unsigned>(key.size), gpu::anywhere{}), key.size);
            if (view.fold_short(word, gpu::hash_of_short_word(word), fold)) --key_room;
          } else {
            const auto done =
                view.fold_long(key, gpu::hash_of_long(key, gpu::anywhere{}), gpu::anywhere{}, fold);
            if (done.is_new) --key_room;
            pool_room -= done.pool_bytes;
          }
        }
        view.give_back(key_room, pool_room);
      }
    };
    std::vector<std::thread> users;
    for (unsigned i = 0; i < table_users; ++i) users.emplace_back(use_table);
    for (std::thread& one : users) one.join();
    waiting = std::move(returned);
    if (!waiting.empty()) table.grow(batch_emits, batch_emits * gpu::pool_bytes_of_key(100));
    ++launches;
  }

  CAPTURE(with.distinct, with.slots, with.hash_mask, launches);
  std::map<std::string, typename R::value_type> found;
  std::uint64_t entries = 0;
  std::uint64_t pool_bytes = 0;
  table.for_each([&](std::string key, typename R::value_type value) {
    pool_bytes += gpu::pool_bytes_of_key(key.size());
    found.emplace(std::move(key), value);
    ++entries;
  });
  CHECK(entries == expected.size());
  CHECK((found == expected));
  CHECK(table.counters().reserved_keys == expected.size());
  CHECK(table.counters().reserved_pool_bytes == table.counters().pool_bytes);
  // Two threads that add a key at once may both store its bytes.
  CHECK(table.counters().pool_bytes >= pool_bytes);
}

template <reduction R, class MakeValue>
void check_tables(const MakeValue& make_value) {
  for (const table_setting& with : {
           table_setting{},
           table_setting{.distinct = 30, .emits = 50'000},
           table_setting{.distinct = 5000, .slots = 1 << 16, .pool_bytes = 1 << 22},
           table_setting{.distinct = 2000, .hash_mask = std::uint64_t{0xFF} << 56},
           table_setting{.hash_mask = 0},
       }) {
    check_table<R>(with, make_value);
  }
}

template <reduction R, class MakeValue>
void check_cells(const MakeValue& make_value) {
  check_cell<gpu::value_cell<R, gpu::thread_scope::block>, R>(make_value);
  check_cell<gpu::value_cell<R, gpu::thread_scope::device>, R>(make_value);
}

struct counted {
  std::uint64_t count;
  double most;
  std::int64_t total;
  friend bool operator==(const counted&, const counted&) = default;
};
using fold_counts = reduce_fields<field_by<&counted::count, sum>, field_by<&counted::most, maximum>,
                                  field_by<&counted::total, sum>>;

constexpr auto any_number = [](std::mt19937_64& random) {
  return random();
};
constexpr auto any_small_number = [](std::mt19937_64& random) {
  return static_cast<std::int32_t>(random());
};
constexpr auto any_ranked = [](std::mt19937_64& random) {
  return ranked{static_cast<std::uint32_t>(random() % 50), static_cast<std::uint32_t>(random() % 50),
                static_cast<std::uint32_t>(random())};
};

TEST_CASE("device table on host threads: sums", "[tables]") { check_tables<sum<std::uint64_t>>(any_number); }

TEST_CASE("device table on host threads: smallest numbers", "[tables]") {
  check_tables<minimum<std::int32_t>>(any_small_number);
}

TEST_CASE("device table on host threads: values under a lock", "[tables]") {
  check_tables<best_ranked>(any_ranked);
}

TEST_CASE("device table on host threads: structs and floating point without a lock", "[tables]") {
  STATIC_REQUIRE(!gpu::device_table<fold_counts>::cell::has_lock);
  check_tables<fold_counts>([](std::mt19937_64& random) {
    return counted{random() % 100, static_cast<double>(random() % 1000),
                   static_cast<std::int64_t>(random() >> 20)};
  });
  check_tables<maximum<double>>([](std::mt19937_64& random) { return static_cast<double>(random()); });
}

TEST_CASE("device table on host threads: a user's reduction with an identity", "[tables]") {
  check_tables<exclusive_or>(any_number);
}

TEST_CASE("cells on host threads: every way to update them", "[tables]") {
  STATIC_REQUIRE(gpu::update_kind_of<sum<std::uint64_t>>() == gpu::update_kind::add);
  STATIC_REQUIRE(gpu::update_kind_of<minimum<std::int32_t>>() == gpu::update_kind::swap);
  STATIC_REQUIRE(gpu::update_kind_of<exclusive_or>() == gpu::update_kind::swap);
  STATIC_REQUIRE(gpu::update_kind_of<best_ranked>() == gpu::update_kind::lock);
  check_cells<sum<std::uint64_t>>(any_number);
  check_cells<sum<std::int32_t>>(
      [](std::mt19937_64& random) { return static_cast<std::int32_t>(random() % 50'000) - 25'000; });
  check_cells<minimum<std::int32_t>>(any_small_number);
  check_cells<exclusive_or>(any_number);
  check_cells<best_ranked>(any_ranked);
}

// With linear probing, the last colliding key would take as many steps as there are keys.
TEST_CASE("device table: keys that are made to collide take bounded work", "[tables]") {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  const std::uint64_t count = torture ? 2000 : 20'000;
  std::vector<std::string> short_keys;
  std::vector<std::string> lower_half;
  std::vector<std::string> long_keys;
  for (std::uint64_t i = 0; lower_half.size() < count; ++i) {
    std::string key = std::to_string(i);
    if (torture_hash ||
        gpu::hash_of_short_word(gpu::short_word(
            gpu::load_some(key.data(), static_cast<unsigned>(key.size()), gpu::anywhere{}), key.size())) >>
                63 ==
            0)
      lower_half.push_back(key);
    if (short_keys.size() == count) continue;
    short_keys.push_back(key);
    long_keys.push_back("a key that does not fit a slot " + std::move(key));
  }
  struct {
    const char* name;
    std::vector<std::string> keys;
    std::uint64_t hash_mask;
  } const cases[] = {{"short keys of one hash", short_keys, 0},
                     {"long keys of one hash", long_keys, 0},
                     {"words whose hashes are equal", colliding_words(count, 64), all},
                     {"words whose hashes begin alike", colliding_words(count, 16), all},
                     {"keys of one half of the table", lower_half, all}};
  for (const auto& [name, keys, hash_mask] : cases) {
    CAPTURE(name);
    table_on_host<sum<std::uint64_t>> table(64, 4096, hash_mask);
    for (std::uint64_t value = 1; value <= 2; ++value) {
      for (const std::string& key : keys) {
        if (!table.view().reserve(1, gpu::pool_bytes_of_key(key.size()))) {
          table.grow(1, gpu::pool_bytes_of_key(key.size()));
          REQUIRE(table.view().reserve(1, gpu::pool_bytes_of_key(key.size())));
        }
        fold(table.view(), key, value);
      }
    }
    std::map<std::string, std::uint64_t> found;
    table.for_each([&](std::string key, std::uint64_t value) { found.emplace(std::move(key), value); });
    CHECK(found.size() == keys.size());
    CHECK(std::ranges::all_of(keys, [&](const std::string& key) { return found[key] == 3; }));
    const auto steps = table.steps_to_keys();
    // At most half of the slots are taken, so only one key in 2^60 would need 60 far steps.
    CHECK(steps.most <= gpu::near_slots + 60);
    CHECK(steps.all <= keys.size() * (gpu::near_slots + 2));
  }
}

TEST_CASE("device table: room is granted once and can be given back", "[tables]") {
  table_on_host<sum<std::uint64_t>> table(64, 1024, ~std::uint64_t{0});
  const auto view = table.view();
  CHECK(view.reserve(32, 1000));
  CHECK_FALSE(view.reserve(1, 0));   // no slots
  CHECK_FALSE(view.reserve(0, 25));  // no bytes
  CHECK(table.counters().reserved_keys == 32);
  CHECK(view.reserve(0, 24));
  view.give_back(2, 24);
  CHECK_FALSE(view.reserve(1, 25));  // takes no slot when the bytes do not fit
  CHECK(view.reserve(2, 24));
  CHECK_FALSE(view.reserve(~std::uint64_t{0}, 0));
}

}  // namespace
}  // namespace duomap::test::gpu_engines_hash_device_table_test
