#include "core/split_policy.hpp"

#include "core/error.hpp"

#include <array>
#include <charconv>
#include <system_error>
#include <utility>

namespace duomap {
namespace {

constexpr std::array<std::pair<std::string_view, split_policy>, 6> names{{
    {"auto", split_policy::automatic},
    {"gpu", split_policy::by_hand},
    {"mars", split_policy::mars},
    {"qilin", split_policy::qilin},
    {"packets", split_policy::packets},
    {"guided", split_policy::guided},
}};

template <class Number>
bool parse_number(std::string_view text, Number& into) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), into);
  return problem == std::errc() && end == text.data() + text.size();
}

}  // namespace

split_choice parse_split(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view word = text.substr(0, equals);
  split_choice choice;
  bool known = false;
  for (const auto& [one, policy] : names) {
    if (one != word) continue;
    choice.policy = policy;
    known = true;
  }
  const bool takes_number = choice.policy == split_policy::by_hand || choice.policy == split_policy::packets;
  const bool has_number = equals != std::string_view::npos;
  if (!known || (has_number && !takes_number)) {
    throw usage_error("the split is '" + std::string(text) +
                      "'; give one of auto, gpu=SHARE, mars, qilin, packets, packets=N, guided");
  }
  if (choice.policy == split_policy::by_hand) {
    double share = -1;
    if (!has_number || !parse_number(text.substr(equals + 1), share) || !(share >= 0 && share <= 1))
      throw usage_error("the split is '" + std::string(text) +
                        "'; the share of the GPUs is a number from 0 to 1");
    choice.gpu_share = share;
  } else if (has_number) {
    if (!parse_number(text.substr(equals + 1), choice.packets) || choice.packets == 0)
      throw usage_error("the split is '" + std::string(text) + "'; give a whole number of at least 1");
  }
  return choice;
}

std::string_view name(split_policy policy) noexcept {
  for (const auto& [one, each] : names) {
    if (each == policy) return one;
  }
  return "";
}

}  // namespace duomap
