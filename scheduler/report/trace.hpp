// Writes a run's timeline for Chrome (chrome://tracing) and Perfetto.
#pragma once

#include "core/output/byte_sink.hpp"
#include "core/report.hpp"

#include <span>

namespace duomap::scheduler {

/// Writes the events in the Trace Event Format, as JSON. Each lane becomes a named thread, in the order in
/// which lanes first occur. Times are in microseconds. Does not flush the sink.
/// @throws the exception of the sink
void write_trace(byte_sink& sink, std::span<const timeline_event> events);

}  // namespace duomap::scheduler
