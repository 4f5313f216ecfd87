// Lists all terms of a machine, and makes a figure of samples.
#include "core/machine_figures.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace duomap {
namespace {

using axis = machine_axis;
using unit = machine_unit;

constexpr std::array<machine_property_info, 20> terms = {{
    {machine_property::context_start, "context-start", "start of a context", unit::seconds, axis::none},
    {machine_property::launch, "launch", "launch", unit::seconds, axis::none},
    {machine_property::launch_and_wait, "launch-and-wait", "launch and wait", unit::seconds, axis::none},
    {machine_property::graph_node, "graph-node", "further node of a graph", unit::seconds, axis::none},
    {machine_property::graph_and_wait, "graph-and-wait", "graph of one node and wait", unit::seconds,
     axis::none},
    {machine_property::lock_memory, "lock-memory", "page-locking memory in use", unit::seconds_per_byte,
     axis::none},
    {machine_property::allocate_locked, "allocate-locked", "allocating page-locked memory",
     unit::seconds_per_byte, axis::none},
    {machine_property::to_device_locked, "to-device-locked", "host to device, page-locked",
     unit::bytes_per_second, axis::bytes},
    {machine_property::from_device_locked, "from-device-locked", "device to host, page-locked",
     unit::bytes_per_second, axis::bytes},
    {machine_property::to_device_pageable, "to-device-pageable", "host to device, pageable",
     unit::bytes_per_second, axis::bytes},
    {machine_property::from_device_pageable, "from-device-pageable", "device to host, pageable",
     unit::bytes_per_second, axis::bytes},
    {machine_property::both_directions, "both-directions", "both directions at once, page-locked",
     unit::bytes_per_second, axis::bytes},
    {machine_property::to_device_busy, "to-device-busy", "host to device while all cores read memory",
     unit::bytes_per_second, axis::bytes},
    {machine_property::read_while_copying, "read-while-copying", "what the cores read meanwhile",
     unit::bytes_per_second, axis::threads},
    {machine_property::to_device_from_node, "to-device-from-node", "host to device from a NUMA node",
     unit::bytes_per_second, axis::node},
    {machine_property::start, "start", "until ready for work, in runs", unit::seconds, axis::none},
    {machine_property::claim, "claim", "fixed cost of a chunk, in runs", unit::seconds, axis::none},
    {machine_property::arrival, "arrival", "input that arrived in runs, at most", unit::bytes_per_second,
     axis::none},
    {machine_property::copy, "copy", "copying memory", unit::bytes_per_second, axis::threads},
    {machine_property::read, "read", "reading memory", unit::bytes_per_second, axis::threads},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (static_cast<std::size_t>(terms[i].term) != i) return false;
  }
  return true;
}
static_assert(in_order());

double middle(std::vector<double>& values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  if (values.size() % 2 == 1) return *half;
  return (*half + *std::max_element(values.begin(), half)) / 2;
}

}  // namespace

std::span<const machine_property_info> machine_terms() noexcept { return terms; }

const machine_property_info& info(machine_property term) noexcept {
  return terms[static_cast<std::size_t>(term)];
}

std::optional<machine_property> parse_machine_term(std::string_view id) noexcept {
  for (const machine_property_info& one : terms) {
    if (one.id == id) return one.term;
  }
  return std::nullopt;
}

const machine_figure* find(std::span<const machine_figure> figures, machine_property term,
                           std::uint64_t at) noexcept {
  for (const machine_figure& one : figures) {
    if (one.term == term && one.at == at) return &one;
  }
  return nullptr;
}

machine_figure figure_of(machine_property term, std::uint64_t at, std::vector<double> samples) {
  expects(!samples.empty(), "a figure is made of at least one sample");
  machine_figure made{term, at, middle(samples), 0, static_cast<std::uint32_t>(samples.size())};
  for (double& sample : samples) sample = std::abs(sample - made.value);
  if (made.value > 0) made.deviation = middle(samples) / made.value;
  return made;
}

double most(std::span<const machine_figure> figures, machine_property term) noexcept {
  double value = 0;
  for (const machine_figure& one : figures) {
    if (one.term == term) value = std::max(value, one.value);
  }
  return value;
}

}  // namespace duomap
