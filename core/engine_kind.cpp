#include "core/engine_kind.hpp"

#include "core/error.hpp"

#include <string>

namespace duomap {

std::string_view name(engine_kind kind) noexcept {
  switch (kind) {
    case engine_kind::dense:
      return "dense";
    case engine_kind::reduction_object:
      return "reduction-object";
    case engine_kind::sort:
      return "sort";
  }
  return "unknown";
}

engine_kind parse_engine(std::string_view text) {
  for (const auto kind : {engine_kind::dense, engine_kind::reduction_object, engine_kind::sort}) {
    if (text == name(kind)) return kind;
  }
  throw usage_error("unknown engine '" + std::string(text) + "'; known are dense, reduction-object and sort");
}

}  // namespace duomap
