// Tests the profile of a machine: calibration, learning, trust, and storing it.
#include "scheduler/history/machine_profile.hpp"

#include "scheduler/dispatch/run_state.hpp"
#include "scheduler/history/machine_history.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"
#include "tests/scheduler/history/only_as_written.hpp"
#include "tests/scheduler/support.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::scheduler_machine_profile_test {
namespace {

using scheduler::calibrate;
using scheduler::device_lesson;
using scheduler::executor_model;
using scheduler::identity;
using scheduler::learn;
using scheduler::machine_history;
using scheduler::machine_part;
using scheduler::machine_profile;
using scheduler::model_of_machine;
using scheduler::parse_machine_profile;
using scheduler::profile_access;
using scheduler::run_devices;

constexpr std::int64_t today = 1'800'000'000;
constexpr std::int64_t day = 24 * 3600;

const identity gpu{"GPU-1", {{"device", "Some GPU"}, {"driver", "13000"}}};
const identity updated_gpu{"GPU-1", {{"device", "Some GPU"}, {"driver", "13010"}}};

std::vector<machine_figure> measured(double link = 50e9) {
  return {{machine_property::context_start, 0, 0.19, 0, 1},
          {machine_property::to_device_locked, 1 << 20, link / 2, 0.01, 5},
          {machine_property::to_device_locked, 64 << 20, link, 0.01, 5}};
}

executor_report device_run(double start, double claim = 0) {
  executor_report report;
  report.name = "gpu 0";
  report.kind = executor_kind::device;
  report.units = std::uint64_t{1} << 30;
  report.start_seconds = start;
  report.claim_seconds = claim;
  report.seconds_per_unit = 1e-10;
  return report;
}

machine_profile calibrated() {
  machine_profile all;
  calibrate(all, gpu, measured(), today);
  return all;
}

double value(const machine_profile& all, machine_property term) {
  const machine_part* const part = find(all, "GPU-1");
  REQUIRE(part != nullptr);
  const machine_figure* const one = find(part->figures, term);
  return one == nullptr ? 0 : one->value;
}

run_devices one_device(bool cold = true, bool bytes = true) {
  return {.are = {gpu}, .cold = {cold}, .bytes = bytes};
}

}  // namespace

TEST_CASE("machine profile: what a new task begins with", "[profile]") {
  machine_profile all;
  const executor_model nothing = model_of_machine(all, gpu, today, true);
  CHECK(nothing.start_seconds == 0);
  CHECK(nothing.claim_seconds == 0);
  CHECK(nothing.least_seconds_per_unit == 0);
  all = calibrated();
  const executor_model first = model_of_machine(all, gpu, today, true);
  CHECK(first.start_seconds == 0.19);
  CHECK(first.claim_seconds == 0);
  CHECK(first.least_seconds_per_unit == Approx(1 / 50e9));
  CHECK_FALSE(first.known());
  // Indices do not pass the link to the GPU.
  CHECK(model_of_machine(all, gpu, today, false).least_seconds_per_unit == 0);
  // A start measured in real runs counts more than one measured with an empty context.
  REQUIRE(learn(all, gpu, {device_run(0.3, 70e-6), true, true}, today));
  const executor_model later = model_of_machine(all, gpu, today, true);
  CHECK(later.start_seconds == 0.3);
  CHECK(later.claim_seconds == 70e-6);
}

TEST_CASE("machine profile: other facts, age and the future take the link away, not the hints", "[profile]") {
  const machine_profile all = calibrated();
  CHECK(model_of_machine(all, updated_gpu, today, true).least_seconds_per_unit == 0);
  CHECK(model_of_machine(all, updated_gpu, today, true).start_seconds == 0.19);
  CHECK(model_of_machine(all, gpu, today + 31 * day, true).least_seconds_per_unit == 0);
  CHECK(model_of_machine(all, gpu, today - day, true).least_seconds_per_unit == 0);
  CHECK(model_of_machine(all, gpu, today + 29 * day, true).least_seconds_per_unit > 0);
  CHECK(model_of_machine(all, {"GPU-2", gpu.facts}, today, true).start_seconds == 0);
}

TEST_CASE("machine profile: what was measured with other facts is forgotten when it is measured again",
          "[profile]") {
  machine_profile all = calibrated();
  REQUIRE(learn(all, updated_gpu, {device_run(0.5), true, true}, today + day));
  CHECK(all.parts.size() == 1);
  CHECK(value(all, machine_property::start) == 0.5);
  CHECK(value(all, machine_property::context_start) == 0);
  // Calibrating replaces the figures that it measures, and keeps the learned ones.
  calibrate(all, updated_gpu, measured(20e9), today + 2 * day);
  calibrate(all, updated_gpu, measured(10e9), today + 2 * day);
  CHECK(value(all, machine_property::start) == 0.5);
  CHECK(find(all, "GPU-1")->figures.size() == 4);
  CHECK(most(find(all, "GPU-1")->figures, machine_property::to_device_locked) == 10e9);
}

