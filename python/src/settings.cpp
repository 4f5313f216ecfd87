// Makes run options of Python's options and of the environment's profile settings.
#include "settings.hpp"

#include "core/error.hpp"
#include "scheduler/history/profile_store.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

device_choice device_called(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, device_choice>, 4> devices{
      {{"auto", device_choice::automatic},
       {"cpu", device_choice::cpu},
       {"gpu", device_choice::gpu},
       {"cpu+gpu", device_choice::cpu_gpu}}};
  for (const auto& [word, device] : devices) {
    if (name == word) return device;
  }
  throw usage_error("device is 'auto', 'cpu', 'gpu' or 'cpu+gpu', not '" + name + "'");
}

}  // namespace

settings::settings(const std::string& device, std::vector<int> gpus, unsigned threads,
                   const std::string& share, bool same_bits, bool strict, bool timeline, nb::object tell)
  : deterministic(same_bits), progress(std::move(tell)) {
  options.device = device_called(device);
  if (options.device == device_choice::cpu && !gpus.empty())
    throw usage_error("gpus names GPUs, and with device 'cpu' none takes part");
  options.gpus = std::move(gpus);
  options.threads = threads;
  options.share = parse_share(share);
  options.strict = strict;
  options.timeline = timeline;
  const scheduler::profile_options kept =
      scheduler::profile_options_from([](const char* name) { return std::getenv(name); });
  if (kept.access != scheduler::profile_access::off) options.profiles = kept.folder;
  options.learn = kept.access == scheduler::profile_access::read_write;
}

void refuse_deterministic(const settings& given, const char* why) {
  if (given.deterministic) throw usage_error(std::string(why) + "; leave out deterministic");
}

void add_settings(nb::module_& module) {
  nb::class_<settings>(module, "Settings")
      .def(nb::init<const std::string&, std::vector<int>, unsigned, const std::string&, bool, bool, bool,
                    nb::object>(),
           "device"_a, "gpus"_a, "threads"_a, "share"_a, "deterministic"_a, "strict"_a, "timeline"_a,
           "progress"_a.none());
}

}  // namespace duomap::python
