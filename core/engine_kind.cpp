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

std::string_view new_engine_name(std::string_view text) noexcept {
  if (text == "whole-chunk") return name(engine_kind::custom);
  if (text == "reduction-object") return name(engine_kind::hash);
  return {};
}

}  // namespace duomap
