// Tests core/verify/verify.hpp: it finds maps that depend on more than their record, on inputs of few and of
// many records.
#include "core/input/memory_source.hpp"
#include "core/record/lines.hpp"
#include "core/record/rows.hpp"
#include "core/record/words.hpp"
#include "core/verify/verify.hpp"
#include "tests/catch.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace duomap::test::core_verify_verify_impure_test {
namespace {

struct sums_of_words {
  using format = words;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;
};

std::uint64_t calls = 0;

template <std::uint64_t Period>
struct counting_map : sums_of_words {
  void map(byte_view word, auto& emit) const { emit(word, calls++ % Period); }
};

/// Emits only for one record in `Period`.
template <std::uint64_t Period>
struct skipping_map : sums_of_words {
  void map(byte_view word, auto& emit) const {
    if (calls++ % Period == 0) emit(word, 1);
  }
};

bool is_pure(const auto& task, const input& from) {
  for (const law_check& check : verify(task, from))
    if (check.law == "pure map") return check.holds();
  FAIL("no check of map");
  return false;
}

std::string words_of(std::uint64_t count) {
  std::string text;
  for (std::uint64_t i = 0; i < count; ++i) text += "w" + std::to_string(i) + " ";
  return text;
}

template <std::uint64_t Period>
void check_period() {
  for (const std::uint64_t records :
       {1u, 2u, 3u, 4u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 22u, 55u, 60u, 2520u, 27720u}) {
    for (const std::uint64_t before : {0u, 1u, 5u}) {
      INFO("period " << Period << ", " << records << " records, " << before << " calls before");
      calls = before;
      CHECK_FALSE(is_pure(counting_map<Period>{}, text_input(words_of(records))));
      if (records >= Period) {
        calls = before;
        CHECK_FALSE(is_pure(skipping_map<Period>{}, text_input(words_of(records))));
      }
    }
  }
}

TEST_CASE("verify: a map that counts its calls, with any short period") {
  check_period<2>();
  check_period<3>();
  check_period<4>();
  check_period<5>();
  check_period<6>();
  check_period<7>();
  check_period<8>();
  check_period<9>();
  check_period<10>();
  check_period<11>();
}

struct thread_map : sums_of_words {
  void map(byte_view word, auto& emit) const {
    emit(word, std::hash<std::thread::id>()(std::this_thread::get_id()));
  }
};

struct address_map : sums_of_words {
  std::uint64_t divisor = 0;
  void map(byte_view word, auto& emit) const {
    emit(word, reinterpret_cast<std::uintptr_t>(word.data) % divisor);
  }
};

struct clock_map : sums_of_words {
  void map(byte_view word, auto& emit) const {
    emit(word, static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()));
  }
};

std::mt19937_64 drawn(1);
struct random_map : sums_of_words {
  void map(byte_view word, auto& emit) const { emit(word, drawn()); }
};

bool was_called = false;
struct first_call_map : sums_of_words {
  void map(byte_view word, auto& emit) const { emit(word, was_called ? 1 : 0), was_called = true; }
};

thread_local bool thread_called = false;
struct first_call_of_thread_map : sums_of_words {
  void map(byte_view word, auto& emit) const { emit(word, thread_called ? 1 : 0), thread_called = true; }
};

std::string last_word;
struct previous_record_map : sums_of_words {
  void map(byte_view word, auto& emit) const {
    emit(word, last_word.size());
    last_word = word.text();
  }
};

TEST_CASE("verify: a map that depends on where, when and by whom it is called") {
  for (const std::uint64_t records : {1u, 2u, 3u, 100u}) {
    INFO(records << " records");
    const input from = text_input("longest " + words_of(records - 1));
    CHECK_FALSE(is_pure(thread_map{}, from));
    for (const std::uint64_t divisor : {7u, 64u, 4096u, 1'000'003u})
      CHECK_FALSE(is_pure(address_map{{}, divisor}, from));
    CHECK_FALSE(is_pure(clock_map{}, from));
    CHECK_FALSE(is_pure(random_map{}, from));
    was_called = false;
    CHECK_FALSE(is_pure(first_call_map{}, from));
    thread_called = true;
    CHECK_FALSE(is_pure(first_call_of_thread_map{}, from));
    last_word.clear();
    CHECK_FALSE(is_pure(previous_record_map{}, from));
  }
}

template <class T>
struct row_map {
  using format = rows<T>;
  using key = no_key;
  using reduce = sum<double>;
  std::uint32_t index = 0;
  [[nodiscard]] rows<T> records() const { return {.width = 2}; }
  void map(const row<T>& one, auto& emit) const { emit(static_cast<double>(one[index])); }
};

template <class T>
void check_rows() {
  for (const std::uint64_t count : {1u, 2u, 3u, 500u}) {
    std::vector<T> numbers;
    for (std::uint64_t i = 0; i < 2 * count; ++i) numbers.push_back(static_cast<T>(i % 50 + 1));
    const byte_view bytes{reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
    const input from = text_input(std::string(bytes.text()));
    for (const std::uint32_t index : {0u, 1u}) CHECK(is_pure(row_map<T>{index}, from));
    if (count < 3) continue;  // numbers 2 to 4 would lie behind the input, in its padding
    for (const std::uint32_t index : {2u, 3u, 4u}) {
      INFO("number " << index << " of rows of 2, " << count << " rows");
      CHECK_FALSE(is_pure(row_map<T>{index}, from));
    }
  }
}

TEST_CASE("verify: a map that reads beside its row") {
  check_rows<float>();
  check_rows<double>();
  check_rows<std::uint16_t>();
}

}  // namespace
}  // namespace duomap::test::core_verify_verify_impure_test
