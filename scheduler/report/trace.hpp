// A run as a timeline that Chrome (chrome://tracing) and Perfetto show.
#pragma once

#include "core/output/byte_sink.hpp"
#include "core/report.hpp"

#include <span>

namespace duomap::scheduler {

/// Writes the events in the Trace Event Format, as JSON: a lane becomes a named thread, in the order in which
/// lanes first occur; times are in microseconds. Does not flush. Throws what the sink throws.
void write_trace(byte_sink& sink, std::span<const timeline_event> events);

}  // namespace duomap::scheduler
