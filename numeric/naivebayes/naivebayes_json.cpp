// Writes the model of naive Bayes as JSON, and reads it.
#include "core/error.hpp"
#include "core/output/json_text.hpp"
#include "numeric/naivebayes/naivebayes_model.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace duomap {
namespace {

constexpr char format_name[] = "duomap naive Bayes model";
constexpr int format_version = 1;

using nlohmann::json;

std::string quoted(const std::string& text, const std::string& what) {
  if (!is_utf8(text)) {
    throw usage_error(what +
                      " is not UTF-8, which JSON cannot hold; convert the table (iconv) to save a model");
  }
  return json(text).dump();
}

template <class Number>
std::string list_of(const Number* first, std::size_t count) {
  return json(std::vector<Number>(first, first + count)).dump();
}

// Reads members that must exist; its messages say how the text differs from a model.
class reader {
 public:
  reader(std::string_view text, std::string name) : name_(std::move(name)) {
    try {
      root_ = json::parse(text);
    } catch (const json::exception& problem) {
      // The message is "[json.exception.parse_error.101] parse error at line 1, column 2: ...".
      const std::string what = problem.what();
      fail("is not JSON: " + what.substr(what.find("] ") + 2));
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw input_error("the model " + name_ + " " + what);
  }
  void require(bool condition, const std::string& what) const {
    if (!condition) fail(what);
  }

  [[nodiscard]] const json& root() const { return root_; }

  [[nodiscard]] const json& member(const json& of, const char* key, json::value_t type) const {
    require(of.is_object() && of.contains(key), std::string("has no '") + key + "' where one belongs");
    const json& found = of[key];
    const bool number = type == json::value_t::number_float && found.is_number();
    require(number || found.type() == type, std::string("has a '") + key + "' of the wrong type");
    return found;
  }
  [[nodiscard]] std::string text(const json& of, const char* key) const {
    return member(of, key, json::value_t::string).get<std::string>();
  }
  [[nodiscard]] std::uint32_t number_up_to(const json& of, const char* key, std::uint64_t most) const {
    const auto number = member(of, key, json::value_t::number_unsigned).get<std::uint64_t>();
    require(number >= 1 && number <= most, std::string("has ") + std::to_string(number) + " as '" + key +
                                               "'; it is 1 to " + std::to_string(most));
    return static_cast<std::uint32_t>(number);
  }

 private:
  std::string name_;
  json root_;
};

naivebayes_attribute read_attribute(const reader& from, const json& one, const naivebayes_model& model) {
  naivebayes_attribute attribute;
  attribute.column = from.number_up_to(one, "column", model.columns) - 1;
  attribute.name = from.text(one, "name");
  attribute.rows_of_class.assign(model.classes.size(), 0);
  const std::string where = "for the attribute '" + attribute.name + "'";
  // nlohmann::json keeps members sorted by name; categories have the same order.
  for (const auto& [category, counts] : from.member(one, "categories", json::value_t::object).items()) {
    from.require(counts.is_array() && counts.size() == model.classes.size(),
                 "does not have a number for each class " + where + " and '" + category + "'");
    attribute.categories.push_back(category);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      from.require(counts[i].is_number_unsigned(), "has a count that is no whole number " + where);
      const auto count = counts[i].get<std::uint64_t>();
      from.require(count <= model.rows_of_class[i] - attribute.rows_of_class[i],
                   "counts more rows " + where + " than the class '" + model.classes[i] + "' has");
      attribute.rows.push_back(count);
      attribute.rows_of_class[i] += count;
    }
  }
  if (model.missing == missing_values::category) {
    from.require(attribute.rows_of_class == model.rows_of_class, "does not count every row " + where);
  }
  return attribute;
}

}  // namespace

