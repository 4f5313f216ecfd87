#include "apps/bench/harness/bench_json.hpp"

#include "core/error.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

namespace duomap::apps {
namespace {

using json = nlohmann::ordered_json;

// Changes whenever older programs would misread what is written.
constexpr int format = 1;

constexpr std::array<std::pair<const char*, bench_plot>, 3> plots = {
    {{"none", bench_plot::none}, {"bars", bench_plot::bars}, {"lines", bench_plot::lines}}};
constexpr std::array<std::pair<const char*, bench_axis>, 3> axes = {
    {{"seconds", bench_axis::seconds}, {"rate", bench_axis::rate}, {"speed_up", bench_axis::speed_up}}};

template <class Names, class Value>
const char* name_of(const Names& names, Value value) {
  for (const auto& [name, one] : names) {
    if (one == value) return name;
  }
  return "";
}

template <class Value, class Names>
Value value_of(const Names& names, const std::string& name) {
  for (const auto& [one, value] : names) {
    if (one == name) return value;
  }
  throw std::runtime_error("'" + name + "' is not known here");
}

// What is unknown or does not apply is left out of the file.

void put(json& into, const char* name, const std::string& text) {
  if (!text.empty()) into[name] = text;
}

template <class T>
void put(json& into, const char* name, const std::optional<T>& value) {
  if (value) into[name] = *value;
}

template <class T>
T get(const json& from, const char* name) {
  return from.contains(name) ? from.at(name).get<T>() : T{};
}

template <class T>
std::optional<T> get_optional(const json& from, const char* name) {
  if (!from.contains(name)) return std::nullopt;
  return from.at(name).get<T>();
}

json object_of(const bench_row& row) {
  json all = {{"workload", row.workload},
              {"program", row.program},
              {"device", row.device},
              {"threads", row.threads},
              {"checked", row.checked}};
  put(all, "x", row.x);
  put(all, "not_measured", row.not_measured);
  if (!row.seconds.empty()) all["seconds"] = row.seconds;
  put(all, "cold_seconds", row.cold_seconds);
  if (row.work.amount > 0) all["work"] = {{"amount", row.work.amount}, {"unit", row.work.unit}};
  put(all, "host_bytes", row.host_bytes);
  put(all, "device_bytes", row.device_bytes);
  put(all, "speed_up", row.speed_up);
  for (const bench_figure& figure : row.figures)
    all["figures"].push_back({{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}});
  put(all, "note", row.note);
  return all;
}

bench_row row_of(const json& from) {
  bench_row row;
  row.workload = from.at("workload").get<std::string>();
  row.program = from.at("program").get<std::string>();
  row.device = from.at("device").get<std::string>();
  row.threads = from.at("threads").get<unsigned>();
  row.checked = from.at("checked").get<bool>();
  row.x = get_optional<double>(from, "x");
  row.not_measured = get<std::string>(from, "not_measured");
  row.seconds = get<std::vector<double>>(from, "seconds");
  row.cold_seconds = get_optional<double>(from, "cold_seconds");
  if (from.contains("work"))
    row.work = {from.at("work").at("amount").get<double>(), from.at("work").at("unit").get<std::string>()};
  row.host_bytes = get_optional<std::uint64_t>(from, "host_bytes");
  row.device_bytes = get_optional<std::uint64_t>(from, "device_bytes");
  row.speed_up = get_optional<double>(from, "speed_up");
  if (from.contains("figures")) {
    for (const json& figure : from.at("figures"))
      row.figures.push_back({figure.at("name").get<std::string>(), figure.at("value").get<double>(),
                             figure.at("unit").get<std::string>()});
  }
  row.note = get<std::string>(from, "note");
  const std::string who = "the row of " + row.program + ", " + row.workload + ", ";
  if (row.seconds.empty() == row.not_measured.empty())
    throw std::runtime_error(who + "has to have either seconds or why it was not measured");
  for (const double seconds : row.seconds) {
    if (!(seconds > 0)) throw std::runtime_error(who + "has a time that is not greater than 0");
  }
  return row;
}

json object_of(const bench_table& table) {
  json all = {{"name", table.name}, {"title", table.title}};
  put(all, "subject", table.subject);
  put(all, "baseline", table.baseline);
  all["plot"] = name_of(plots, table.plot);
  all["plotted"] = name_of(axes, table.plotted);
  put(all, "x_label", table.x_label);
  all["rows"] = json::array();
  for (const bench_row& row : table.rows) all["rows"].push_back(object_of(row));
  if (!table.notes.empty()) all["notes"] = table.notes;
  return all;
}

bench_table table_of(const json& from) {
  bench_table table;
  table.name = from.at("name").get<std::string>();
  table.title = from.at("title").get<std::string>();
  table.subject = get<std::string>(from, "subject");
  table.baseline = get<std::string>(from, "baseline");
  table.plot = value_of<bench_plot>(plots, from.at("plot").get<std::string>());
  table.plotted = value_of<bench_axis>(axes, from.at("plotted").get<std::string>());
  table.x_label = get<std::string>(from, "x_label");
  for (const json& row : from.at("rows")) table.rows.push_back(row_of(row));
  table.notes = get<std::vector<std::string>>(from, "notes");
  return table;
}

json array_of(const std::vector<bench_table>& tables) {
  json all = json::array();
  for (const bench_table& table : tables) all.push_back(object_of(table));
  return all;
}

std::vector<bench_table> tables_of(const json& from) {
  std::vector<bench_table> tables;
  for (const json& table : from) tables.push_back(table_of(table));
  return tables;
}

json object_of(const bench_machine& machine) {
  json all = {{"cpu", machine.cpu}, {"cores", machine.cores}};
  put(all, "vector_path", machine.vector_path);
  if (machine.memory_bytes > 0) all["memory_bytes"] = machine.memory_bytes;
  if (!machine.gpus.empty()) all["gpus"] = machine.gpus;
  put(all, "driver", machine.driver);
  put(all, "system", machine.system);
  return all;
}

bench_machine machine_of(const json& from) {
  return {from.at("cpu").get<std::string>(),
          from.at("cores").get<unsigned>(),
          get<std::string>(from, "vector_path"),
          get<std::uint64_t>(from, "memory_bytes"),
          get<std::vector<std::string>>(from, "gpus"),
          get<std::string>(from, "driver"),
          get<std::string>(from, "system")};
}

json object_of(const bench_build& build) {
  json all = {{"version", build.version}};
  put(all, "commit", build.commit);
  put(all, "id", build.id);
  put(all, "compiler", build.compiler);
  return all;
}

bench_build build_of(const json& from) {
  return {from.at("version").get<std::string>(), get<std::string>(from, "commit"),
          get<std::string>(from, "id"), get<std::string>(from, "compiler")};
}

std::string text_of(const json& all) {
  return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

bench_run run_of(const json& from) {
  if (!from.is_object() || !from.contains("duomap_bench"))
    throw std::runtime_error("there is no \"duomap_bench\" at the top");
  if (const int found = from.at("duomap_bench").get<int>(); found != format)
    throw std::runtime_error("its format is " + std::to_string(found) + ", and this program reads " +
                             std::to_string(format));
  bench_run run;
  run.date = get<std::string>(from, "date");
  run.command = get<std::string>(from, "command");
  run.quick = get<bool>(from, "quick");
  run.machine = machine_of(from.at("machine"));
  run.build = build_of(from.at("build"));
  run.tables = tables_of(from.at("tables"));
  run.ended_early = get<std::string>(from, "ended_early");
  return run;
}

// What `read` makes of the JSON; what it, or the parser, throws becomes an error that names the place.
template <class Read>
auto explained(std::string_view text, const std::string& where, const Read& read) {
  try {
    return read(json::parse(text));
  } catch (const std::exception& problem) {
    throw input_error("'" + where +
                      "' is no benchmark run that `duomap bench --export-json` saved: " + problem.what());
  }
}

}  // namespace

std::string json_of(const bench_run& run) {
  json all = {{"duomap_bench", format}};
  put(all, "date", run.date);
  put(all, "command", run.command);
  if (run.quick) all["quick"] = true;
  all["machine"] = object_of(run.machine);
  all["build"] = object_of(run.build);
  all["tables"] = array_of(run.tables);
  put(all, "ended_early", run.ended_early);
  return text_of(all);
}

bench_run parse_run(std::string_view text, const std::string& where) {
  return explained(text, where, run_of);
}

bench_run load_run(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) throw input_error("cannot read '" + path + "': " + std::strerror(errno));
  return parse_run(text, path);
}

std::string json_of(const std::vector<bench_table>& tables) { return text_of(array_of(tables)); }

std::vector<bench_table> parse_tables(std::string_view text, const std::string& where) {
  return explained(text, where, tables_of);
}

}  // namespace duomap::apps