TEST_CASE("machine profile: runs that agree are averaged, one that is far off replaces them", "[profile]") {
  machine_profile all;
  for (const double start : {0.2, 0.22}) REQUIRE(learn(all, gpu, {device_run(start), true, true}, today));
  CHECK(value(all, machine_property::start) == Approx(0.21));
  REQUIRE(learn(all, gpu, {device_run(0.9), true, true}, today));
  CHECK(value(all, machine_property::start) == 0.9);
}

TEST_CASE("machine profile: what a run does not show is not learned", "[profile]") {
  machine_profile all;
  CHECK_FALSE(learn(all, gpu, {device_run(0.2), false, true}, today));  // the device was already warm
  executor_report failed = device_run(0.2, 1e-4);
  failed.trouble = "lost";
  CHECK_FALSE(learn(all, gpu, {failed, true, true}, today));
  executor_report idle;
  CHECK_FALSE(learn(all, gpu, {idle, true, true}, today));
  CHECK(all.parts.empty());
}

TEST_CASE("machine profile: the most input that has arrived raises the link's bound", "[profile]") {
  machine_profile all = calibrated();
  const auto run = [](double bytes_per_second, std::uint64_t units) {
    executor_report report = device_run(0);
    report.units = units;
    report.copy_seconds = static_cast<double>(units) / bytes_per_second;
    return report;
  };
  REQUIRE(learn(all, gpu, {run(52e9, 1 << 30), false, true}, today));
  REQUIRE(learn(all, gpu, {run(30e9, 1 << 30), false, true}, today));
  CHECK(value(all, machine_property::arrival) == Approx(52e9));
  CHECK(model_of_machine(all, gpu, today, true).least_seconds_per_unit == Approx(1 / 52e9));
  CHECK_FALSE(learn(all, gpu, {run(90e9, 1 << 20), false, true}, today));   // too short to tell a rate
  CHECK_FALSE(learn(all, gpu, {run(90e9, 1 << 30), false, false}, today));  // no bytes were copied
  // A learned rate alone is no bound: a task with much computation copies slowly.
  machine_profile uncalibrated;
  REQUIRE(learn(uncalibrated, gpu, {run(1e9, 1 << 30), false, true}, today));
  CHECK(model_of_machine(uncalibrated, gpu, today, true).least_seconds_per_unit == 0);
}

TEST_CASE("machine profile: beliefs are completed, and none is faster than the link", "[profile]") {
  const temporary_folder folder;
  machine_history memory({profile_access::read_write, folder.path()}, today);
  memory.calibrate(gpu, measured());
  std::vector<executor_model> models(2);
  models[0].seconds_per_unit = 1e-12;  // the CPU, which has no link
  memory.complete(std::span(models).last(1), one_device());
  CHECK(models[0].seconds_per_unit == 1e-12);
  CHECK(models[1].start_seconds == 0.19);
  CHECK_FALSE(models[1].known());
  models[1] = {.seconds_per_unit = 1e-12, .start_seconds = 7};
  memory.complete(std::span(models).last(1), one_device());
  CHECK(models[1].seconds_per_unit == Approx(1 / 50e9));
  CHECK(models[1].start_seconds == 0.19);  // the machine's start counts, not the task's
  models[1] = {.seconds_per_unit = 1e-9};
  memory.complete(std::span(models).last(1), one_device());
  CHECK(models[1].seconds_per_unit == 1e-9);
}

TEST_CASE("machine profile: a run's lesson is there for the next", "[profile]") {
  const temporary_folder folder;
  const scheduler::profile_options where{profile_access::read_write, folder.path()};
  machine_history first(where, today);
  CHECK(first.profile().parts.empty());
  const std::vector<executor_report> run = {{}, device_run(0.25, 80e-6)};
  REQUIRE(first.learn(run, one_device()));
  std::vector<executor_report> nothing(2);
  nothing[1].kind = executor_kind::device;
  CHECK_FALSE(first.learn(nothing, one_device()));
  const machine_history second(where, today + day);
  CHECK(value(second.profile(), machine_property::start) == 0.25);
  CHECK(value(second.profile(), machine_property::claim) == 80e-6);
  // No temporary file is left.
  CHECK(std::distance(std::filesystem::directory_iterator(second.path().parent_path()), {}) == 1);
}

