// Gives output columns distinct names.
#include "numeric/commands/column_headings.hpp"

#include "core/output/json_text.hpp"
#include "core/text/keyed_hash.hpp"

#include <unordered_set>

namespace duomap::apps {

std::vector<std::string> column_headings(std::vector<std::string> own, const std::vector<std::string>& names,
                                         std::uint64_t count, const std::string& prefix) {
  std::unordered_set<std::string, keyed_hash> taken(own.begin(), own.end());
  // Columns with names of their own come first, so that no number takes one of these names.
  std::vector<bool> named(count);
  for (std::uint64_t i = 0; i < names.size() && i < count; ++i)
    named[i] = !names[i].empty() && is_utf8(names[i]) && taken.insert(names[i]).second;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (named[i]) {
      own.push_back(names[i]);
      continue;
    }
    const std::string number = prefix + std::to_string(i + 1);
    std::string name = number;
    for (int more = 2; !taken.insert(name).second; ++more) name = number + "_" + std::to_string(more);
    own.push_back(name);
  }
  return own;
}

}  // namespace duomap::apps
