// Tests that a GPU gets the right bytes of files, memory and streams, in pieces of any size, against the CPU
// backend.
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/tbb_pool.hpp"
#include "gpu/device/device.hpp"
#include "gpu/feed/page_lock.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/options.hpp"
#include "scheduler/run.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"
#include "tests/gpu/support/keyed_tasks.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/no_gpu.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#if DUOMAP_HAS_CUDA

namespace duomap::test::gpu_feed_feeder_test {
namespace {

using counts = std::vector<std::pair<std::string, std::uint64_t>>;

counts words_of(const input& from, const std::vector<std::unique_ptr<backend<word_counts>>>& on,
                run_report& report) {
  cpu::tbb_pool pool(4);
  const auto result = scheduler::run(word_counts{}, from, on, pool, nullptr, report);
  counts rows;
  result.for_each([&](const auto& key, const auto& value) {
    rows.emplace_back(std::string(key_bytes(key).text()), value);
  });
  std::sort(rows.begin(), rows.end());
  return rows;
}

counts words_on_cpu(const input& from) {
  cpu::tbb_pool pool(4);
  std::vector<std::unique_ptr<backend<word_counts>>> one;
  one.push_back(std::make_unique<cpu::cpu_backend<word_counts>>(word_counts{}, pool));
  run_report report;
  return words_of(from, one, report);
}

/// Counts words on the first `devices` GPUs.
counts words_on_gpu(const input& from, const gpu::feed_options& feed = {}, std::size_t devices = 1) {
  std::vector<int> indices;
  for (const auto& device : gpu::discover().devices) {
    if (indices.size() < devices) indices.push_back(device.index);
  }
  run_report report;
  auto rows = words_of(from, gpu::make_backends(word_counts{}, indices, {.feed = feed}), report);
  // The report may only note the engine and the reason for it.
  for (const std::string& note : report.notes) CHECK_THAT(note, contains(" engine, because "));
  return rows;
}

}  // namespace

TEST_CASE("GPU feed: a mapped file and the same text in memory", "[gpu][feed]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  const temporary_folder folder;
  // More chunks than may be open at a time.
  const std::string text = random_words(random, 330'000'000, 50'000);
  const input file = open_input({folder.write("file", text)});
  const counts expected = words_on_cpu(file);
  CHECK((words_on_gpu(file) == expected));
  CHECK((words_on_gpu(file) == expected));
  CHECK((words_on_gpu(text_input(text)) == expected));
}

TEST_CASE("GPU feed: pieces of any size, any number of threads", "[gpu][feed]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  const temporary_folder folder;
  for (unsigned round = 0; round < 6; ++round) {
    const std::string text = random_words(random, 1 + random() % 4'000'000, 1 + random() % 10'000);
    const input file = open_input({folder.write("file", text)});
    const counts expected = words_on_cpu(file);
    for (const unsigned threads : {1u, 3u, 16u}) {
      const std::uint64_t piece = 1 + text.size() / (1 + random() % 100);
      CAPTURE(text.size(), threads, piece);
      CHECK((words_on_gpu(file, {.threads = threads, .piece_bytes = piece}) == expected));
    }
  }
}

TEST_CASE("GPU feed: several files, one of them twice, and one without its name", "[gpu][feed]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  const temporary_folder folder;
  std::vector<std::string> paths;
  // The files are large enough to be mapped. Smaller ones would be streams, opened when they are read.
  for (unsigned i = 0; i < 5; ++i) {
    paths.push_back(folder.write("file" + std::to_string(i),
                                 random_words(random, 2'000'000 + random() % 12'000'000, 5000)));
  }
  paths.push_back(paths[1]);
  const input files = open_input(paths);
  const counts expected = words_on_cpu(files);
  CHECK((words_on_gpu(files) == expected));
  // The file has gone, so its mapping is read.
  std::filesystem::remove(paths[2]);
  CHECK((words_on_gpu(files, {.threads = 4, .piece_bytes = 1 << 20}) == expected));
}

TEST_CASE("GPU feed: without page-locked memory it is slow, and says so", "[gpu][feed]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  const input text = text_input(random_words(random, 40'000'000, 5000));
  run_report report;
  const auto rows = words_of(text,
                             gpu::make_backends(word_counts{}, {gpu::discover().devices.front().index},
                                                {.feed = {.refuse_locked = true}}),
                             report);
  CHECK((rows == words_on_cpu(text)));
  // The first note names the engine.
  REQUIRE(report.notes.size() == 2);
  CHECK_THAT(report.notes[1], contains("gpu 0") && contains("a fraction of the link's speed") &&
                                  contains("refused by the options"));
}

TEST_CASE("GPU feed: page-locked files and memory are copied from where they lie", "[gpu][feed]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  const temporary_folder folder;
  // More chunks than may be open at a time, and not whole pages.
  const std::string text = random_words(random, 330'000'001, 50'000);
  const std::string other = random_words(random, 3'000'007, 500);
  const input files = open_input({folder.write("file", text), folder.write("other", other)});
  const input memory = text_input(text);
  const counts of_files = words_on_cpu(files);
  const counts of_memory = words_on_cpu(memory);
  for (int round = 0; round < 2; ++round) {
    const gpu::page_lock files_locked(files);
    const gpu::page_lock memory_locked(memory);
    CHECK(files_locked.refusal() == "");
    CHECK(files_locked.bytes() == text.size() + other.size());
    CHECK(memory_locked.refusal() == "");
    CHECK(gpu::is_page_locked(files));
    // If threads carried these bytes to the GPU, the report would have a note about it.
    CHECK((words_on_gpu(files, {.refuse_locked = true}) == of_files));
    CHECK((words_on_gpu(memory, {.refuse_locked = true}, 2) == of_memory));
    const gpu::page_lock again(memory);
    CHECK(again.bytes() == 0);
    CHECK_THAT(again.refusal(), contains("could not be page-locked"));
  }
  CHECK_FALSE(gpu::is_page_locked(files));
  CHECK((words_on_gpu(files) == of_files));
}

TEST_CASE("GPU feed: files of which one is page-locked", "[gpu][feed]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  const temporary_folder folder;
  const input files = open_input({folder.write("first", random_words(random, 90'000'000, 5000)),
                                  folder.write("second", random_words(random, 90'000'000, 5000))});
  const gpu::page_lock second(files[1].bytes());
  CHECK(second.refusal() == "");
  CHECK_FALSE(gpu::is_page_locked(files));
  CHECK((words_on_gpu(files) == words_on_cpu(files)));
}

TEST_CASE("GPU feed: all GPUs of the machine together", "[gpu][feed]") {
  if (no_gpu()) return;
  const std::size_t devices = gpu::discover().devices.size();
  if (devices < 2) WARN("there is one GPU only");
  auto random = std::mt19937_64(seed());
  const temporary_folder folder;
  const std::string text = random_words(random, 400'000'000, 50'000);
  const input file = open_input({folder.write("file", text)});
  const counts expected = words_on_cpu(file);
  CHECK((words_on_gpu(file, {}, devices) == expected));
  CHECK((words_on_gpu(text_input(text), {.threads = 2, .piece_bytes = 1 << 20}, devices) == expected));
}

TEST_CASE("GPU feed: a file that becomes shorter is an error", "[gpu][feed]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  const temporary_folder folder;
  const std::string path = folder.write("shrinking", random_words(random, 80'000'000, 5000));
  const input file = open_input({path});
  // The search for cuts between chunks reads the mapping, so the file may only lack its very end.
  REQUIRE(::truncate(path.c_str(), 79'999'990) == 0);
  CHECK_THROWS_AS(words_on_gpu(file), input_error);
  CHECK_THROWS_AS(words_on_gpu(file, {.threads = 3, .piece_bytes = 1 << 20}), input_error);
  // The next run is not affected.
  CHECK(words_on_gpu(text_input("one two one")).size() == 2);
}

}  // namespace duomap::test::gpu_feed_feeder_test

#endif