TEST_CASE("machine profile: a device begins with what the machine is known to take, if it is cold",
          "[profile]") {
  /// A device for tests of starts; it does no work.
  class unused_device final : public executor {
   public:
    explicit unused_device(double start_seconds) : start_seconds_(start_seconds) {}
    [[nodiscard]] std::string name() const override { return "device"; }
    [[nodiscard]] unsigned workers() const noexcept override { return 1; }
    [[nodiscard]] unsigned depth() const noexcept override { return 2; }
    [[nodiscard]] executor_traits traits() const noexcept override { return {executor_kind::device, 1000}; }
    [[nodiscard]] double start_seconds() const noexcept override { return start_seconds_; }
    void drive(const std::function<void(unsigned)>&) override {}
    void submit(unsigned, const chunk&) override {}
    chunk_report finish(unsigned) override { return {}; }
    void commit(unsigned) override {}

   private:
    double start_seconds_;
  };
  const space_boundary records(100);
  source_set sources;
  sources.add_memory(std::string(100'000, ' '));
  const input from = sources.take();
  const scheduler::chunk_source all(from, records, scheduler::chunk_source_options{}, nullptr);
  const auto model_of = [&](double own_guess, std::vector<executor_model> models) {
    unused_device device(own_guess);
    const std::vector<executor*> executors = {&device};
    return scheduler::executor_configs_of(all, executors, {.models = std::move(models)}).at(0).model;
  };
  const scheduler::grain_model guessed = model_of(0.19, {});
  CHECK(guessed.start_seconds == 0.19);
  CHECK(guessed.claim_seconds > 0);
  const executor_model learned{.claim_seconds = 5e-6, .start_seconds = 0.4, .least_seconds_per_unit = 1e-9};
  CHECK(model_of(0.19, {learned}).start_seconds == 0.4);
  CHECK(model_of(0.19, {learned}).claim_seconds == guessed.claim_seconds);  // at least the guess
  CHECK(model_of(0.19, {executor_model{}}).start_seconds == 0.19);
  CHECK(model_of(0.19, {executor_model{}}).claim_seconds == guessed.claim_seconds);
  CHECK(model_of(0.4e-3, {learned}).start_seconds == 0.4e-3);  // its context exists already
  const double units_per_grain = 100'000.0 / all.grains();
  CHECK(model_of(0, {learned}).least_seconds_per_grain == Approx(1e-9 * units_per_grain));
}

TEST_CASE("machine profile: a device of unknown speed is no faster than its link", "[profile][dispatcher]") {
  // The pool alone takes 1 s. A device as fast as the pool would halve that. A device behind a link 100 times
  // slower saves nothing.
  const auto starts = [](double least_seconds_per_grain) {
    scheduler::grain_dispatcher all(100'000,
                                    {{.workers = 4, .model = {.seconds_per_grain = 1e-5}},
                                     {.depth = 3,
                                      .device = true,
                                      .most_grains = 1000,
                                      .model = {.claim_seconds = 1e-5,
                                                .start_seconds = 0.2,
                                                .least_seconds_per_grain = least_seconds_per_grain}}});
    return all.starts(1, 0);
  };
  CHECK(starts(0));
  CHECK(starts(1e-6));
  CHECK_FALSE(starts(1e-3));
}

TEST_CASE("machine profile: read-only, off and a file in the way store nothing and break nothing",
          "[profile]") {
  const temporary_folder folder;
  machine_history writer({profile_access::read_write, folder.path()}, today);
  writer.calibrate(gpu, measured());
  REQUIRE(writer.save());
  machine_history reader({profile_access::read_only, folder.path()}, today);
  CHECK(reader.profile().parts.size() == 1);
  CHECK_FALSE(reader.save());
  const machine_history off({profile_access::off, folder.path()}, today);
  CHECK(off.profile().parts.empty());
  CHECK_FALSE(off.save());
  const std::string file = folder.write("a file", "in the way");
  machine_history blocked({profile_access::read_write, file}, today);
  blocked.calibrate(gpu, measured());
  CHECK_FALSE(blocked.save());
}

TEST_CASE("machine profile: what is written is read again, and a text changed in any place is none",
          "[profile]") {
  machine_profile all = calibrated();
  calibrate(all, {"host", {{"processor", "A (R) 100 %\n"}, {"", ""}}},
            std::vector<machine_figure>{{machine_property::copy, 16, 1.0 / 3, 1e-300, 5}}, today);
  const std::string text = to_text(all);
  const auto again = parse_machine_profile(text);
  REQUIRE(again);
  CHECK(to_text(*again) == text);
  REQUIRE(again->parts.size() == 2);
  CHECK((again->parts[1].facts == all.parts[1].facts));
  CHECK((again->parts[0].figures == all.parts[0].figures));
  check_only_as_written(text, parse_machine_profile);
}

TEST_CASE("machine profile: a corrupt file is no profile, and is replaced", "[profile]") {
  const temporary_folder folder;
  const scheduler::profile_options where{profile_access::read_write, folder.path()};
  const std::filesystem::path path = machine_history(where, today).path();
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << "duomap machine 1\npart 'host";
  machine_history memory(where, today);
  CHECK(memory.profile().parts.empty());
  memory.calibrate(gpu, measured());
  REQUIRE(memory.save());
  CHECK(machine_history(where, today).profile().parts.size() == 1);
}

}  // namespace duomap::test::scheduler_machine_profile_test
