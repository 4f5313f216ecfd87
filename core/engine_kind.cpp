#include "core/engine_kind.hpp"

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

}  // namespace duomap
