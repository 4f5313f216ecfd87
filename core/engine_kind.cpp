// Converts the kinds of engines to their names.
#include "core/engine_kind.hpp"

namespace duomap {

std::string_view name(engine_kind kind) noexcept {
  switch (kind) {
    case engine_kind::custom:
      return "custom";
    case engine_kind::dense:
      return "dense";
    case engine_kind::hash:
      return "hash";
    case engine_kind::sort:
      return "sort";
  }
  return "unknown";
}

}  // namespace duomap
