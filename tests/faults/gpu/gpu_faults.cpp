// Tests faults of a working GPU. For each application and engine, the n-th call of CUDA's runtime fails,
// loses the device, is slow or hangs, or the n-th thread does not start. The answer must be right, or the
// status a documented one. A failed run leaves no result, and nothing leaks. `duomap_gpu_faults [SECONDS
// [SEED]]` tries random faults for that time, and prints their outcomes.
#include "apps/commands/program.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/gpu_state.hpp"
#include "tests/core/input/support.hpp"
#include "tests/faults/gpu/applications.hpp"
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
/// The part of the time for devices that hang. The scheduler gives such a device up after 5 s, or after 30 s
/// in a start or a commit.
constexpr double part_for_hanging = 0.3;

std::FILE* out = nullptr;  // standard output and error belong to the jobs
std::atomic<clock_type::rep> run_began{0};

double seconds_since(clock_type::time_point begin) {
  return std::chrono::duration<double>(clock_type::now() - begin).count();
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
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

/// A run without a fault, in which a GPU takes part.
struct healthy_run {
  words options;
  bool has_cpu;
  std::vector<std::string> answers;  ///< right answers: CPU and GPUs train different models
  std::vector<std::uint64_t> calls;  ///< of each kind
};

/// The part of a result that runs can compare. For a model, only the lines before its numbers, which depend
/// on when the GPU took over.
std::string comparable(const std::string& application, const std::string& result) {
  return application == "svmtrain" ? result.substr(0, result.find("total_sv")) : result;
}

void add_answer(healthy_run& of, const std::string& result) {
  const std::string answer = comparable(of.options[0], result);
  if (std::find(of.answers.begin(), of.answers.end(), answer) == of.answers.end())
    of.answers.push_back(answer);
}

/// Runs each application with each engine that can run it, on the GPU alone and beside the CPU.
std::vector<healthy_run> healthy_runs() {
  std::vector<healthy_run> all;
  for (const words& application : test::all_applications()) {
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
        if (engine != "auto") options.insert(options.end(), {"--gpu-engine", std::string(engine)});
        if (has_cpu && !application[0].starts_with("svm"))
          options.insert(options.end(), {"--share", "gpu=0.6"});
        healthy_run one{options, has_cpu, {}, {}};
        add_answer(one, expected.result);
        for (int i = 0; i < 3; ++i) {
          test::arm(test::cuda_call::launch, 0, test::cuda_fault::fails);
          const ended_run ended = run(options);
          if (ended.status != 0) break;
          one.calls.clear();
          for (const test::cuda_call call : test::cuda_calls) one.calls.push_back(test::count_of(call));
          add_answer(one, ended.result);
        }
        // Not every engine can run every application.
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
  constexpr std::uint64_t most_numbers = 300;  // for each kind and run; further calls repeat the same steps
  std::vector<fault> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const test::cuda_call call : test::cuda_calls) {
      const std::uint64_t count = std::min(runs[i].calls[static_cast<std::size_t>(call)], most_numbers);
      for (std::uint64_t number = 1; number <= count; ++number) {
        // A thread either starts or does not.
        if (call == test::cuda_call::thread) {
          if (!hanging) all.push_back({i, call, number, test::cuda_fault::fails});
          continue;
        }
        if (hanging) {
          // Nobody replaces a device alone, or the thread that steers an iterative job or a training.
          const std::string& name = runs[i].options[0];
          if (runs[i].has_cpu && !name.starts_with("svm") && name != "kmeans")
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

/// What is wrong with the end of a run with a fault; empty if nothing is.
std::string problem_of(const ended_run& ended, const healthy_run& healthy, test::cuda_call call,
                       test::cuda_fault what, const std::string& messages) {
  const auto has = [&](std::string_view part) {
    return messages.find(part) != std::string::npos;
  };
  if (has("internal error") || has("terminate")) return "internal error";
  if (ended.status == 0) {
    const std::string answer = comparable(healthy.options[0], ended.result);
    const bool right =
        std::find(healthy.answers.begin(), healthy.answers.end(), answer) != healthy.answers.end();
    return right ? "" : "wrong answer";
  }
  if (!ended.result.empty()) return "a result of a run that failed";
  if (what == test::cuda_fault::is_slow) return "a slow call is no error";
  if (healthy.has_cpu && (what != test::cuda_fault::fails || call == test::cuda_call::thread))
    return "the CPU did not do the work of a device that is lost or has no thread";
  if (ended.status != 1 && ended.status != 3 && ended.status != 4)
    return "status " + std::to_string(ended.status);
  if (!has("duomap: error: ")) return "no message";
  return "";
}

/// Resources of which a run must not keep any.
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
  std::uint64_t not_met = 0;  ///< faults not reached, because the run made fewer calls
  std::uint64_t wrong = 0;
};

/// Ends the process if a run takes a minute.
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
    const std::string problem = problem_of(ended, healthy, next->call, next->what, messages);
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

/// A GPU hangs in a step of an iterative job. This is the last fault, because the process cannot use the
/// device afterwards.
std::uint64_t hanging_step(const std::vector<healthy_run>& runs) {
  for (const healthy_run& one : runs) {
    if (!one.has_cpu || one.options[0] != "kmeans") continue;
    test::arm(test::cuda_call::question, 3, test::cuda_fault::hangs);
    const ended_run ended = run(one.options);
    const bool met = test::disarm();
    const std::string problem =
        problem_of(ended, one, test::cuda_call::question, test::cuda_fault::hangs, content_of("messages"));
    std::fprintf(out, "a step of kmeans hangs: %s, %s after %.1f s\n", met ? "met" : "not met",
                 problem.empty() ? "right" : problem.c_str(), ended.seconds);
    return problem.empty() ? 0 : 1;
  }
  return 0;
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
  test::write_inputs(folder);
  watch();

  const std::vector<healthy_run> runs = healthy_runs();
  const holdings before = held();
  print("before", before);
  std::fprintf(out, "%zu runs: an application, an engine, with the CPU or without\n", runs.size());
  std::map<std::string, tally> tallies;
  const double hanging = seconds * part_for_hanging;
  try_faults(all_faults(runs, false, random), runs, seconds - hanging, tallies);
  try_faults(all_faults(runs, true, random), runs, hanging, tallies);

  // In the end, the device must give right answers, and no resource may be held.
  std::uint64_t wrong = 0;
  for (const healthy_run& one : runs) {
    const ended_run ended = run(one.options);
    const std::string problem =
        problem_of(ended, one, test::cuda_call::wait, test::cuda_fault::is_slow, content_of("messages"));
    if (problem.empty()) continue;
    ++wrong;
    std::fprintf(out, "afterwards %s: %s: %s\n", one.options[0].c_str(), problem.c_str(),
                 content_of("messages").c_str());
  }
  const holdings after = held();
  print("after", after);
  wrong += hanging_step(runs);
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
  // Ends without destructors, because the job of a device that was given up still holds memory of that GPU.
  std::_Exit(wrong == 0 && flat ? 0 : 1);
}
