// Faults of a GPU that works: for each application, each engine that runs it, and each kind of call of CUDA's
// runtime, the n-th call fails, says that the device is lost, is slow or hangs. The answer is right or the
// status a documented one, no result is left by a run that failed, and nothing is leaked. `duomap_gpu_faults
// [SECONDS [SEED]]` tries as many faults, in random order, as it can in that time, and prints what came of
// them.
#include "apps/commands/program.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/in_process.hpp"
#include "tests/core/input/support.hpp"
#include "tests/faults/gpu/fail_cuda.hpp"

#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace duomap;
using clock_type = std::chrono::steady_clock;
using words = std::vector<std::string>;

constexpr int hangs_after_seconds = 60;
/// A device alone is waited for, and one that hangs is left after 5 s or, where it starts or commits, after
/// 30 s.
constexpr int seconds_for_hanging = 8;

std::FILE* out = nullptr;  // standard output and error are the jobs'
std::atomic<clock_type::rep> run_began{0};

double seconds_since(clock_type::time_point begin) {
  return std::chrono::duration<double>(clock_type::now() - begin).count();
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string repeated(std::uint64_t records, std::string (*record)(std::uint64_t)) {
  std::string text;
  for (std::uint64_t i = 0; i < records; ++i) text += record(i);
  return text;
}

/// Small whole numbers, so that sums are exact in any order.
std::string row(std::uint64_t i) {
  return std::to_string(i % 7) + "," + std::to_string(i * i % 11) + "," + std::to_string(i % 5) + "," +
         (i % 2 == 0 ? "a" : "b") + "\n";
}

void write_inputs(const test::temporary_folder& folder) {
  folder.write("words", repeated(60'000, [](std::uint64_t i) {
                 return "word" + std::to_string(i * i % 977) + (i % 9 == 0 ? "\n" : " ");
               }));
  folder.write("sums", repeated(30'000, [](std::uint64_t i) {
                 return "key" + std::to_string(i % 300) + "," + std::to_string(i % 1000) + "\n";
               }));
  folder.write("page", repeated(10'000, [](std::uint64_t i) {
                 return "<a href='" + std::to_string(i % 50) + ".html'>x</a>\n";
               }));
  folder.write("log", repeated(5'000, [](std::uint64_t i) {
                 return "10.0.0." + std::to_string(i % 9) + " - - [10/Oct/2000:13:55:36 -0700] \"GET /" +
                        std::to_string(i % 40) + ".html HTTP/1.0\" 200 9 \"-\" \"agent\"\n";
               }));
  folder.write("rows", repeated(30'000, row));
  folder.write("few_rows", repeated(300, row));
  folder.write("sparse", repeated(300, [](std::uint64_t i) {
                 return std::string(i % 2 == 0 ? "1" : "-1") + " 1:" + std::to_string(i % 7 + i % 2 * 5) +
                        " 2:" + std::to_string(i * i % 11) + "\n";
               }));
  folder.write("square", repeated(64, [](std::uint64_t i) {
                 std::string line;
                 for (std::uint64_t k = 0; k < 64; ++k)
                   line += std::to_string((i * k) % 9) + (k < 63 ? "," : "\n");
                 return line;
               }));
}

/// An application keeps the options of its own from run to run, so all runs of one have the same.
std::vector<words> all_applications() {
  return {{"wordcount", "--sort", "key", "words"},
          {"aggregate", "--sort", "key", "sums"},
          {"stringmatch", "--pattern", "word9", "words"},
          {"invertedindex", "page"},
          {"pageviewcount", "--sort", "key", "log"},
          {"pageviewrank", "--top", "3", "log"},
          {"naivebayes", "--train", "rows", "--label", "4"},
          {"pca", "--leave-out", "4", "rows"},
          {"knn", "--train", "few_rows", "--query", "rows", "--label", "4"},
          {"similarity", "--leave-out", "4", "few_rows"},
          {"matmul", "square", "square"},
          {"kmeans", "--k", "3", "--leave-out", "4", "rows"},
          {"svmtrain", "sparse", "result"},
          {"svmclassify", "sparse", "model", "result"}};
}

struct ended_run {
  int status = 0;
  std::string result;
  double seconds = 0;
};

ended_run run(const words& options) {
  std::filesystem::remove("result");
  words arguments = {"duomap", "run"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.emplace_back("--quiet");
  if (std::find(options.begin(), options.end(), "result") == options.end())
    arguments.insert(arguments.end(), {"--output", "result"});
  std::vector<const char*> texts;
  for (const std::string& one : arguments) texts.push_back(one.c_str());
  static_cast<void>(::ftruncate(STDERR_FILENO, 0));
  const auto begin = clock_type::now();
  run_began = begin.time_since_epoch().count();
  ended_run ended;
  ended.status = apps::run_program(static_cast<int>(texts.size()), texts.data());
  run_began = 0;
  ended.seconds = seconds_since(begin);
  ended.result = content_of("result");
  return ended;
}

/// A run without a fault that a GPU takes part in.
struct healthy_run {
  words options;
  bool has_cpu;
  std::vector<std::string> answers;  ///< of the CPU and of GPUs, whose models of support vectors differ
  std::vector<std::uint64_t> calls;  ///< of each kind
};

void add_answer(healthy_run& of, const std::string& answer) {
  if (std::find(of.answers.begin(), of.answers.end(), answer) == of.answers.end())
    of.answers.push_back(answer);
}

/// Each application by each engine that runs it, on the GPU alone and beside the CPU.
std::vector<healthy_run> healthy_runs() {
  std::vector<healthy_run> all;
  for (const words& application : all_applications()) {
    words cpu = application;
    cpu.insert(cpu.end(), {"--device", "cpu"});
    const ended_run expected = run(cpu);
    if (expected.status != 0) {
      std::fprintf(out, "%s fails on the CPU: %s\n", application[0].c_str(), content_of("messages").c_str());
      std::exit(1);
    }
    if (application[0] == "svmtrain") std::filesystem::copy_file("result", "model");
    for (const std::string_view engine : {"auto", "custom", "dense", "hash", "sort"}) {
      for (const bool has_cpu : {false, true}) {
        words options = application;
        options.insert(options.end(), {"--device", has_cpu ? "cpu+gpu" : "gpu"});
        if (engine != "auto") options.insert(options.end(), {"--engine", std::string(engine)});
        if (has_cpu && !application[0].starts_with("svm"))
          options.insert(options.end(), {"--split", "gpu=0.6"});
        healthy_run one{options, has_cpu, {expected.result}, {}};
        for (int i = 0; i < 3; ++i) {
          test::arm(test::cuda_call::launch, 0, test::cuda_fault::fails);
          const ended_run ended = run(options);
          if (ended.status != 0) break;
          one.calls.clear();
          for (const test::cuda_call call : test::cuda_calls) one.calls.push_back(test::count_of(call));
          add_answer(one, ended.result);
        }
        // Not all engines run all applications.
        if (!one.calls.empty()) all.push_back(std::move(one));
      }
    }
  }
  return all;
}

struct fault {
  std::size_t run;
  test::cuda_call call;
  std::uint64_t number;
  test::cuda_fault what;
};

std::vector<fault> all_faults(const std::vector<healthy_run>& runs, bool hanging, std::mt19937& random) {
  constexpr std::uint64_t most_numbers = 300;  // of a kind and a run; more are the same steps again
  std::vector<fault> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const test::cuda_call call : test::cuda_calls) {
      const std::uint64_t count = std::min(runs[i].calls[static_cast<std::size_t>(call)], most_numbers);
      for (std::uint64_t number = 1; number <= count; ++number) {
        if (hanging) {
          // A device alone is waited for; so is the calling thread's own call of an iterative job or of
          // training.
          const std::string& name = runs[i].options[0];
          if (runs[i].has_cpu && !name.starts_with("svm") &&
              (name != "kmeans" || call == test::cuda_call::wait))
            all.push_back({i, call, number, test::cuda_fault::hangs});
          continue;
        }
        all.push_back({i, call, number, test::cuda_fault::fails});
        all.push_back({i, call, number, test::cuda_fault::loses_device});
        if (number % 16 == 1) all.push_back({i, call, number, test::cuda_fault::is_slow});
      }
    }
  }
  std::shuffle(all.begin(), all.end(), random);
  return all;
}

