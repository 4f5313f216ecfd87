// Composes the header, the CMake file and the sample of a new task.
#include "apps/commands/own_task/new_task.hpp"

#include "apps/commands/own_task/file_text.hpp"
#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace duomap::apps {

namespace {

// A record format, and the pieces of the sample map() for its records.
struct format_text {
  std::string name;
  std::string type;
  std::string about;      // the word for its records
  std::string parameter;  // the type of map's parameter
  std::string record;     // the name of map's parameter
  std::string before;     // lines of map before the emit
  std::string after;
  std::string text;         // a key of bytes; empty: the format has none
  std::string number;       // a key that is a number
  std::string value;        // the value that map emits
  bool counts;              // its sums count records instead of adding values
  std::string key_name;     // the heading of the key's column
  std::string records;      // the member function that gives the format's settings
  std::string sample_name;  // empty: the program takes a number of indices
  std::string sample;
};

// Two rows of two floats, in the byte order of x86.
std::string sample_rows() {
  const std::array<float, 4> numbers{1, 0.5F, 2, 1.5F};
  std::string bytes(sizeof numbers, '\0');
  std::memcpy(bytes.data(), numbers.data(), sizeof numbers);
  return bytes;
}

const std::vector<format_text>& formats() {
  static const std::vector<format_text> all{
      {.name = "words",
       .type = "duomap::words",
       .about = "words of a text",
       .parameter = "duomap::byte_view",
       .record = "word",
       .before = {},
       .after = {},
       .text = "word",
       .number = "word.size",
       .value = "word.size",
       .counts = true,
       .key_name = "word",
       .records = {},
       .sample_name = "sample.txt",
       .sample = "to be or not to be\n"},
      {.name = "lines",
       .type = "duomap::lines",
       .about = "lines of a text",
       .parameter = "const duomap::line&",
       .record = "line",
       .before = {},
       .after = {},
       .text = "line.text",
       .number = "line.text.size",
       .value = "line.offset",
       .counts = true,
       .key_name = "line",
       .records = {},
       .sample_name = "sample.txt",
       .sample = "one\ntwo\none\n"},
      {.name = "fields",
       .type = "duomap::fields",
       .about = "lines \"name,number\"",
       .parameter = "const duomap::field_list&",
       .record = "line",
       .before = "    duomap::byte_view name, digits;\n"
                 "    if (!line.get(0, name) || !line.get(1, digits)) return;  // fewer fields\n"
                 "    const auto parsed = duomap::parse_integer<std::uint64_t>(digits);\n"
                 "    if (!parsed.all_of(digits.size)) return;  // no number\n"
                 "    const std::uint64_t number = parsed.value;\n",
       .after = {},
       .text = "name",
       .number = "number",
       .value = "number",
       .counts = false,
       .key_name = "name",
       .records = "  format records() const { return {.delimiter = ','}; }\n",
       .sample_name = "sample.csv",
       .sample = "tea,300\nmilk,120\ntea,250\n"},
      {.name = "strips",
       .type = "duomap::strips",
       .about = "positions of a text",
       .parameter = "const duomap::strip&",
       .record = "strip",
       .before = "    for (std::uint32_t i = 0; i < strip.positions; ++i) {\n",
       .after = "    }\n",
       .text = "duomap::byte_view(strip.data + i, 1)",
       .number = "static_cast<unsigned char>(strip.data[i])",
       .value = "strip.offset + i",
       .counts = true,
       .key_name = "byte",
       .records = {},
       .sample_name = "sample.txt",
       .sample = "to be or not to be\n"},
      {.name = "markup",
       .type = "duomap::markup",
       .about = "what stands between two '<' of HTML or XML",
       .parameter = "const duomap::markup_fragment&",
       .record = "tag",
       .before = {},
       .after = {},
       .text = "tag.text",
       .number = "tag.text.size",
       .value = "tag.offset",
       .counts = true,
       .key_name = "tag",
       .records = {},
       .sample_name = "sample.html",
       .sample = "<p>one<p>two"},
      {.name = "rows",
       .type = "duomap::rows<float>",
       .about = "rows of two numbers of type float, binary",
       .parameter = "const duomap::row<float>&",
       .record = "row",
       .before = {},
       .after = {},
       .text = {},
       .number = "static_cast<std::uint64_t>(row[0])",
       .value = "row[1]",
       .counts = false,
       .key_name = {},
       .records = "  format records() const { return {.width = 2}; }\n",
       .sample_name = "sample.bin",
       .sample = sample_rows()},
      {.name = "indices",
       .type = "duomap::index_range",
       .about = "indices from 0 to below the number that --indices gives",
       .parameter = "std::uint64_t",
       .record = "index",
       .before = {},
       .after = {},
       .text = {},
       .number = "index",
       .value = "index",
       .counts = true,
       .key_name = {},
       .records = {},
       .sample_name = {},
       .sample = {}}};
  return all;
}

// A reduction and its pieces of text.
struct reduce_text {
  std::string name;
  std::string type;  // V stands for the type of a value
  std::string about;
  std::string columns;  // the headings of the value's columns
};

const std::vector<reduce_text>& reductions() {
  static const std::vector<reduce_text> all{
      {"sum", "duomap::sum<V>", "the sum of the values", "sum"},
      {"minimum", "duomap::minimum<V>", "the smallest value", "smallest"},
      {"maximum", "duomap::maximum<V>", "the largest value", "largest"},
      {"keep_first", "duomap::keep_first<V>", "the first value", "first"},
      {"collect", "duomap::collect<V>", "all values", "value"},
      {"own", "add_tallies", "how many values, and the largest", "count largest"}};
  return all;
}

// The option in place of a sample file, for a program over indices.
const std::string some_indices = "--indices 1000";

template <class Part>
std::vector<std::string> names_of(const std::vector<Part>& all) {
  std::vector<std::string> names;
  for (const Part& each : all) names.push_back(each.name);
  return names;
}

template <class Part>
const Part& named(const std::vector<Part>& all, const std::string& name, const char* what) {
  const auto found = std::ranges::find(all, name, &Part::name);
  if (found == all.end()) throw usage_error("there is no " + std::string(what) + " '" + name + "'");
  return *found;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// Refuses a name that cannot be the name of a folder, a class, a program and a target of CMake.
void require_name(const std::string& name) {
  const std::string may = "abcdefghijklmnopqrstuvwxyz0123456789_";
  if (name.empty() || name[0] < 'a' || name[0] > 'z' || name.find_first_not_of(may) != std::string::npos)
    throw usage_error("NAME becomes the name of a class: small letters, digits and _, a letter first, not " +
                      quoted(name));
  constexpr std::string_view taken =
      " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t "
      "char32_t "
      "class compl concept const consteval constexpr constinit const_cast continue co_await co_return "
      "co_yield "
      "decltype default delete do double dynamic_cast else enum explicit export extern false float for "
      "friend "
      "goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private "
      "protected public register reinterpret_cast requires return short signed sizeof static static_assert "
      "static_cast struct switch template this thread_local throw true try typedef typeid typename union "
      "unsigned using virtual void volatile wchar_t while xor xor_eq "  // of C++20
      "duomap main std unix linux tally add_tallies "                   // of the program
      "all clean help install package test ";                           // targets of CMake
  if (taken.find(" " + name + " ") != std::string_view::npos)
    throw usage_error("'" + name + "' means something else to C++ or to CMake; choose another NAME");
  if (::dlsym(RTLD_DEFAULT, name.c_str()) != nullptr)
    throw usage_error("'" + name + "' is a name of the C library; choose another NAME");
}

std::string header_of(const new_task& task, const format_text& format, const reduce_text& reduce) {
  const bool own = reduce.name == "own", counts = format.counts && reduce.name == "sum";
  const std::string value_type = format.name == "rows" ? "float" : "std::uint64_t";
  const std::string value = counts ? "1" : format.value;
  std::string text = "// Of " + format.about + ": " + (counts ? "how many there are" : reduce.about) +
                     (task.key == "none" ? "" : ", for each key") + ".\n#pragma once\n\n" +
                     "#include <duomap.hpp>\n";
  if (own) {
    text += R"(
struct tally {
  std::uint64_t count;
  V largest;
};

// A reduction of your own. `duomap::verify` tries the two laws that it declares.
struct add_tallies {
  using value_type = tally;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  DUOMAP_HD tally operator()(const tally& a, const tally& b) const {
    return {a.count + b.count, a.largest > b.largest ? a.largest : b.largest};
  }
};
)";
  }
  std::string key, type;
  if (task.key == "bytes") {
    key = format.text + ", ", type = "duomap::byte_view";
  } else if (task.key == "u64") {
    key = format.number + ", ", type = "std::uint64_t";
  } else if (task.key == "dense") {
    key = "number < key_count() ? number : key_count() - 1, ", type = "duomap::dense";
  } else {
    type = "duomap::no_key";
  }
  text += "\nstruct " + task.name + " {\n  using format = " + format.type + ";\n  using key = " + type +
          ";\n  using reduce = " + reduce.type + ";\n" + format.records;
  if (task.key == "dense") text += "  DUOMAP_HD static constexpr std::uint64_t key_count() { return 256; }\n";
  // Compilers warn of unused parameters, so a map that only counts records does not name its parameter.
  const bool read = !format.before.empty() || task.key != "none" || !counts;
  text += "  DUOMAP_HD void map(" + format.parameter + (read ? " " + format.record : "") +
          ", auto& emit) const {\n" + format.before;
  const std::string indent = format.after.empty() ? "    " : "      ";
  if (task.key == "dense" && format.number != "number")
    text += indent + "const std::uint64_t number = " + format.number + ";\n";
  text += indent + "emit(" + key + (own ? "tally{1, " + value + "}" : value) + ");\n" + format.after +
          "  }\n};\n";
  replace_all(text, "V>", value_type + ">");
  replace_all(text, "V largest", value_type + " largest");
  return text;
}

std::string cmake_of(const new_task& task, const format_text& format, const reduce_text& reduce) {
  const std::string key_name = task.key == "none"                               ? ""
                               : task.key == "bytes" || format.name == "strips" ? format.key_name + " "
                                                                                : "number ";
  const std::string columns = key_name + (format.counts && reduce.name == "sum" ? "count" : reduce.columns);
  return "cmake_minimum_required(VERSION 3.25)\nproject(" + task.name + R"( LANGUAGES CXX)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

if(NOT COMMAND duomap_add_task)  # it is there already where add_subdirectory(duomap) comes first
  find_package(duomap REQUIRED)
endif()
duomap_add_task()" +
         task.name + " HEADER " + task.name + ".hpp TASKS " + task.name + " COLUMNS " + columns +
         ")\n\nenable_testing()\nadd_test(NAME " + task.name + " COMMAND " + task.name + " --verify " +
         (format.sample_name.empty() ? some_indices
                                     : "\"${CMAKE_CURRENT_SOURCE_DIR}/" + format.sample_name + "\"") +
         ")\n";
}

}  // namespace

