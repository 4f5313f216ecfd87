#include "apps/cli/column_headings.hpp"

#include "core/output/json_text.hpp"

#include <algorithm>
#include <unordered_set>

namespace duomap::apps {
namespace {

bool can_be_written(const std::string& name) {
  return !name.empty() && is_utf8(name) && std::ranges::none_of(name, [](char one) {
    return one == '"' || one == '\\' || static_cast<unsigned char>(one) < 0x20;
  });
}

}  // namespace

std::vector<std::string> column_headings(std::vector<std::string> own, const std::vector<std::string>& names,
                                         std::uint64_t count, const std::string& prefix) {
  std::unordered_set<std::string> taken(own.begin(), own.end());
  const bool usable = names.size() == count && std::ranges::all_of(names, [&](const std::string& name) {
                        return can_be_written(name) && taken.insert(name).second;
                      });
  for (std::uint64_t i = 0; i < count; ++i) own.push_back(usable ? names[i] : prefix + std::to_string(i + 1));
  return own;
}

}  // namespace duomap::apps
