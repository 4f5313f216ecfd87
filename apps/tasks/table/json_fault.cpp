// Writes sentences about rows that are no JSON objects.
#include "apps/tasks/table/json_fault.hpp"

#include "apps/tasks/table/json_row.hpp"

namespace duomap::apps {
namespace {

std::string text_of(json_status status) {
  switch (status) {
    case json_status::open_string:
      return "a string has no end";
    case json_status::control_character:
      return "a string has a control character, which JSON writes as an escape";
    case json_status::bad_escape:
      return "a string has a backslash that begins no escape of JSON";
    case json_status::no_name:
      return "there is no name in double quotes";
    case json_status::no_colon:
      return "there is no colon behind the name";
    case json_status::no_value:
      return "there is no value";
    case json_status::no_comma:
      return "there is no comma behind the value";
    case json_status::open_object:
      return "an object or a list has no end";
    case json_status::too_deep:
      return "objects and lists are nested deeper than " + std::to_string(most_json_depth) + " levels";
    case json_status::more:
      return "bytes follow the object";
    case json_status::row:
    case json_status::blank:
    case json_status::no_object:
      break;
  }
  return "it does not begin with { and end with }";
}

}  // namespace

std::string json_fault_of(byte_view row, const json_paths& paths) {
  json_values values;
  json_scan scan(row, paths, values);
  const json_status status = scan.run();
  std::string text = "it is no JSON object: " + text_of(status);
  if (status != json_status::no_object)
    text += ", at byte " + std::to_string(scan.place() - row.data + 1) + " of the line";
  return text;
}

}  // namespace duomap::apps
