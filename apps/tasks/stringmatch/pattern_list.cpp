// Builds the filter, the buckets and the tries that find patterns, and reads files of patterns.
#include "apps/tasks/stringmatch/pattern_list.hpp"

#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/path_problem.hpp"
#include "core/text/keyed_hash.hpp"
#include "core/text/letter_case.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace duomap::apps {
namespace {

std::string folded(std::string text) {
  for (char& c : text) c = to_lower_ascii(c);
  return text;
}

/// The number of bytes in a pattern's head. Patterns of four or more bytes have heads of `long_width` bytes.
std::uint32_t head_width(std::string_view pattern, std::uint32_t long_width) {
  return pattern.size() < 4 ? static_cast<std::uint32_t>(pattern.size()) : long_width;
}

/// A pattern of a trie.
struct trie_leaf {
  std::string_view text;
  std::uint32_t first;  // index of its bytes in pattern_index::bytes
  std::uint32_t pattern;
};
using trie_leaves = std::span<const trie_leaf>;

/// Makes the trie of patterns that share their first `depth` bytes. The trie has only the bytes behind these.
/// `all` is sorted and has no equal patterns. Returns the root and adds the other nodes to `nodes`. It does
/// not recurse, because a trie may be as deep as the longest pattern.
pattern_node make_trie(trie_leaves all, std::size_t depth, std::vector<pattern_node>& nodes) {
  struct open_node {
    std::size_t index;  // index in `nodes`; `none` for the root
    trie_leaves leaves;
    std::size_t depth;
  };
  pattern_node root;
  std::vector<open_node> open = {{pattern_node::none, all, depth}};
  while (!open.empty()) {
    auto [index, leaves, begin] = open.back();
    open.pop_back();
    pattern_node made;
    const std::string_view first = leaves.front().text;
    const std::string_view last = leaves.back().text;
    std::size_t end = begin;
    while (end < first.size() && end < last.size() && first[end] == last[end]) ++end;
    made.first = leaves.front().first + static_cast<std::uint32_t>(begin);
    made.size = static_cast<std::uint32_t>(end - begin);
    if (first.size() == end) {
      made.pattern = leaves.front().pattern;
      leaves = leaves.subspan(1);
    }
    made.children = static_cast<std::uint32_t>(nodes.size());
    for (std::size_t i = 0; i < leaves.size();) {
      std::size_t next = i + 1;
      while (next < leaves.size() && leaves[next].text[end] == leaves[i].text[end]) ++next;
      open.push_back({nodes.size(), leaves.subspan(i, next - i), end});
      nodes.emplace_back();
      ++made.child_count;
      i = next;
    }
    (index == pattern_node::none ? root : nodes[index]) = made;
  }
  return root;
}

}  // namespace

pattern_list::pattern_list(const std::vector<std::string>& patterns, bool ignore_case) {
  if (patterns.empty()) throw usage_error("give at least one pattern: --pattern TEXT or --patterns FILE");
  std::unordered_set<std::string, keyed_hash> seen;
  std::vector<std::string> different;
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < patterns.size(); ++i) {
    const std::string& one = patterns[i];
    const std::string which = "pattern " + std::to_string(i + 1) + " of " + std::to_string(patterns.size());
    if (one.empty())
      throw usage_error(which +
                        " is empty, and nothing occurs everywhere; leave it out (in a file of "
                        "patterns: the empty line)");
    if (one.find('\n') != std::string::npos)
      throw usage_error(which + " holds a newline; a pattern is a part of one line");
    std::string compared = ignore_case ? folded(one) : one;
    if (!seen.insert(compared).second) continue;
    bytes += one.size();
    if (bytes > most_bytes)
      throw usage_error("the patterns up to " + std::to_string(i + 1) +
                        " have more than 2^31 bytes together");
    shortest_ = std::min<std::uint64_t>(shortest_, one.size());
    patterns_.push_back(one);
    different.push_back(std::move(compared));
  }
  index_.ignore_case = ignore_case;
  make_index(different);
  pair_ = cpu::rarest_pair(different.front(), ignore_case);
  for (const std::string& one : different) starts_.add(one);
}

