// Lists this process's GPUs for the planner of runs.
#include "gpu/device/provider.hpp"

#include "gpu/device/background_start.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/driver_files.hpp"
#include "gpu/device/executor_name.hpp"
#include "gpu/device/gpu_state.hpp"
#include "gpu/device/pci_link.hpp"
#include "gpu/feed/feed_policy.hpp"
#include "gpu/feed/locked_blocks.hpp"
#include "gpu/feed/page_lock.hpp"

#include <utility>

namespace duomap::gpu {
namespace {

device_list list_of_discovered() {
  const discovery& found = discover();
  device_list all;
  all.reason = found.reason;
  for (const device_info& one : found.devices) {
    all.devices.push_back({.index = one.index,
                           .label = "gpu " + std::to_string(one.index),
                           .name = executor_name(one.index),
                           .id = one.uuid,
                           .model = one.name,
                           .bus = one.pci_bus,
                           .link = pci_link(one.pci_bus),
                           .driver = std::to_string(found.driver_version),
                           .memory_bytes = one.memory_bytes});
  }
  return all;
}

class gpu_provider final : public device_provider {
 public:
  [[nodiscard]] bool is_built() const noexcept override { return toolkit_version() > 0; }

  [[nodiscard]] const device_list& list() const override {
    if (is_forked_after_cuda()) {
      static const device_list none{
          .reason =
              "this process was forked from one that had started CUDA, which does not work in a child; fork "
              "before the first run, or start a new program"};
      return none;
    }
    static const device_list all = list_of_discovered();
    return all;
  }

  [[nodiscard]] std::string no_code_reason() const override {
    return "this task has no GPU code in this program, or duomap::gpu::has_code does not say that it has; a "
           ".cu file makes the code, and has_code stands beside the task (gpu/make_backend.hpp)";
  }

  [[nodiscard]] bool is_started(int index) const noexcept override {
    return state_of_gpu(index).has_context && !is_forked_after_cuda();
  }
  [[nodiscard]] bool any_started() const noexcept override {
    return any_context() && !is_forked_after_cuda();
  }
  [[nodiscard]] std::span<const listed_device> unlisted() const override {
    if (is_discovered() || is_forked_after_cuda()) return {};
    static const std::vector<listed_device> all = [] {
      std::vector<listed_device> some;
      for (std::string& bus : gpus_of_driver()) {
        const int index = static_cast<int>(some.size());
        const std::string label = "gpu " + std::to_string(index);
        some.push_back({.index = index, .label = label, .name = label, .bus = std::move(bus)});
      }
      return some;
    }();
    return all;
  }
  bool start_in_background(std::span<const int> only, std::size_t most) const override {
    return !is_forked_after_cuda() && gpu::start_in_background(only, most) != background_start::no_device;
  }
  void leave_background() const override {
    if (!is_forked_after_cuda()) gpu::leave_background();
  }
  [[nodiscard]] std::optional<double> start_seconds_left() const noexcept override {
    return is_forked_after_cuda() ? std::nullopt : gpu::start_seconds_left();
  }
  [[nodiscard]] double background_start_seconds() const noexcept override {
    return gpu::background_start_seconds();
  }
  [[nodiscard]] bool reads_in_place(const input& from) const override { return is_page_locked(from); }

  [[nodiscard]] unsigned feeding_threads(unsigned cores, unsigned devices) const override {
    return expected_staging_threads(cores, devices);
  }

  [[nodiscard]] block_memory* memory_for_blocks(int index) const override { return locked_blocks(index); }
};

}  // namespace

const device_provider& provider() {
  static const gpu_provider all;
  return all;
}

void note_started(int device_index) { state_of_gpu(device_index).has_context = true; }

}  // namespace duomap::gpu
