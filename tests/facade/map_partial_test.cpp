// Tests that parts of an input can be mapped separately and then merged.
#include "scheduler/map_partial.hpp"

#include "core/partial/stored/stored_partial.hpp"
#include "cpu/tbb_pool.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/tasks.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/memory_file.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace duomap::test::facade_map_partial_test {
namespace {

const run_options on_cpu{.device = device_choice::cpu, .learn = false};

template <class Value>
std::string text_of(const Value& value) {
  if constexpr (std::is_same_v<Value, byte_view>) {
    return std::string(value.text());
  } else {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }
}

/// The rows of a result; in the result's own order if there is one.
template <class Task>
std::vector<std::pair<std::string, std::string>> rows_of(const result_for<Task>& result) {
  std::vector<std::pair<std::string, std::string>> rows;
  result.for_each(
      [&](const auto& key, const auto& value) { rows.emplace_back(text_of(key), text_of(value)); });
  if (!detail::is_collect<typename Task::reduce>) std::sort(rows.begin(), rows.end());
  return rows;
}

/// Lines of words, with some long words and some empty lines.
std::string text_of_lines(std::mt19937& random, std::size_t lines) {
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) {
    for (auto words = random() % 5; words > 0; --words)
      text += std::string(1 + random() % 20, "ab,"[random() % 3]) + ' ';
    text += '\n';
  }
  return text + "the end";
}

/// A part stored like one from another process.
template <class Task>
std::shared_ptr<const partial_reader> stored(const Task& task, const partial_result<Task>& part,
                                             std::vector<std::string>& files) {
  files.push_back(written([&](byte_sink& to) { write_partial(to, task, part, {"test"}); }));
  return std::make_shared<partial_reader>(std::string_view(files.back()),
                                          "part " + std::to_string(files.size()));
}

template <class Task>
void check_parts(const Task& task, const input& whole, std::mt19937& random,
                 const std::vector<std::vector<input_slice>>& parts) {
  cpu::tbb_pool pool(2);
  const auto expected = rows_of<Task>(run(task, whole, pool, on_cpu));
  std::vector<std::string> files;
  files.reserve(parts.size());
  partial_result<Task> in_memory{empty_partial(task), covered_input(whole, {})};
  std::vector<std::shared_ptr<const partial_reader>> readers;
  for (const auto& part : parts) {
    auto found = map_partial(task, whole, part, pool, on_cpu);
    readers.push_back(stored(task, found, files));
    merge_into(in_memory, std::move(found), task, pool);
  }
  CHECK(rows_of<Task>(finish(task, std::move(in_memory), pool)) == expected);

  std::shuffle(readers.begin(), readers.end(), random);
  const auto all = select_partials(readers, task, {"test"});
  CHECK(rows_of<Task>(finish(task, read_partials(all, task, pool), pool)) == expected);
}

template <class Task>
void check_cuts(const Task& task, const input& whole, std::mt19937& random) {
  // Cuts the input into two parts at every place.
  for (std::uint64_t at = 0; at <= whole[0].units(); ++at) {
    CAPTURE(at);
    std::vector<input_slice> rest{{0, at, whole[0].units()}};
    for (std::uint32_t i = 1; i < whole.size(); ++i) {
      rest.push_back({i, 0, whole[i].addressable() ? whole[i].units() : whole_stream});
    }
    check_parts(task, whole, random, {{{0, 0, at}}, rest});
  }
  // Cuts the input into parts of equal size.
  for (std::uint64_t count : {1U, 2U, 3U, 7U, 50U}) {
    CAPTURE(count);
    std::vector<std::vector<input_slice>> parts;
    for (std::uint64_t i = 0; i < count; ++i) parts.push_back(part_of_input(whole, i, count));
    check_parts(task, whole, random, parts);
  }
}

}  // namespace

TEST_CASE("parts of an input, cut anywhere, give the answer for the whole", "[map_partial]") {
  std::mt19937 random(test::seed());
  std::vector<std::unique_ptr<source>> sources = text_input(text_of_lines(random, 6), "first").release();
  for (auto& more : text_input(text_of_lines(random, 3), "second").release())
    sources.push_back(std::move(more));
  sources.push_back(std::make_unique<test::stream_source>(text_of_lines(random, 4), "third"));
  for (auto& more : text_input("", "fourth").release()) sources.push_back(std::move(more));
  const input whole(std::move(sources));
  check_cuts(word_counts{}, whole, random);
  check_cuts(lines_by_head{}, whole, random);  // the order of the input matters
  check_cuts(lines_by_head{.grouped = true}, whole, random);
  check_cuts(places_by_size{}, whole, random);  // values are places in the whole input
}

