// Makes a machine with devices and a history for tests.
#pragma once

#include "core/device_provider.hpp"
#include "core/host_provider.hpp"
#include "scheduler/planner/planning_history.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test {

/// Provides `count` devices; seven threads feed each.
class synthetic_provider final : public device_provider {
 public:
  explicit synthetic_provider(unsigned count, std::string reason = "") {
    for (unsigned i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      unlisted_.push_back({.index = static_cast<int>(i)});
      all_.devices.push_back({.index = static_cast<int>(i),
                              .label = "device " + number,
                              .name = "device " + number,
                              .bus = "bus " + number});
    }
    all_.reason = std::move(reason);
  }

  [[nodiscard]] bool is_built() const noexcept override { return built; }
  [[nodiscard]] const device_list& list() const override {
    ++listed;
    for (listed_device& one : all_.devices) one.memory_bytes = memory_bytes;
    return all_;
  }
  [[nodiscard]] std::span<const listed_device> unlisted() const override {
    return known ? std::span<const listed_device>() : unlisted_;
  }
  [[nodiscard]] std::string no_code_reason() const override { return "no code for this"; }
  [[nodiscard]] bool is_started(int index) const noexcept override {
    return started && index < static_cast<int>(started_devices);
  }
  [[nodiscard]] bool any_started() const noexcept override { return started; }
  bool start_in_background(std::span<const int>, std::size_t most) const override {
    ++asked_to_start;
    asked_for = most;
    return can_start;
  }
  void leave_background() const override {}
  [[nodiscard]] std::optional<double> start_seconds_left() const noexcept override { return start_left; }
  [[nodiscard]] double background_start_seconds() const noexcept override { return 0; }
  [[nodiscard]] bool reads_in_place(const input&) const override { return in_place; }
  [[nodiscard]] unsigned feeding_threads(unsigned, unsigned) const override { return 7; }

  bool built = true;
  bool started = false;
  unsigned started_devices = 100;  ///< the number of devices, from the first, that are started
  bool in_place = false;
  std::uint64_t memory_bytes = 0;
  bool can_start = true;
  std::optional<double> start_left = std::nullopt;
  bool known = false;                   ///< the list of devices has been made before
  mutable unsigned listed = 0;          ///< how often the devices were asked for
  mutable unsigned asked_to_start = 0;  ///< how often some were to be started in the background
  mutable std::size_t asked_for = 0;    ///< the number of devices asked for the last time

 private:
  mutable device_list all_;
  std::vector<listed_device> unlisted_;
};

class synthetic_host final : public host_provider {
 public:
  [[nodiscard]] const std::string& processor() const override { return processor_; }
  [[nodiscard]] unsigned cores() const override { return 16; }
  [[nodiscard]] std::uint64_t memory_for_results() const override { return 1000; }
  [[nodiscard]] std::vector<unsigned> cores_near(const std::string& bus,
                                                 std::span<const machine_figure>) const override {
    return bus == "bus 1" ? std::vector<unsigned>{8, 9} : std::vector<unsigned>{};
  }

 private:
  std::string processor_ = "a processor";
};

class synthetic_history final : public scheduler::planning_history {
 public:
  [[nodiscard]] std::optional<double> pool_seconds() const override { return pool_takes; }
  [[nodiscard]] std::optional<scheduler::stream_forecast> streams() const override { return reading; }
  [[nodiscard]] scheduler::start_outlook start(std::uint64_t) const override { return account; }
  [[nodiscard]] scheduler::executor_set_choice executor_set(std::uint64_t) const override { return choice; }
  void use(std::span<const scheduler::planned_device> devices) override { used_ = devices.size(); }
  [[nodiscard]] std::span<const machine_figure> figures_of(const listed_device&) const override { return {}; }
  [[nodiscard]] scheduler::believed_models models(bool pools, bool) override {
    scheduler::believed_models believed;
    if (pools) believed.pool = pool;
    believed.devices.assign(used_, device);
    return believed;
  }

  std::optional<double> pool_takes = std::nullopt;
  std::optional<scheduler::stream_forecast> reading = std::nullopt;
  scheduler::start_outlook account = {};
  scheduler::executor_set_choice choice = {};
  scheduler::executor_model pool = {};
  scheduler::executor_model device = {};

 private:
  std::size_t used_ = 0;
};

}  // namespace duomap::test
