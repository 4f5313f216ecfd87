// Tests maps that throw or emit a dense key out of range: the run throws a duomap::error with the place.
#include "duomap.hpp"
#include "scheduler/iterative/iterative_job.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::facade_map_failure_test {
namespace {

const run_options on_cpu{.device = device_choice::cpu, .threads = 2};

/// The error message of a task's run.
template <class Task>
std::string failure_of(const Task& task, const input& from) {
  try {
    static_cast<void>(run(task, from, on_cpu));
  } catch (const error& problem) {
    return problem.what();
  }
  return "nothing";
}

template <class Format, class Record>
struct throws_at_x {
  using format = Format;
  using key = no_key;
  using reduce = sum<std::uint64_t>;
  void map(const Record& record, auto& emit) const {
    if (text_of(record).find('x') != std::string_view::npos) throw std::invalid_argument("no number");
    emit(1);
  }
  static std::string_view text_of(byte_view word) { return word.text(); }
  static std::string_view text_of(const line& record) { return record.text.text(); }
  static std::string_view text_of(const field_list& record) { return record.whole().text.text(); }
  static std::string_view text_of(const markup_fragment& record) { return record.text.text(); }
};

struct lower_words : throws_at_x<words, byte_view> {
  [[nodiscard]] words records() const { return {.lower_case = true}; }
};

TEST_CASE("an exception of map carries the file and the place of its record") {
  const auto text = text_input("one two\nthree x\n", "a.txt");
  CHECK(failure_of(throws_at_x<words, byte_view>{}, text) == "map threw: no number; at byte 14 of 'a.txt'");
  CHECK(failure_of(throws_at_x<lines, line>{}, text) == "map threw: no number; at byte 8 of 'a.txt'");
  CHECK(failure_of(throws_at_x<fields, field_list>{}, text) == "map threw: no number; at byte 8 of 'a.txt'");
  CHECK(failure_of(throws_at_x<markup, markup_fragment>{}, text_input("<p><x>", "a.html")) ==
        "map threw: no number; at byte 4 of 'a.html'");
  CHECK(failure_of(lower_words{}, text_input("one X", "b.txt")) ==
        "map threw: no number; at byte 4 of 'b.txt'");
}

struct third_row {
  using format = rows<std::uint32_t>;
  using key = no_key;
  using reduce = sum<std::uint64_t>;
  [[nodiscard]] format records() const { return {.width = 2, .header_bytes = 4}; }
  void map(const row<std::uint32_t>& record, auto& emit) const {
    if (record.index == 2) throw input_error("no such row");
    emit(1);
  }
};

struct third_index {
  using format = index_range;
  using key = no_key;
  using reduce = sum<std::uint64_t>;
  void map(std::uint64_t index, auto& emit) const {
    if (index == 2) throw 2;
    emit(1);
  }
};

struct whole_chunks {
  using format = lines;
  using key = no_key;
  using reduce = sum<std::uint64_t>;
  void map_chunk(const chunk& /*part*/, auto& /*emit*/) const { throw std::runtime_error("no chunk"); }
};

TEST_CASE("the place of rows, indices and chunks") {
  const std::vector<std::uint32_t> numbers(64);
  const byte_view bytes(reinterpret_cast<const char*>(numbers.data()), 4 * 9);
  CHECK(failure_of(third_row{}, view_input(bytes, "rows.bin")) == "no such row; at byte 20 of 'rows.bin'");
  CHECK_THROWS_AS(run(third_row{}, view_input(bytes), on_cpu), input_error);
  CHECK(failure_of(third_index{}, index_input(3))
            .starts_with("map threw what is no std::exception; at index 2"));
  CHECK(failure_of(whole_chunks{}, text_input("a\n", "c.txt")) ==
        "map threw: no chunk; between byte 0 and 2 of 'c.txt'");
}

TEST_CASE("what map threw can be had again") {
  try {
    static_cast<void>(run(throws_at_x<words, byte_view>{}, text_input("x"), on_cpu));
    FAIL("nothing was thrown");
  } catch (const map_failed& failed) {
    CHECK(failed.status() == exit_status::failed);
    CHECK_THROWS_AS(std::rethrow_if_nested(failed), std::invalid_argument);
  }
}

struct full_memory : third_index {
  void map(std::uint64_t /*index*/, auto& /*emit*/) const { throw std::bad_alloc(); }
};

TEST_CASE("memory that ran out is a duomap::error without a place") {
  CHECK_THROWS_AS(run(full_memory{}, index_input(3), on_cpu), out_of_memory);
  CHECK(failure_of(full_memory{}, index_input(3)).ends_with("or a machine with more memory"));
}

struct wrong_setting : third_index {
  void map(std::uint64_t /*index*/, auto& /*emit*/) const { throw usage_error("SETTING=x is unknown"); }
};

TEST_CASE("what is wrong with a setting has no place in the input") {
  CHECK(failure_of(wrong_setting{}, index_input(3)) == "SETTING=x is unknown");
}

/// key_count() is 0 - 1, as a mistake may give.
struct too_many_keys : third_index {
  using key = dense;
  static std::uint64_t key_count() { return ~std::uint64_t{0}; }
  void map(std::uint64_t index, auto& emit) const { emit(index, 1); }
};

TEST_CASE("more dense keys than a process has addresses are a usage_error") {
  CHECK_THROWS_AS(run(too_many_keys{}, index_input(3), on_cpu), usage_error);
  CHECK_THAT(failure_of(too_many_keys{}, index_input(3)),
             contains("too_many_keys' has key_count() = 18446744073709551615, and no memory"));
}

/// Emits a line's first byte as the key, but key_count() is too small.
template <class Reduce>
struct too_few_keys {
  using format = lines;
  using key = dense;
  using reduce = Reduce;
  Reduce settings{};
  [[nodiscard]] reduce reduction() const { return settings; }
  static std::uint64_t key_count() { return 98; }
  void map(const line& record, auto& emit) const {
    emit(static_cast<unsigned char>(record.text[0]), typename Reduce::value_type{});
  }
};

struct larger {
  bool operator()(int a, int b) const { return a > b; }
};

TEST_CASE("a dense key out of range is an error that names task, key, range and place") {
  const auto text = text_input("a\nb\n", "d.txt");
  const auto check = [&](const auto& task, const char* name) {
    INFO(name);
    const std::string said = failure_of(task, text);
    CAPTURE(said);
    CHECK(said.find(std::string("::too_few_keys<duomap::") + name) != std::string::npos);
    CHECK(
        said.ends_with("' emitted the dense key 98, but its key_count() is 98, so keys are 0 to 97; raise "
                       "key_count(), or emit another key; at byte 2 of 'd.txt'"));
  };
  check(too_few_keys<sum<int>>{}, "sum");
  check(too_few_keys<keep_first<int>>{}, "keep_first");
  check(too_few_keys<collect<int>>{}, "collect");
  check(too_few_keys<top_k<int, larger>>{{.k = 1}}, "top_k");
}

struct no_keys : too_few_keys<sum<int>> {
  static std::uint64_t key_count() { return 0; }
};

TEST_CASE("a task without keys cannot emit") {
  CHECK(failure_of(no_keys{}, text_input("a\n", "d.txt"))
            .ends_with(
                "its key_count() is 0, so it has no keys; raise key_count(), or emit another key; at byte 0 "
                "of 'd.txt'"));
}

TEST_CASE("an iterative job says where its map failed") {
  const std::vector<std::uint32_t> numbers(64);
  const input from = view_input(byte_view(reinterpret_cast<const char*>(numbers.data()), 4 * 9), "rows.bin");
  iterative_job job(third_row{}, from);
  CHECK_THROWS_WITH(job.step(third_row{}), "no such row; at byte 20 of 'rows.bin'");
}

}  // namespace
}  // namespace duomap::test::facade_map_failure_test