void pattern_list::make_index(const std::vector<std::string>& folded_patterns) {
  std::uint32_t long_width = 8;
  for (const std::string& one : folded_patterns) {
    if (one.size() >= 4)
      long_width = static_cast<std::uint32_t>(std::min<std::size_t>(one.size(), long_width));
  }
  for (const std::uint32_t width : {1u, 2u, 3u, long_width}) {
    const bool used = std::ranges::any_of(
        folded_patterns, [&](const std::string& one) { return head_width(one, long_width) == width; });
    if (!used) continue;
    index_.masks[index_.width_count] = width == 8 ? ~std::uint64_t{0} : keep_bytes(~std::uint64_t{0}, width);
    index_.widths[index_.width_count++] = width;
  }
  // The filter has 64 bits or more for each pattern, and so lets at most 1.6 % of other heads through. Its
  // limit is 128 KiB, less than a core's second-level cache. The number of buckets is at most twice that of
  // patterns.
  const auto log2_size = static_cast<std::uint32_t>(std::bit_width(folded_patterns.size()));
  index_.filter_bits = std::clamp(log2_size + 6, 6u, 20u);
  index_.bucket_bits = log2_size;
  filter_.resize((std::uint64_t{1} << index_.filter_bits) / 32);

  // Patterns with the same head become neighbours, sorted by their bytes.
  std::vector<std::uint32_t> order(folded_patterns.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::string_view(folded_patterns[i]); });
  std::vector<trie_leaf> leaves;
  for (const std::uint32_t i : order) {
    leaves.push_back({folded_patterns[i], static_cast<std::uint32_t>(bytes_.size()), i});
    bytes_ += folded_patterns[i];
  }

  struct placed {
    std::uint32_t bucket;
    indexed_head head;
  };
  std::vector<placed> all;
  for (std::size_t begin = 0, end = 0; begin < leaves.size(); begin = end) {
    const std::string_view one = leaves[begin].text;
    const std::uint32_t width = head_width(one, long_width);
    const auto same_head = [&](std::string_view other) {
      return head_width(other, long_width) == width && other.substr(0, width) == one.substr(0, width);
    };
    for (end = begin + 1; end < leaves.size() && same_head(leaves[end].text);) ++end;
    std::uint64_t head = 0;
    for (std::uint32_t b = 0; b < width; ++b) {
      head |= std::uint64_t{static_cast<unsigned char>(one[b])} << (8 * b);
    }
    const std::uint32_t hash = pattern_index::hash(head, width);
    const std::uint32_t bit = hash >> (32 - index_.filter_bits);
    filter_[bit / 32] |= 1u << bit % 32;
    all.push_back({hash >> (32 - index_.bucket_bits),
                   {head, width, make_trie({leaves.data() + begin, end - begin}, width, nodes_)}});
  }
  std::ranges::stable_sort(all, {}, &placed::bucket);
  buckets_.resize((std::uint64_t{1} << index_.bucket_bits) + 1);
  for (const placed& one : all) {
    ++buckets_[one.bucket + 1];
    heads_.push_back(one.head);
  }
  std::partial_sum(buckets_.begin(), buckets_.end(), buckets_.begin());
  index_.one_pattern = leaves.size() == 1;
  index_.only_head = all.front().head.head;
  index_.filter = {filter_.data(), filter_.size()};
  index_.buckets = {buckets_.data(), buckets_.size()};
  index_.heads = {heads_.data(), heads_.size()};
  index_.nodes = {nodes_.data(), nodes_.size()};
  index_.bytes = {bytes_.data(), bytes_.size()};
}

std::vector<std::string> read_patterns(const std::string& path) {
  const input file = open_input({path});
  std::string text;
  for (std::size_t i = 0; i < file.size(); ++i) {
    if (file[i].addressable()) {
      text.append(file[i].bytes().text());
    } else {
      const auto stream = file[i].open();
      std::vector<char> part(std::size_t{1} << 16);
      while (const std::uint64_t size = stream->read(part.data(), part.size()))
        text.append(part.data(), size);
    }
    static_cast<void>(file[i].change());
    if (!text.empty() && text.back() != '\n') text += '\n';
  }
  std::vector<std::string> patterns;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t newline = text.find('\n', begin);
    std::size_t end = newline;
    if (end > begin && text[end - 1] == '\r') --end;
    patterns.push_back(text.substr(begin, end - begin));
    begin = newline + 1;
  }
  if (patterns.empty()) throw usage_error(quoted(path) + " holds no pattern; give one a line");
  return patterns;
}

}  // namespace duomap::apps
