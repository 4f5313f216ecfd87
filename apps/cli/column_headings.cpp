#include "apps/cli/column_headings.hpp"

#include "core/output/table_writer.hpp"
#include "core/text/keyed_hash.hpp"

#include <algorithm>
#include <unordered_set>

namespace duomap::apps {

std::vector<std::string> column_headings(std::vector<std::string> own, const std::vector<std::string>& names,
                                         std::uint64_t count, const std::string& prefix) {
  std::unordered_set<std::string, keyed_hash> taken(own.begin(), own.end());
  const bool usable = names.size() == count && std::ranges::all_of(names, [&](const std::string& name) {
                        return !name.empty() && is_plain_name(name) && taken.insert(name).second;
                      });
  for (std::uint64_t i = 0; i < count; ++i) own.push_back(usable ? names[i] : prefix + std::to_string(i + 1));
  return own;
}

}  // namespace duomap::apps
