// Parses the share that a user gives.
#include "core/share_policy.hpp"

#include "core/error.hpp"

#include <charconv>
#include <string>
#include <system_error>

namespace duomap {

share_choice parse_share(std::string_view text) {
  if (text == "auto") return {};
  constexpr std::string_view by_hand = "gpu=";
  const std::string is = "the share is '" + std::string(text) + "'; ";
  if (!text.starts_with(by_hand)) throw usage_error(is + "give one of auto, gpu=SHARE");
  text.remove_prefix(by_hand.size());
  double share = -1;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), share);
  if (problem != std::errc() || end != text.data() + text.size() || !(share >= 0 && share <= 1))
    throw usage_error(is + "the share of the GPUs is a number from 0 to 1");
  return {.policy = share_policy::by_hand, .gpu_share = share};
}

}  // namespace duomap
