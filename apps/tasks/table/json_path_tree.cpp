// Makes the tree of the members that a plan reads.
#include "apps/tasks/table/json_path_tree.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

/// A name of the tree while it grows.
struct growing_name {
  std::string_view text;
  std::uint8_t column = json_name::no_column;
  bool dotted = false;
  std::uint64_t below = 0;
  std::vector<std::size_t> members;
};

class growing_tree {
 public:
  growing_tree() : names_(1) {}

  void add(std::string_view path, unsigned column) {
    const bool has_dots = path.find('.') != std::string_view::npos;
    if (has_dots) end_at(name_in(0, path, true), column);
    std::size_t at = 0;
    unsigned levels = 0;
    for (std::size_t begin = 0; begin <= path.size(); ++levels) {
      const std::size_t end = std::min(path.find('.', begin), path.size());
      at = name_in(at, path.substr(begin, end - begin), false);
      names_[at].below |= std::uint64_t{1} << column;
      begin = end + 1;
    }
    if (levels > most_json_levels)
      throw usage_error("column " + quoted(std::string(path)) + " has more than " +
                        std::to_string(most_json_levels) + " names with dots between them");
    end_at(at, column);
  }

  /// Writes the names level by level, so that the members of each name stand together.
  [[nodiscard]] json_paths tree(std::size_t columns) const {
    json_paths made;
    made.columns = static_cast<unsigned>(columns);
    if (names_.size() > most_json_names) fail();
    std::vector<std::size_t> order{0};
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const growing_name& from = names_[order[i]];
      json_name& to = made.names[i];
      // The names of a path are parts of the column's whole name, which comes before them.
      std::size_t text = std::string_view(made.texts, bytes).find(from.text);
      if (text == std::string_view::npos) {
        if (bytes + from.text.size() > most_json_name_bytes) fail();
        std::copy(from.text.begin(), from.text.end(), made.texts + bytes);
        text = std::exchange(bytes, bytes + from.text.size());
      }
      std::memcpy(&to.head, made.texts + text, std::min<std::size_t>(from.text.size(), 8));
      to.below = from.below;
      for (const std::size_t member : from.members)
        to.sizes |= std::uint64_t{1} << names_[member].text.size() % 64;
      to.text = static_cast<std::uint16_t>(text);
      to.size = static_cast<std::uint16_t>(from.text.size());
      to.first = static_cast<std::uint8_t>(order.size());
      to.count = static_cast<std::uint8_t>(from.members.size());
      to.column = from.column;
      to.dotted = from.dotted;
      order.insert(order.end(), from.members.begin(), from.members.end());
    }
    return made;
  }

 private:
  [[noreturn]] static void fail() {
    throw usage_error("the columns of JSON Lines that a run reads have at most " +
                      std::to_string(most_json_names - 1) + " names with " +
                      std::to_string(most_json_name_bytes) + " bytes; a column with dots has several names");
  }

  /// The name `text` in the object `in`, which is added if it is not there.
  std::size_t name_in(std::size_t in, std::string_view text, bool dotted) {
    for (const std::size_t member : names_[in].members) {
      if (names_[member].text == text) return member;
    }
    const std::size_t added = names_.size();
    growing_name& name = names_.emplace_back();
    name.text = text;
    name.dotted = dotted;
    names_[in].members.push_back(added);
    return added;
  }

  void end_at(std::size_t name, unsigned column) {
    names_[name].column = static_cast<std::uint8_t>(column);
    names_[name].below |= std::uint64_t{1} << column;
  }

  std::vector<growing_name> names_;
};

}  // namespace

json_paths json_paths_of(const std::vector<std::string>& columns) {
  growing_tree tree;
  for (std::size_t i = 0; i < columns.size(); ++i) tree.add(columns[i], static_cast<unsigned>(i));
  return tree.tree(columns.size());
}

}  // namespace duomap::apps