std::string text_of(const fault& one, const std::vector<healthy_run>& runs) {
  std::string text;
  for (const std::string& word : runs[one.run].options) text += word + " ";
  return text + "(" + std::string(name(one.call)) + " " + std::to_string(one.number) + " " +
         std::string(name(one.what)) + ")";
}

/// What is wrong with how a run with a fault ended; empty when nothing is.
std::string problem_of(const ended_run& ended, const healthy_run& healthy, test::cuda_fault what,
                       const std::string& messages) {
  const auto has = [&](std::string_view part) {
    return messages.find(part) != std::string::npos;
  };
  if (has("internal error") || has("terminate")) return "internal error";
  if (ended.status == 0) {
    const bool right =
        std::find(healthy.answers.begin(), healthy.answers.end(), ended.result) != healthy.answers.end();
    return right ? "" : "wrong answer";
  }
  if (!ended.result.empty()) return "a result of a run that failed";
  if (what == test::cuda_fault::is_slow) return "a slow call is no error";
  if (healthy.has_cpu && what != test::cuda_fault::fails)
    return "the CPU did not do the work of a lost device";
  if (ended.status != 1 && ended.status != 3 && ended.status != 4)
    return "status " + std::to_string(ended.status);
  if (!has("duomap: error: ")) return "no message";
  return "";
}

