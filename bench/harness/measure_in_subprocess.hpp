// Runs a measurement in a process of its own.
// host only
#pragma once

#include "bench/harness/bench_context.hpp"
#include "bench/harness/bench_json.hpp"
#include "bench/harness/bench_table.hpp"
#include "bench/harness/subprocess.hpp"

#include <functional>
#include <string>
#include <vector>

namespace duomap::apps {

using measure_function = std::function<std::vector<bench_table>(const bench_context& context)>;

/// Calls measure(context) in a subprocess (subprocess.hpp), which may itself fork, and returns the tables.
/// @param name for messages
[[nodiscard]] inline std::vector<bench_table> measure_in_subprocess(const std::string& name,
                                                                    const measure_function& measure,
                                                                    const bench_context& context) {
  const std::string tables = call_in_subprocess(
      name, [&] { return json_of(measure(context)); }, child_end::in_order, context.control);
  return parse_tables(tables, "the benchmark of " + name);
}

}  // namespace duomap::apps
