// Runs random jobs in one process, for the number of minutes in the first argument: applications, sizes,
// threads, cancelled runs, failing inputs, outputs and system calls. Compares every answer with the first of
// its kind. Memory, descriptors, threads, mappings and files must not grow. Prints a line each minute. The
// second argument is a seed. The third is a record (soak_record.hpp) to continue: this process then draws
// other jobs than those before.
#include "apps/commands/program.hpp"
#include "apps/tasks/wordcount/wordcount.hpp"
#include "core/error.hpp"
#include "core/run_control.hpp"
#include "duomap.hpp"
#include "tests/core/input/support.hpp"
#include "tests/soak/soak_record.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

// tests/faults/fail_calls.cpp defines it.
extern "C" bool duomap_fail_at(const char* call, long number);

namespace {

using clock_type = std::chrono::steady_clock;

/// The soak prints to this file; the output of jobs is dropped.
std::FILE* out = nullptr;

using words = std::vector<std::string>;

struct job {
  words arguments;  ///< for `duomap run`, with files "input", "second" and "square"
  std::function<std::string(std::uint64_t)> record;  ///< makes record i of the input
  std::uint64_t most_records;
};

std::string number(std::uint64_t value) { return std::to_string(value); }

std::string row(std::uint64_t i) {
  return number(i % 7) + "," + number(i * i % 11) + "," + number(i % 5) + "," + (i % 2 == 0 ? "a" : "b") +
         "\n";
}

std::string sparse_row(std::uint64_t i) {
  return std::string(i % 2 == 0 ? "1" : "-1") + " 1:" + number(i % 7 + i % 2 * 5) +
         " 2:" + number(i * i % 11) + "\n";
}

std::string log_line(std::uint64_t i) {
  return "10.0.0." + number(i % 9) + " - - [10/Oct/2000:13:55:36 -0700] \"GET /" + number(i % 40) +
         ".html HTTP/1.0\" 200 9 \"-\" \"agent\"\n";
}

/// An application keeps its options from run to run, so all its runs have the same options.
std::vector<job> all_jobs() {
  const auto word = [](std::uint64_t i) {
    return "word" + number(i * i % 977) + (i % 9 == 0 ? "\n" : " ");
  };
  return {
      {{"wordcount", "--sort", "key", "input"}, word, 200'000},
      {{"wordcount", "--sort", "value", "--top", "10", "input"}, word, 200'000},
      {{"stringmatch", "--pattern", "word9", "input"}, word, 200'000},
      {{"aggregate", "--sort", "key", "--no-decompress", "input"},
       [](std::uint64_t i) { return "key" + number(i % 300) + "," + number(i % 1000) + "\n"; },
       100'000},
      {{"invertedindex", "input"},
       [](std::uint64_t i) { return "<a href='" + number(i % 50) + ".html'>x</a>\n"; },
       50'000},
      {{"pageviewcount", "--sort", "key", "input"}, log_line, 20'000},
      {{"pageviewrank", "--top", "3", "input"}, log_line, 20'000},
      {{"kmeans", "--k", "3", "--leave-out", "4", "input"}, row, 20'000},
      {{"knn", "--train", "input", "--test", "second", "--label", "4"}, row, 5'000},
      {{"naivebayes", "--train", "input", "--label", "4"}, row, 20'000},
      {{"pca", "--leave-out", "4", "--threads", "1", "input"}, row, 20'000},
      {{"svmtrain", "input", "result"}, sparse_row, 300},
      {{"similarity", "--leave-out", "4", "input"}, row, 200},
      {{"matmul", "square", "square"}, row, 10},
  };
}

bool has(const words& arguments, std::string_view one) {
  return std::find(arguments.begin(), arguments.end(), one) != arguments.end();
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::uint64_t entries_of(const std::string& folder) {
  const auto begin = std::filesystem::directory_iterator(folder);
  return static_cast<std::uint64_t>(std::distance(begin, std::filesystem::directory_iterator()));
}

using duomap::test::holdings;
using duomap::test::soak_record;

holdings held(const std::string& folder) {
  const std::string maps = content_of("/proc/self/maps");
  const std::string statm = content_of("/proc/self/statm");
  const std::uint64_t pages = std::strtoull(statm.c_str() + statm.find(' '), nullptr, 10);
  return {.kilobytes = pages * 4,
          .descriptors = entries_of("/proc/self/fd"),
          .threads = entries_of("/proc/self/task"),
          .mappings = static_cast<std::uint64_t>(std::count(maps.begin(), maps.end(), '\n')),
          .files = entries_of(folder)};
}

class soak {
 public:
  soak(std::uint32_t seed, soak_record& record) : record_(record), random_(seed) {
    std::filesystem::current_path(folder_.path());
    folder_.write("square", "1,2,3\n4,5,6\n7,8,10\n");
    folder_.write("second", row(1) + row(2) + row(3));
  }

  /// Runs one job; false if its answer is wrong.
  [[nodiscard]] bool step() {
    const std::uint64_t kind = random_() % 10;
    if (kind == 0) return cancelled();
    if (kind == 1) return refused();
    return answered(kind == 2);
  }

  [[nodiscard]] holdings now() const {
    for (const char* const name : {"input", "result"}) std::filesystem::remove(folder_.path(name));
    return held(folder_.path());
  }

 private:
  [[nodiscard]] int run(words arguments) const {
    arguments.insert(arguments.begin(), {"duomap", "run"});
    arguments.insert(arguments.begin() + 3, "--quiet");
    if (!has(arguments, "result") && !has(arguments, "--output"))
      arguments.insert(arguments.end(), {"--output", "result"});
    std::vector<const char*> texts;
    for (const std::string& one : arguments) texts.push_back(one.c_str());
    return duomap::apps::run_program(static_cast<int>(texts.size()), texts.data());
  }

  /// A run that can succeed. With a fault, a system call fails during the run.
  [[nodiscard]] bool answered(bool with_fault) {
    job one = jobs_[random_() % jobs_.size()];
    const std::array<std::uint64_t, 4> sizes = {10, 100, one.most_records / 10, one.most_records};
    const std::uint64_t records = std::min(sizes[random_() % sizes.size()], one.most_records);
    std::string text, name;
    for (std::uint64_t i = 0; i < records; ++i) text += one.record(i);
    folder_.write("input", text);
    for (const std::string& argument : one.arguments) name += (name.empty() ? "" : "+") + argument;
    if (!has(one.arguments, "--threads") && one.arguments[0] != "svmtrain")
      one.arguments.insert(one.arguments.begin() + 1, {"--threads", number(1 + random_() % 4)});
    std::filesystem::remove(folder_.path("result"));
    if (with_fault) return faulty(one, name, records);
    const int status = run(one.arguments);
    ++record_.done[status == 0 ? "answered" : "too small"];
    if (record_.agrees(name, records, answer(status))) return true;
    std::fprintf(out, "soak: another answer: %s with %llu records\n", name.c_str(),
                 static_cast<unsigned long long>(records));
    return false;
  }

  [[nodiscard]] std::string answer(int status) const {
    return std::to_string(status) + " " + content_of(folder_.path("result"));
  }

  /// The status must be a documented one. A result must be right, or missing.
  [[nodiscard]] bool faulty(const job& one, const std::string& name, std::uint64_t records) {
    // The calls that a job makes fail. malloc is not among them: if it failed in a noexcept function, this
    // process would end with status 4 (out of memory).
    constexpr std::array calls = {"mmap",  "open",  "read",   "pread",         "write",
                                  "close", "fsync", "rename", "pthread_create"};
    const char* const call = calls[random_() % calls.size()];
    const long at = static_cast<long>(std::exp2(static_cast<double>(random_() % 600) / 100));
    duomap_fail_at(call, at);
    const int status = run(one.arguments);
    if (!duomap_fail_at("", 0)) return true;
    ++record_.done[std::string("a fault at ") + call];
    const bool has_result = std::filesystem::exists(folder_.path("result"));
    // Training writes its whole model before it prints the outcome, so a failed print may leave the model.
    const bool may_be_whole = one.arguments[0] == "svmtrain" && status == 1 && has_result;
    const bool right = status == 0 || may_be_whole
                           ? record_.agrees(name, records, answer(0))
                           : (status == 1 || status == 4 || status == 5) && !has_result;
    if (!right)
      std::fprintf(out, "soak: status %d of %s when %s fails at call %ld%s\n", status, name.c_str(), call, at,
                   has_result ? ", and a result" : "");
    return right;
  }

  /// A run that another thread cancels gives the whole answer or none.
  [[nodiscard]] bool cancelled() {
    std::string text;
    for (std::uint64_t i = 0; i < 300'000; ++i) text += number(i % 1000) + " ";
    duomap::run_control control;
    const auto after = std::chrono::microseconds(random_() % 20'000);
    std::thread other([&] {
      std::this_thread::sleep_for(after);
      control.cancelled = true;
    });
    bool right = true;
    try {
      right =
          duomap::run(duomap::apps::wordcount{}, duomap::view_input(text), {.control = &control}).size() ==
          1000;
      ++record_.done["cancelled too late"];
    } catch (const duomap::interrupted&) {
      ++record_.done["cancelled"];
    }
    other.join();
    return right;
  }

  /// A run that cannot succeed has a documented status and leaves no file.
  [[nodiscard]] bool refused() {
    folder_.write("input", "1,2\n3,x\n");
    const std::array<words, 5> runs = {{{"wordcount", "missing"},
                                        {"pca", "--leave-out", "1", "input"},
                                        {"wordcount", "--output", "missing/result", "input"},
                                        {"svmclassify", "input", "input", "result"},
                                        {"wordcount", "--output", "/dev/full", "input"}}};
    const int status = run(runs[random_() % runs.size()]);
    ++record_.done["refused"];
    if (status == 1 || status == 5) return true;
    std::fprintf(out, "soak: status %d of a run that cannot succeed\n", status);
    return false;
  }

  duomap::test::temporary_folder folder_;
  std::vector<job> jobs_ = all_jobs();
  soak_record& record_;
  std::mt19937 random_;
};

void print(double minutes, std::uint64_t jobs, const holdings& now) {
  std::fprintf(out,
               "%.1f min\t%llu jobs\t%llu KB\t%llu descriptors\t%llu threads\t%llu mappings\t%llu files\n",
               minutes, static_cast<unsigned long long>(jobs), static_cast<unsigned long long>(now.kilobytes),
               static_cast<unsigned long long>(now.descriptors), static_cast<unsigned long long>(now.threads),
               static_cast<unsigned long long>(now.mappings), static_cast<unsigned long long>(now.files));
  std::fflush(out);
}

bool is_flat(const soak_record::process& one) {
  const holdings& first = one.early;
  const holdings& last = one.last;
  return last.descriptors <= first.descriptors && last.threads <= first.threads + 8 &&
         last.files <= first.files && last.mappings <= first.mappings + 64 &&
         last.kilobytes <= first.kilobytes + first.kilobytes / 4;
}

double processor_minutes() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return (static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9) / 60;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%F", std::gmtime(&now));
  return text.data();
}

}  // namespace

int main(int argc, char** argv) {
  const double minutes = argc > 1 ? std::atof(argv[1]) : 1;
  const auto seed =
      static_cast<std::uint32_t>(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : std::random_device{}());
  soak_record record(argc > 3 ? std::filesystem::absolute(argv[3]).string() : "");
  out = ::fdopen(::dup(STDOUT_FILENO), "w");
  if (out == nullptr || !std::freopen("/dev/null", "w", stdout) || !std::freopen("/dev/null", "w", stderr))
    return 1;
  soak_record::process mine{.date = today(), .seed = seed + record.processes()};
  std::fprintf(out, "seed %llu, after %zu processes and %.1f minutes\n",
               static_cast<unsigned long long>(mine.seed), record.processes(), record.minutes());
  soak all(static_cast<std::uint32_t>(mine.seed), record);
  const auto begin = clock_type::now();
  const auto minutes_since = [&] {
    return std::chrono::duration<double, std::ratio<60>>(clock_type::now() - begin).count();
  };
  double shown = 0;
  bool right = true;
  const auto look = [&] {
    mine.minutes = shown = minutes_since();
    mine.processor_minutes = processor_minutes();
    mine.last = all.now();
    // After a fifth of the time, or ten minutes, all caches and threads that are made only once exist.
    if (mine.early.threads == 0 && shown > std::min(minutes / 5, 10.0)) mine.early = mine.last;
    mine.verdict = !right                                     ? "wrong"
                   : mine.early.threads == 0 || is_flat(mine) ? "right, flat"
                                                              : "right, not flat";
    print(shown, mine.jobs, mine.last);
    record.save(mine);
  };
  for (; minutes_since() < minutes && right; ++mine.jobs) {
    right = all.step();
    if (minutes_since() > shown + std::min(minutes / 5, 1.0)) look();
  }
  look();
  for (const auto& [what, count] : record.done)
    std::fprintf(out, "%s: %llu\n", what.c_str(), static_cast<unsigned long long>(count));
  std::fprintf(out, "%s; with the processes before it %.1f minutes\n", mine.verdict.c_str(),
               record.minutes() + mine.minutes);
  return mine.verdict == "right, flat" ? 0 : 1;
}