/// What must be as it was.
struct holdings {
  std::uint64_t device_bytes = 0;
  std::uint64_t descriptors = 0;
  std::uint64_t threads = 0;
  std::uint64_t files = 0;
};

std::uint64_t entries_of(const std::string& folder) {
  const auto begin = std::filesystem::directory_iterator(folder);
  return static_cast<std::uint64_t>(std::distance(begin, std::filesystem::directory_iterator()));
}

holdings held() {
  std::filesystem::remove("result");
  cudaMemPool_t pool = nullptr;
  holdings now{0, entries_of("/proc/self/fd"), entries_of("/proc/self/task"), entries_of(".")};
  static_cast<void>(cudaDeviceSynchronize());
  if (cudaDeviceGetDefaultMemPool(&pool, gpu::discover().devices.front().index) == cudaSuccess)
    static_cast<void>(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &now.device_bytes));
  return now;
}

void print(const char* when, const holdings& now) {
  std::fprintf(out, "%s: %llu bytes of device memory, %llu descriptors, %llu threads, %llu files\n", when,
               static_cast<unsigned long long>(now.device_bytes),
               static_cast<unsigned long long>(now.descriptors), static_cast<unsigned long long>(now.threads),
               static_cast<unsigned long long>(now.files));
}

struct tally {
  std::uint64_t tried = 0;
  std::uint64_t right = 0;
  std::uint64_t refused = 0;
  std::uint64_t not_met = 0;  ///< the run made fewer calls this time
  std::uint64_t wrong = 0;
};

/// Ends the process when a run takes a minute.
void watch() {
  std::thread([] {
    while (true) {
      std::this_thread::sleep_for(std::chrono::seconds(1));
      const clock_type::rep began = run_began;
      if (began == 0 ||
          seconds_since(clock_type::time_point(clock_type::duration(began))) < hangs_after_seconds)
        continue;
      std::fprintf(out, "HANGS: the run above has not ended for %d s\n", hangs_after_seconds);
      std::fflush(out);
      std::_Exit(1);
    }
  }).detach();
}

