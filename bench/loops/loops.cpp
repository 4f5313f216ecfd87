// Reads bytes or lines in one loop for each task, fills standard containers, and digests the rows.
#include "bench/loops/loops.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duomap::apps::loops {
namespace {

template <class Use>
void for_each_line(std::string_view text, const Use& use) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    use(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

unseen::sketch sketch_of(byte_view bytes) {
  const auto* const numbers = reinterpret_cast<const std::uint32_t*>(bytes.data);
  unseen::sketch all{};
  for (std::uint64_t i = 0; i < bytes.size / sizeof(std::uint32_t); ++i) ++all.counts[cell_of(numbers[i])];
  return all;
}

}  // namespace

answer_digest histogram_loop(byte_view bytes) {
  std::array<std::uint64_t, 768> counts{};
  for (std::uint64_t i = 0; i + 3 <= bytes.size; i += 3) {
    for (std::uint64_t colour = 0; colour < 3; ++colour)
      ++counts[256 * colour + static_cast<unsigned char>(bytes[i + colour])];
  }
  answer_digest answer;
  for (std::uint64_t key = 0; key < counts.size(); ++key) {
    if (counts[key] > 0) add_row(answer, key, counts[key]);
  }
  return answer;
}

answer_digest sensors_loop(byte_view text) {
  std::unordered_map<std::uint32_t, unseen::readings> sums;
  for_each_line(text.text(), [&](std::string_view line) {
    std::uint32_t id = 0;
    double degrees = 0;
    const char* const end = line.data() + line.size();
    const auto read = std::from_chars(line.data(), end, id);
    if (read.ec != std::errc{} || read.ptr + 1 >= end) return;
    std::from_chars(read.ptr + 1, end, degrees);
    const auto hundredths = static_cast<std::int64_t>(degrees * 100 + (degrees < 0 ? -0.5 : 0.5));
    const auto [place, is_new] = sums.try_emplace(id, unseen::readings{1, hundredths, hundredths});
    if (is_new) return;
    unseen::readings& sum = place->second;
    sum = {sum.count + 1, sum.sum + hundredths, std::max(sum.largest, hundredths)};
  });
  answer_digest answer;
  for (const auto& [id, sum] : sums) add_row(answer, id, sum);
  return answer;
}

answer_digest bigrams_loop(byte_view text) {
  std::unordered_map<std::string, std::uint64_t> counts;
  std::string pair;
  for_each_line(text.text(), [&](std::string_view line) {
    std::string_view before;
    for (std::size_t begin = 0; begin < line.size();) {
      const std::size_t end = std::min(line.find(' ', begin), line.size());
      const std::string_view word = line.substr(begin, std::min<std::size_t>(end - begin, 31));
      if (begin > 0) {
        pair.assign(before);
        pair += ' ';
        pair += word;
        ++counts[pair];
      }
      before = word;
      begin = end + 1;
    }
  });
  answer_digest answer;
  for (const auto& [words, count] : counts) add_row(answer, byte_view(words.data(), words.size()), count);
  return answer;
}

answer_digest longest_words_loop(byte_view text) {
  constexpr std::size_t most = 100;
  std::vector<long_word> best;  // a heap with the shortest word first
  const auto is_letter = [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '\'' ||
           c >= 0x80;
  };
  for (std::uint64_t i = 0; i < text.size;) {
    if (!is_letter(static_cast<unsigned char>(text[i]))) {
      ++i;
      continue;
    }
    const std::uint64_t begin = i;
    while (i < text.size && is_letter(static_cast<unsigned char>(text[i]))) ++i;
    if (best.size() == most && i - begin < best.front().size) continue;
    const long_word word = as_long_word(text.sub(begin, i - begin));
    if (best.size() == most && !longer{}(word, best.front())) continue;
    if (best.size() == most) {
      std::ranges::pop_heap(best, longer{});
      best.pop_back();
    }
    best.push_back(word);
    std::ranges::push_heap(best, longer{});
  }
  answer_digest answer;
  for (const long_word& word : best) add_row(answer, std::uint64_t{0}, word);
  return answer;
}

answer_digest quantiles_loop(byte_view bytes) {
  answer_digest answer;
  add_row(answer, std::uint64_t{0}, sketch_of(bytes));
  return answer;
}

answer_digest quantile_cells_loop(byte_view bytes) {
  const unseen::sketch all = sketch_of(bytes);
  answer_digest answer;
  for (std::uint64_t cell = 0; cell < all.counts.size(); ++cell) {
    if (all.counts[cell] > 0) add_row(answer, cell, all.counts[cell]);
  }
  return answer;
}

answer_digest in_order_loop(byte_view text) {
  unseen::affine all{1, 0};
  for_each_line(text.text(), [&](std::string_view line) {
    std::uint64_t sum = 0;
    for (const char c : line) sum += static_cast<unsigned char>(c);
    const unseen::affine next{2 * sum + 1, line.size()};
    all = {all.factor * next.factor, next.factor * all.offset + next.offset};
  });
  answer_digest answer;
  add_row(answer, std::uint64_t{0}, all);
  return answer;
}

answer_digest gradient_loop(byte_view bytes) {
  const auto* const numbers = reinterpret_cast<const std::uint32_t*>(bytes.data);
  const unseen::gradient task;
  std::array<std::int64_t, 8> sums{};
  for (std::uint64_t at = 0; at + 8 <= bytes.size / sizeof(std::uint32_t); at += 8) {
    const std::uint32_t* const point = numbers + at;
    float sum = 0;
    for (std::uint32_t i = 0; i < 8; ++i) sum += task.weights[i] * static_cast<float>(point[i] & 255);
    const float error = (sum > 0 ? 1.0F : 0.0F) - static_cast<float>(point[0] >> 31);
    for (std::uint32_t i = 0; i < 8; ++i)
      sums[i] += static_cast<std::int64_t>(error * static_cast<float>(point[i] & 255) * 1e6F);
  }
  answer_digest answer;
  for (std::uint64_t i = 0; i < sums.size(); ++i) add_row(answer, i, sums[i]);
  return answer;
}

answer_digest monte_carlo_loop(std::uint64_t points) {
  std::uint64_t inside = 0;
  for (std::uint64_t index = 0; index < points; ++index) {
    auto state = unseen::scrambled(static_cast<std::uint32_t>(index) + 1);
    for (int i = 0; i < 100; ++i) {
      state = unseen::scrambled(state + 1);
      const std::uint64_t x = state & 0xFFFF;
      const std::uint64_t y = state >> 16;
      inside += x * x + y * y < std::uint64_t{1} << 32 ? 1 : 0;
    }
  }
  answer_digest answer;
  add_row(answer, std::uint64_t{0}, inside);
  return answer;
}

}  // namespace duomap::apps::loops