const std::vector<std::string>& new_task_formats() {
  static const std::vector<std::string> names = names_of(formats());
  return names;
}

const std::vector<std::string>& new_task_keys() {
  static const std::vector<std::string> names{"bytes", "u64", "dense", "none"};
  return names;
}

const std::vector<std::string>& new_task_reductions() {
  static const std::vector<std::string> names = names_of(reductions());
  return names;
}

std::vector<std::pair<std::string, std::string>> files_of(const new_task& task) {
  require_name(task.name);
  const format_text& format = named(formats(), task.format, "format");
  const reduce_text& reduce = named(reductions(), task.reduce, "reduction");
  if (task.key == "bytes" && format.text.empty())
    throw usage_error("--format " + task.format +
                      " has records of numbers, and --key bytes is for texts: give --key u64, dense or none");
  std::vector<std::pair<std::string, std::string>> files{
      {task.name + ".hpp", header_of(task, format, reduce)},
      {"CMakeLists.txt", cmake_of(task, format, reduce)}};
  if (!format.sample_name.empty()) files.emplace_back(format.sample_name, format.sample);
  return files;
}

std::string write_new_task(const new_task& task) {
  const auto files = files_of(task);
  constexpr mode_t for_all = 0777;  // the umask removes some of these bits
  if (::mkdir(task.name.c_str(), for_all) != 0) {
    if (errno == EEXIST)
      throw usage_error("there is a '" + task.name +
                        "' here already; choose another NAME, or another folder");
    throw output_error("cannot make the folder " + quoted(task.name) + ": " + error_text(errno) +
                       "; choose another folder for it");
  }
  std::string said = "Written:\n";
  for (const auto& [name, content] : files) {
    const std::string path = task.name + "/" + name;
    write_file_text(path, content);
    said += "  " + path + "\n";
  }
  const std::string build = task.name + "/build";
  const std::string& sample = named(formats(), task.format, "format").sample_name;
  return said + "Build it, and test it" + (sample.empty() ? "" : " on the sample") + ":\n  cmake -S " +
         task.name + " -B " + build + "\n  cmake --build " + build + "\n  ctest --test-dir " + build +
         "\nRun it:\n  " + build + "/" + task.name + " " +
         (sample.empty() ? some_indices : task.name + "/" + sample) + "\n";
}

}  // namespace duomap::apps
