// The figures that are measured on a machine and hold for any task: links, memory, launches.
// host only
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace duomap {

/// One property of a machine. The properties of a GPU hold for that GPU on this host.
enum class machine_property : std::uint8_t {
  // Terms of a GPU that calibration measures.
  context_start,         ///< seconds to make the process's context
  launch,                ///< seconds of the host for one of many launches
  launch_and_wait,       ///< seconds for a launch and the wait for its end
  graph_node,            ///< seconds for each further node of a graph
  graph_and_wait,        ///< seconds for a graph of one node and the wait for its end
  lock_memory,           ///< seconds per byte to page-lock memory that is in use
  allocate_locked,       ///< seconds per byte to allocate page-locked memory
  to_device_locked,      ///< bytes per second in copies of `at` bytes from page-locked memory
  from_device_locked,    ///< to_device_locked, in the other direction
  to_device_pageable,    ///< bytes per second in copies of `at` bytes from ordinary memory
  from_device_pageable,  ///< to_device_pageable, in the other direction
  both_directions,       ///< bytes per second, both directions together, page-locked
  to_device_busy,        ///< to_device_locked while all cores read memory
  read_while_copying,    ///< bytes per second that all cores read during to_device_busy
  to_device_from_node,   ///< to_device_locked from memory of NUMA node `at`
  // Terms of a GPU that runs measure.
  start,    ///< seconds until a cold device was ready for its first chunk
  claim,    ///< seconds of a chunk that do not depend on its size
  arrival,  ///< bytes per second of input that arrived on the device, the most so far
  // Terms of the host.
  copy,  ///< bytes per second that `at` threads copy from memory to memory
  read,  ///< bytes per second that `at` threads read from memory
};

/// The unit in which a term is measured.
enum class machine_unit : std::uint8_t { seconds, seconds_per_byte, bytes_per_second };

/// The meaning of `at` in a term's figures: the number of bytes or threads, or the NUMA node, of a
/// measurement.
enum class machine_axis : std::uint8_t { none, bytes, threads, node };

/// The names of a term: `id` is one word for files, `title` is text for tables.
struct machine_property_info {
  machine_property term;
  std::string_view id;
  std::string_view title;
  machine_unit unit;
  machine_axis axis;
};

/// All terms, in the order of the enumeration.
[[nodiscard]] std::span<const machine_property_info> machine_terms() noexcept;
[[nodiscard]] const machine_property_info& info(machine_property term) noexcept;
/// The term that has this `id`.
[[nodiscard]] std::optional<machine_property> parse_machine_term(std::string_view id) noexcept;

struct machine_figure {
  machine_property term = machine_property::context_start;
  std::uint64_t at = 0;       ///< bytes, threads or node, as info(term).axis says
  double value = 0;           ///< median, in info(term).unit
  double deviation = 0;       ///< median deviation from the value, as a fraction of it
  std::uint32_t samples = 0;  ///< number of samples behind the value

  friend bool operator==(const machine_figure&, const machine_figure&) = default;
};

/// The figure of a term measured at `at`; nullptr when there is none.
[[nodiscard]] const machine_figure* find(std::span<const machine_figure> figures, machine_property term,
                                         std::uint64_t at = 0) noexcept;

/// Makes a figure of at least one sample.
[[nodiscard]] machine_figure figure_of(machine_property term, std::uint64_t at, std::vector<double> samples);

/// The largest value of a term over all its `at`; 0 if there is none.
[[nodiscard]] double most(std::span<const machine_figure> figures, machine_property term) noexcept;

}  // namespace duomap
