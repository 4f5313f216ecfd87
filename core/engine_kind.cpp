#include "core/engine_kind.hpp"

#include "core/error.hpp"

#include <string>

namespace duomap {

std::string_view name(engine_kind kind) noexcept {
  switch (kind) {
    case engine_kind::whole_chunk:
      return "whole-chunk";
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
  for (const auto kind : engine_kinds) {
    if (text == name(kind)) return kind;
  }
  throw usage_error("unknown engine '" + std::string(text) +
                    "'; known are whole-chunk, dense, reduction-object and sort");
}

}  // namespace duomap
