// Makes a further kind of device: a stub, which maps on the thread that drives it.
#pragma once

#include "core/error.hpp"
#include "cpu/cpu_backend.hpp"
#include "duomap.hpp"

#include <concepts>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::test {

/// Provides one device, which is always started and needs no feeding threads.
class stub_provider final : public device_provider {
 public:
  [[nodiscard]] bool is_built() const noexcept override { return true; }
  [[nodiscard]] const device_list& list() const override { return all_; }
  [[nodiscard]] std::span<const listed_device> unlisted() const override { return {}; }
  [[nodiscard]] std::string no_code_reason() const override { return "stubs count nothing but words"; }
  [[nodiscard]] bool is_started(int) const noexcept override { return true; }
  [[nodiscard]] bool any_started() const noexcept override { return true; }
  bool start_in_background(std::span<const int>, std::size_t) const override { return true; }
  void leave_background() const override {}
  [[nodiscard]] std::optional<double> start_seconds_left() const noexcept override { return std::nullopt; }
  [[nodiscard]] double background_start_seconds() const noexcept override { return 0; }
  [[nodiscard]] bool reads_in_place(const input&) const override { return false; }
  [[nodiscard]] unsigned feeding_threads(unsigned, unsigned) const override { return 0; }

 private:
  device_list all_{.devices = {{.index = 0, .name = "stub 0", .id = "STUB-1", .model = "a stub"}}};
};

/// Maps chunks one by one on the thread that drives it.
template <class Task>
class stub_backend final : public backend<Task> {
 public:
  explicit stub_backend(const Task& task) : inner_(task, thread_) {}

  [[nodiscard]] std::string name() const override { return "stub 0"; }
  [[nodiscard]] unsigned workers() const noexcept override { return 1; }
  [[nodiscard]] unsigned depth() const noexcept override { return 2; }
  [[nodiscard]] executor_traits traits() const noexcept override { return {executor_kind::device, 4096}; }
  void drive(const std::function<void(unsigned worker)>& body) override { body(0); }
  void submit(unsigned, const chunk& part) override { open_.push_back(part); }
  chunk_report finish(unsigned worker) override {
    inner_.submit(worker, open_.front());
    open_.pop_front();
    return inner_.finish(worker);
  }
  void commit(unsigned) override {}
  [[nodiscard]] std::vector<partial_for<Task>> release_partials(worker_pool& pool) override {
    return inner_.release_partials(pool);
  }

 private:
  sequential thread_;
  cpu::cpu_backend<Task> inner_;
  std::deque<chunk> open_;
};

/// A kind with the stub device, for these tasks. On the stub, a task's member `on_stub` is true.
template <class... Tasks>
struct stub_kind {
  [[nodiscard]] static const device_provider& provider() {
    static const stub_provider all;
    return all;
  }

  template <map_reduce_task Task>
  static constexpr bool has_code = (std::same_as<Task, Tasks> || ...);

  template <map_reduce_task Task>
  static constexpr bool has_resident_code = false;

  template <map_reduce_task Task>
  static void check(const run_options& options) {
    if (options.gpu.engine) throw usage_error("stubs have no engines");
  }

  template <map_reduce_task Task>
  static void add_backends(std::vector<std::shared_ptr<backend<Task>>>& all, const Task& task,
                           std::span<const device_in_run> devices, const run_options&, shared_budget) {
    Task there = task;
    if constexpr (requires { there.on_stub; }) there.on_stub = true;
    for (std::size_t i = 0; i < devices.size(); ++i)
      all.push_back(std::make_shared<stub_backend<Task>>(there));
  }
};

}  // namespace duomap::test
