#include "apps/stringmatch/pattern_list.hpp"

#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/text/letter_case.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace duomap::apps {
namespace {

std::string folded(std::string text) {
  for (char& c : text) c = to_lower_ascii(c);
  return text;
}

/// How many bytes of a pattern are hashed, when the longer ones have `long_width`.
std::uint32_t head_width(const std::string& pattern, std::uint32_t long_width) {
  return pattern.size() < 4 ? static_cast<std::uint32_t>(pattern.size()) : long_width;
}

}  // namespace

pattern_list::pattern_list(const std::vector<std::string>& patterns, bool ignore_case) {
  if (patterns.empty()) throw usage_error("give at least one pattern: --pattern TEXT or --patterns FILE");
  std::unordered_set<std::string> seen;
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
  // 64 bits of the filter for each pattern let 1.6 % of other heads through, up to 128 KiB, which is less
  // than a core's second-level cache; and twice as many buckets as patterns.
  const auto log2_size = static_cast<std::uint32_t>(std::bit_width(folded_patterns.size()));
  index_.filter_bits = std::clamp(log2_size + 6, 6u, 20u);
  index_.bucket_bits = log2_size;
  filter_.resize((std::uint64_t{1} << index_.filter_bits) / 32);

  struct placed {
    std::uint32_t bucket;
    indexed_pattern pattern;
  };
  std::vector<placed> all;
  for (std::uint32_t i = 0; i < folded_patterns.size(); ++i) {
    const std::string& one = folded_patterns[i];
    const std::uint32_t width = head_width(one, long_width);
    std::uint64_t head = 0;
    for (std::uint32_t b = 0; b < width; ++b) {
      head |= std::uint64_t{static_cast<unsigned char>(one[b])} << (8 * b);
    }
    const std::uint32_t hash = pattern_index::hash(head, width);
    const std::uint32_t bit = hash >> (32 - index_.filter_bits);
    filter_[bit / 32] |= 1u << bit % 32;
    all.push_back({hash >> (32 - index_.bucket_bits),
                   {head, width, static_cast<std::uint32_t>(one.size()),
                    static_cast<std::uint32_t>(bytes_.size()), i}});
    bytes_ += one;
  }
  std::ranges::sort(all, {}, [](const placed& one) { return std::pair(one.bucket, one.pattern.size); });
  buckets_.resize((std::uint64_t{1} << index_.bucket_bits) + 1);
  for (const placed& one : all) {
    ++buckets_[one.bucket + 1];
    entries_.push_back(one.pattern);
  }
  std::partial_sum(buckets_.begin(), buckets_.end(), buckets_.begin());
  index_.one_pattern = all.size() == 1;
  index_.only_head = all.front().pattern.head;
  index_.filter = {filter_.data(), filter_.size()};
  index_.buckets = {buckets_.data(), buckets_.size()};
  index_.patterns = {entries_.data(), entries_.size()};
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
  if (patterns.empty()) throw usage_error("'" + path + "' holds no pattern; give one a line");
  return patterns;
}

}  // namespace duomap::apps