TEST_CASE("parts of rows and of index ranges have the numbers that they have in the whole", "[map_partial]") {
  std::mt19937 random(test::seed());
  std::string bytes(24 + 16 * 9 + 5, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  check_cuts(number_parity{}, text_input(bytes), random);
  check_cuts(even_indices{}, index_input(60), random);
}

TEST_CASE("a part that is delivered twice is counted once, and parts that overlap are refused",
          "[map_partial]") {
  const input whole = text_input("one two three\nfour\nfive six\n");
  cpu::tbb_pool pool(2);
  std::vector<std::string> files;
  files.reserve(10);
  const auto part = [&](std::uint64_t from, std::uint64_t to) {
    const std::vector<input_slice> slices{{0, from, to}};
    return stored(word_counts{}, map_partial(word_counts{}, whole, slices, pool, on_cpu), files);
  };
  const auto select = [](std::vector<std::shared_ptr<const partial_reader>> parts) {
    return select_partials(std::move(parts), word_counts{}, {"test"});
  };
  const auto all = select({part(0, 10), part(10, 28), part(0, 10), part(10, 20)});
  CHECK(all.readers.size() == 2);
  CHECK(all.notes.size() == 2);
  const auto counts = finish(word_counts{}, read_partials(all, word_counts{}, pool), pool);
  CHECK(rows_of<word_counts>(counts) == rows_of<word_counts>(run(word_counts{}, whole, pool, on_cpu)));

  CHECK_THROWS_WITH(select({part(0, 10), part(5, 28)}), contains("some of its part of the input"));
  const auto first = select({part(0, 10)});
  CHECK_THROWS_WITH(finish(word_counts{}, read_partials(first, word_counts{}, pool), pool),
                    contains("do not cover 10 to 28 of 'text'"));
  CHECK_THROWS_WITH(select_partials({part(0, 10)}, word_counts{}, {"another"}),
                    contains("its task is 'test'"));
  CHECK_THROWS_WITH(select_partials({part(0, 10)}, line_heads{}, {"test", "--lower"}),
                    contains("what its task was given is ''"));
  CHECK_THROWS_WITH(select_partials({part(0, 10)}, word_heads<8>{}, {"test"}), contains("layout"));

  const input other = text_input("another input\n");
  const std::vector<input_slice> slices{{0, 0, 14}};
  const auto its = stored(word_counts{}, map_partial(word_counts{}, other, slices, pool, on_cpu), files);
  CHECK_THROWS_WITH(select({part(0, 10), its}), contains("partials of different inputs"));
}

TEST_CASE("slices that are not there are refused", "[map_partial]") {
  const input whole = text_input("one two three\n");
  cpu::tbb_pool pool(1);
  const auto map = [&](input_slice slice) {
    return map_partial(word_counts{}, whole, std::vector{slice}, pool, on_cpu);
  };
  CHECK_THROWS_AS(map({0, 3, 15}), usage_error);
  CHECK_THROWS_AS(map({0, 3, 2}), usage_error);
  CHECK_THROWS_AS(map({1, 0, 1}), usage_error);
}

TEST_CASE("a stored partial of which a byte is flipped, cut or added is refused", "[map_partial]") {
  std::mt19937 random(test::seed());
  const input whole = text_input(text_of_lines(random, 10));
  cpu::tbb_pool pool(2);
  const std::vector<input_slice> slices = part_of_input(whole, 0, 1);
  const auto part = map_partial(word_counts{}, whole, slices, pool, on_cpu);
  const std::string good = written([&](byte_sink& to) { write_partial(to, word_counts{}, part, {"test"}); });
  const auto read = [&](const std::string& bytes) {
    const auto one = select_partials({std::make_shared<partial_reader>(std::string_view(bytes), "'file'")},
                                     word_counts{}, {"test"});
    return finish(word_counts{}, read_partials(one, word_counts{}, pool), pool).size();
  };
  REQUIRE(read(good) > 0);
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1 << random() % 8);
    try {
      read(bad);
      ++accepted;
    } catch (const input_error& e) {
      CHECK_THAT(e.what(), contains("'file'"));
    }
  }
  CHECK(accepted == 0);
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK_THROWS_AS(read(good.substr(0, size)), input_error);
  CHECK_THROWS_AS(read(good + '\0'), input_error);
}

}  // namespace duomap::test::facade_map_partial_test
