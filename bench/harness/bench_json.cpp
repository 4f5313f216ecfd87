// Lists the members of runs and tables once, and writes and reads them as JSON.
#include "bench/harness/bench_json.hpp"

#include "core/error.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <concepts>
#include <cstring>
#include <fstream>
#include <iterator>
#include <type_traits>
#include <utility>

namespace duomap::apps {
namespace {

using json = nlohmann::ordered_json;

// Increase this when older programs would misread new files.
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

bool is_known(bool value) { return value; }
bool is_known(std::uint64_t value) { return value > 0; }
bool is_known(const bench_work& work) { return work.amount > 0; }
bool is_known(const auto& list) { return !list.empty(); }

// A JSON object has the members of its struct. members() lists them once, for writing and for reading. A
// member that is unknown or does not apply is left out.

struct json_writer {
  json& object;

  void needed(const char* name, const auto& value) { object[name] = value; }
  void known(const char* name, const auto& value) {
    if (is_known(value)) object[name] = value;
  }
  template <class T>
  void known(const char* name, const std::optional<T>& value) {
    if (value) object[name] = *value;
  }
};

struct json_reader {
  const json& object;

  void needed(const char* name, auto& value) { object.at(name).get_to(value); }
  void known(const char* name, auto& value) {
    if (object.contains(name)) needed(name, value);
  }
  template <class T>
  void known(const char* name, std::optional<T>& value) {
    if (object.contains(name)) needed(name, value.emplace());
  }
};

template <class T, class Struct>
concept maybe_const = std::same_as<std::remove_const_t<T>, Struct>;

void members(auto& file, maybe_const<bench_work> auto& work) {
  file.needed("amount", work.amount);
  file.needed("unit", work.unit);
}

void members(auto& file, maybe_const<bench_figure> auto& figure) {
  file.needed("name", figure.name);
  file.needed("value", figure.value);
  file.needed("unit", figure.unit);
}

void members(auto& file, maybe_const<bench_row> auto& row) {
  file.needed("workload", row.workload);
  file.needed("program", row.program);
  file.needed("device", row.device);
  file.needed("threads", row.threads);
  file.needed("checked", row.checked);
  file.known("x", row.x);
  file.known("not_measured", row.not_measured);
  file.known("seconds", row.seconds);
  file.known("cold_seconds", row.cold_seconds);
  file.known("work", row.work);
  file.known("host_bytes", row.host_bytes);
  file.known("device_bytes", row.device_bytes);
  file.known("speed_up", row.speed_up);
  file.known("figures", row.figures);
  file.known("note", row.note);
}

void members(auto& file, maybe_const<bench_table> auto& table) {
  file.needed("name", table.name);
  file.needed("title", table.title);
  file.known("subject", table.subject);
  file.known("baseline", table.baseline);
  file.needed("plot", table.plot);
  file.needed("plotted", table.plotted);
  file.known("x_label", table.x_label);
  file.needed("rows", table.rows);
  file.known("notes", table.notes);
}

void members(auto& file, maybe_const<bench_machine> auto& machine) {
  file.needed("cpu", machine.cpu);
  file.needed("cores", machine.cores);
  file.known("vector_path", machine.vector_path);
  file.known("memory_bytes", machine.memory_bytes);
  file.known("gpus", machine.gpus);
  file.known("driver", machine.driver);
  file.known("system", machine.system);
}

void members(auto& file, maybe_const<bench_build> auto& build) {
  file.needed("version", build.version);
  file.known("commit", build.commit);
  file.known("id", build.id);
  file.known("compiler", build.compiler);
}

void members(auto& file, maybe_const<bench_run> auto& run) {
  file.known("date", run.date);
  file.known("command", run.command);
  file.known("quick", run.quick);
  file.needed("machine", run.machine);
  file.needed("build", run.build);
  file.needed("tables", run.tables);
  file.known("ended_early", run.ended_early);
}

void check(const auto& /*value*/) {}

void check(const bench_row& row) {
  const std::string subject = "the row of " + row.program + ", " + row.workload + ", ";
  if (row.seconds.empty() == row.not_measured.empty())
    throw std::runtime_error(subject + "has to have either seconds or why it was not measured");
  for (const double seconds : row.seconds) {
    if (!(seconds > 0)) throw std::runtime_error(subject + "has a time that is not greater than 0");
  }
}

void check_format(const json& from) {
  if (!from.is_object() || !from.contains("duomap_bench"))
    throw std::runtime_error("there is no \"duomap_bench\" at the top");
  if (const int found = from.at("duomap_bench").get<int>(); found != format)
    throw std::runtime_error("its format is " + std::to_string(found) + ", and this program reads " +
                             std::to_string(format));
}

std::string text_of(const json& all) {
  return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

// Parses the JSON and turns every problem into an input_error that names the place.
template <class T>
T explained(std::string_view text, const std::string& where) {
  try {
    const json from = json::parse(text);
    if constexpr (std::same_as<T, bench_run>) check_format(from);
    return from.get<T>();
  } catch (const std::exception& problem) {
    throw input_error("'" + where +
                      "' is no benchmark run that `duomap bench --export-json` saved: " + problem.what());
  }
}

}  // namespace

// nlohmann's library finds these functions in the namespace of the types, which is not the unnamed one.

template <class T>
  requires requires(json_reader& file, T& value) { members(file, value); }
static void to_json(json& into, const T& value) {
  into = json::object();
  json_writer file{into};
  members(file, value);
}

template <class T>
  requires requires(json_reader& file, T& value) { members(file, value); }
static void from_json(const json& from, T& value) {
  json_reader file{from};
  members(file, value);
  check(value);
}

static void to_json(json& into, bench_plot value) { into = name_of(plots, value); }
static void to_json(json& into, bench_axis value) { into = name_of(axes, value); }
static void from_json(const json& from, bench_plot& value) {
  value = value_of<bench_plot>(plots, from.get<std::string>());
}
static void from_json(const json& from, bench_axis& value) {
  value = value_of<bench_axis>(axes, from.get<std::string>());
}

std::string json_of(const bench_run& run) {
  json all = {{"duomap_bench", format}};
  json_writer file{all};
  members(file, run);
  return text_of(all);
}

bench_run parse_run(std::string_view text, const std::string& where) {
  return explained<bench_run>(text, where);
}

bench_run load_run(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) throw input_error("cannot read '" + path + "': " + std::strerror(errno));
  return parse_run(text, path);
}

std::string json_of(const std::vector<bench_table>& tables) { return text_of(tables); }

std::vector<bench_table> parse_tables(std::string_view text, const std::string& where) {
  return explained<std::vector<bench_table>>(text, where);
}

}  // namespace duomap::apps
