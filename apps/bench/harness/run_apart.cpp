#include "apps/bench/harness/run_apart.hpp"

#include "apps/bench/harness/bench_json.hpp"
#include "apps/bench/harness/subprocess.hpp"

namespace duomap::apps {

std::vector<bench_table> run_apart(const std::string& name, const measure_function& measure,
                                   const bench_context& context) {
  const std::string tables = call_in_subprocess(
      name, [&] { return json_of(measure(context)); }, child_end::in_order, context.control);
  return parse_tables(tables, "the benchmark of " + name);
}

}  // namespace duomap::apps