void try_faults(const std::vector<fault>& faults, const std::vector<healthy_run>& runs, double seconds,
                std::map<std::string, tally>& tallies) {
  const auto begin = clock_type::now();
  const auto* next = faults.data();
  for (; next != faults.data() + faults.size() && seconds_since(begin) < seconds; ++next) {
    const healthy_run& healthy = runs[next->run];
    tally& counted = tallies[std::string(name(next->what)) + " at " + std::string(name(next->call))];
    if (next->what == test::cuda_fault::hangs) {
      std::fprintf(out, "%s\n", text_of(*next, runs).c_str());
      std::fflush(out);
    }
    test::arm(next->call, next->number, next->what);
    const ended_run ended = run(healthy.options);
    const bool met = test::disarm();
    // A thread that was given up ends when its call returns.
    for (const auto waited = clock_type::now(); gpu::any_hanging() && seconds_since(waited) < 10;)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::string messages = content_of("messages");
    const std::string problem = problem_of(ended, healthy, next->what, messages);
    if (!met) {
      ++counted.not_met;
      if (problem.empty()) continue;
    }
    ++counted.tried;
    counted.right += problem.empty() && ended.status == 0;
    counted.refused += problem.empty() && ended.status != 0;
    if (problem.empty()) continue;
    ++counted.wrong;
    std::fprintf(out, "%s: %s; status %d after %.1f s; %s\n", text_of(*next, runs).c_str(), problem.c_str(),
                 ended.status, ended.seconds, messages.substr(0, 400).c_str());
    std::fflush(out);
  }
  std::fprintf(out, "%td of %zu faults in %.0f s\n", next - faults.data(), faults.size(),
               seconds_since(begin));
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 120;
  const auto seed =
      static_cast<std::uint32_t>(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : std::random_device{}());
  if (gpu::discover().devices.empty()) {
    std::puts("skipped, there is no GPU");
    return 0;
  }
  ::setenv("DUOMAP_PROFILE", "off", 1);
  const test::temporary_folder folder;
  std::filesystem::current_path(folder.path());
  out = ::fdopen(::dup(STDOUT_FILENO), "w");
  if (out == nullptr || std::freopen("/dev/null", "w", stdout) == nullptr ||
      std::freopen("messages", "a", stderr) == nullptr)
    return 1;
  std::fprintf(out, "seed %u\n", seed);
  std::mt19937 random(seed);
  write_inputs(folder);
  watch();

  const std::vector<healthy_run> runs = healthy_runs();
  const holdings before = held();
  print("before", before);
  std::fprintf(out, "%zu runs: an application, an engine, with the CPU or without\n", runs.size());
  std::map<std::string, tally> tallies;
  const double hanging = std::min<double>(seconds / 3, seconds_for_hanging * 6.0);
  try_faults(all_faults(runs, false, random), runs, seconds - hanging, tallies);
  try_faults(all_faults(runs, true, random), runs, hanging, tallies);

  // After all that the device gives right answers, and nothing is held.
  std::uint64_t wrong = 0;
  for (const healthy_run& one : runs) {
    const ended_run ended = run(one.options);
    const std::string problem = problem_of(ended, one, test::cuda_fault::is_slow, content_of("messages"));
    if (problem.empty()) continue;
    ++wrong;
    std::fprintf(out, "afterwards %s: %s: %s\n", one.options[0].c_str(), problem.c_str(),
                 content_of("messages").c_str());
  }
  const holdings after = held();
  print("after", after);
  const bool flat = after.device_bytes <= before.device_bytes && after.descriptors <= before.descriptors &&
                    after.threads <= before.threads + 8 && after.files <= before.files;
  std::fprintf(out,
               "| fault | tried | right | refused | wrong | not met |\n|---|---:|---:|---:|---:|---:|\n");
  for (const auto& [what, one] : tallies) {
    wrong += one.wrong;
    std::fprintf(out, "| %s | %llu | %llu | %llu | %llu | %llu |\n", what.c_str(),
                 static_cast<unsigned long long>(one.tried), static_cast<unsigned long long>(one.right),
                 static_cast<unsigned long long>(one.refused), static_cast<unsigned long long>(one.wrong),
                 static_cast<unsigned long long>(one.not_met));
  }
  std::fprintf(out, "%s, %s\n", wrong == 0 ? "nothing wrong" : "something wrong",
               flat ? "nothing leaked" : "LEAKED");
  std::fflush(out);
  // A loop of an iterative job that was given up is never destroyed, and its memory is the device's loss.
  std::_Exit(wrong == 0 && flat ? 0 : 1);
}
