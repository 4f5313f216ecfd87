// Writes the commands of LIBSVM's and duomap's programs and runs them in turn.
#include "bench/suites/svm_programs.hpp"

#include "apps/cli/console.hpp"
#include "bench/harness/bench_context.hpp"
#include "bench/harness/measured_program.hpp"
#include "bench/harness/piped_program.hpp"
#include "core/error.hpp"
#include "cpu/cores.hpp"

#include <optional>

namespace duomap::apps {
namespace {

/// If a program's first run takes more seconds, there is no second: LIBSVM trains a9a (C = 100) for minutes.
constexpr double enough_seconds = 8;

svm_programs libsvm(const std::string& name, const std::string& train, const std::string& classify,
                    unsigned threads, const data_set& data, const std::string& folder) {
  const std::string model = folder + "/" + name + ".model", labels = folder + "/" + name + ".labels";
  return {.name = name,
          .threads = threads,
          .train = {train, {"svm-train", "-c", data.c, "-g", data.gamma, folder + "/train", model}},
          .classify = {classify, {"svm-predict", folder + "/test", model, labels}},
          .model = model,
          .labels = labels};
}

svm_programs duomap_on(const std::string& device, const data_set& data, const std::string& folder) {
  const std::string& self = measured_program();
  const std::string model = folder + "/" + device + ".model", labels = folder + "/" + device + ".labels";
  return {.name = "duomap",
          .device = device,
          .threads = cpu::usable_cores().cores,
          .train = {self,
                    {"duomap", "run", "svmtrain", "--quiet", "--device", device, "-c", data.c, "-g",
                     data.gamma, folder + "/train", model}},
          .classify = {self,
                       {"duomap", "run", "svmclassify", "--quiet", "--device", device, folder + "/test",
                        model, labels}},
          .model = model,
          .labels = labels};
}

}  // namespace

std::vector<svm_programs> svm_programs_for(const data_set& data, const std::string& other_libsvm,
                                           const std::vector<device_choice>& devices,
                                           const std::string& folder) {
  const std::string train = find_program("svm-train"), classify = find_program("svm-predict");
  if (train.empty() || classify.empty())
    throw usage_error("svm-train and svm-predict are not installed (Debian package libsvm-tools)");
  std::vector<svm_programs> all{libsvm("LIBSVM", train, classify, 1, data, folder)};
  if (!other_libsvm.empty())
    all.push_back(libsvm("LIBSVM, other build", other_libsvm + "/svm-train", other_libsvm + "/svm-predict",
                         cpu::usable_cores().cores, data, folder));
  for (const device_choice device : devices) all.push_back(duomap_on(device_text(device), data, folder));
  return all;
}

void run_in_turn(std::vector<svm_programs>& all, svm_command svm_programs::*command, const std::string& what,
                 double limit, unsigned rounds, const run_control& control) {
  const double most = limit > 0 ? limit : std::numeric_limits<double>::infinity();
  std::vector<variant> variants;
  for (svm_programs& one : all) {
    const auto timed = [&, first = 0.0, round = 0]() mutable -> std::optional<timed_run> {
      say(what + ", round " + std::to_string(++round) + ": " + one.name + ", " + one.device);
      svm_command& mine = one.*command;
      if (mine.stopped || first > enough_seconds) return std::nullopt;
      const piped_run ended = run_piped(mine.path, mine.arguments, most);
      require_status(ended, mine.arguments.front());
      mine.stopped = ended.stopped;
      if (first == 0) first = ended.seconds;
      return timed_run{.seconds = ended.seconds};
    };
    variants.push_back({.name = one.name, .run = timed, .warm_up = 0});
  }
  const std::vector<series> done = comparison(control).in_turn(variants, rounds_of_one_run(rounds));
  for (std::size_t i = 0; i < all.size(); ++i) (all[i].*command).done = done[i];
}

}  // namespace duomap::apps