std::string to_json(const naivebayes_model& model) {
  std::string text =
      "{\n \"format\": " + json(format_name).dump() + ",\n \"version\": " + std::to_string(format_version) +
      ",\n \"alpha\": " + json(model.alpha).dump() + ",\n \"missing\": \"" +
      (model.missing == missing_values::category ? "category" : "ignore") +
      "\",\n \"delimiter\": " + json(std::string(1, model.delimiter)).dump() +
      ",\n \"header\": " + (model.has_header ? "true" : "false") +
      ",\n \"columns\": " + std::to_string(model.columns) +
      ",\n \"label\": {\"column\": " + std::to_string(model.label + 1) +
      ", \"name\": " + quoted(model.label_name, "the name of the label's column") + "},\n \"classes\": [";
  for (std::size_t i = 0; i < model.classes.size(); ++i) {
    text += std::string(i > 0 ? "," : "") + "\n  {\"class\": " + quoted(model.classes[i], "a class") +
            ", \"rows\": " + std::to_string(model.rows_of_class[i]) + "}";
  }
  text += "\n ],\n \"attributes\": [";
  bool first = true;
  for (const naivebayes_attribute& attribute : model.attributes) {
    const std::string name = quoted(attribute.name, "the name of a column");
    text += std::string(first ? "" : ",") + "\n  {\"column\": " + std::to_string(attribute.column + 1) +
            ", \"name\": " + name + ", \"categories\": {";
    first = false;
    for (std::size_t i = 0; i < attribute.categories.size(); ++i) {
      text += std::string(i > 0 ? "," : "") + "\n   " +
              quoted(attribute.categories[i], "a category of the column " + name) + ": " +
              list_of(attribute.rows.data() + i * model.classes.size(), model.classes.size());
    }
    text += "}}";
  }
  return text + "\n ]\n}\n";
}

naivebayes_model naivebayes_model_from_json(std::string_view text, const std::string& name) {
  const reader from(text, name);
  const json& root = from.root();
  from.require(from.text(root, "format") == format_name, "is JSON of another format");
  const auto version = from.member(root, "version", json::value_t::number_unsigned).get<std::uint64_t>();
  from.require(version == format_version, "is of version " + std::to_string(version) +
                                              "; this program reads version " +
                                              std::to_string(format_version));
  naivebayes_model model;
  model.alpha = from.member(root, "alpha", json::value_t::number_float).get<double>();
  from.require(std::isfinite(model.alpha) && model.alpha > 0, "has an alpha that is not above 0");
  const std::string missing = from.text(root, "missing");
  from.require(missing == "category" || missing == "ignore", "has '" + missing + "' as 'missing'");
  model.missing = missing == "category" ? missing_values::category : missing_values::ignore;
  const std::string delimiter = from.text(root, "delimiter");
  from.require(delimiter.size() == 1, "has a delimiter that is not one byte");
  model.delimiter = delimiter[0];
  model.has_header = from.member(root, "header", json::value_t::boolean).get<bool>();
  model.columns = from.number_up_to(root, "columns", 65'000);
  const json& label = from.member(root, "label", json::value_t::object);
  model.label = from.number_up_to(label, "column", model.columns) - 1;
  model.label_name = from.text(label, "name");
  for (const json& one : from.member(root, "classes", json::value_t::array)) {
    model.classes.push_back(from.text(one, "class"));
    model.rows_of_class.push_back(
        from.member(one, "rows", json::value_t::number_unsigned).get<std::uint64_t>());
    from.require(model.rows_of_class.back() > 0, "has a class without rows");
    const std::size_t count = model.classes.size();
    from.require(count == 1 || model.classes[count - 2] < model.classes[count - 1],
                 "has classes that are not in ascending order");
  }
  from.require(!model.classes.empty(), "has no classes");
  std::int64_t before = -1;
  for (const json& one : from.member(root, "attributes", json::value_t::array)) {
    model.attributes.push_back(read_attribute(from, one, model));
    const std::uint32_t column = model.attributes.back().column;
    from.require(before < std::int64_t{column} && column != model.label,
                 "has columns of attributes that are not in ascending order, or the label's");
    before = column;
  }
  return model;
}

}  // namespace duomap
