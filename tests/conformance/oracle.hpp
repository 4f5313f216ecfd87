// Computes the expected answer of a task: runs its map and reduce over all records in order, with a std::map.
#pragma once

#include "core/record/fields.hpp"
#include "core/record/index_range.hpp"
#include "core/record/lines.hpp"
#include "core/record/markup.hpp"
#include "core/record/rows.hpp"
#include "core/record/words.hpp"
#include "core/task.hpp"
#include "tests/support/inputs.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::test {

// The oracle has no chunks, cuts or tables, and finds records itself. It shares only the task and the types
// of records with the product.

/// Finds words character by character, by the documentation's definition.
[[nodiscard]] inline std::vector<std::string> split_words(std::string_view text, bool lower_case) {
  static constexpr std::string_view ascii = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'";
  std::vector<std::string> found(1);
  for (const char c : text) {
    if (ascii.find(c) != std::string_view::npos || static_cast<unsigned char>(c) > 127) {
      const bool capital = c >= 'A' && c <= 'Z';
      found.back() += capital && lower_case ? static_cast<char>(std::tolower(c)) : c;
    } else if (!found.back().empty()) {
      found.emplace_back();
    }
  }
  if (found.back().empty()) found.pop_back();
  return found;
}

/// The place and size of each line, which ends before a newline or at the end of the text.
[[nodiscard]] inline std::vector<std::pair<std::size_t, std::size_t>> split_lines(std::string_view text) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n') continue;
    found.emplace_back(start, i - start);
    start = i + 1;
  }
  if (start < text.size()) found.emplace_back(start, text.size() - start);
  return found;
}

template <class Use>
void for_each_record(const words& format, const std::string& text, std::uint32_t /*source*/, const Use& use) {
  for (const std::string& word : split_words(text, format.lower_case)) use(byte_view(std::string_view(word)));
}

template <class Use>
void for_each_record(const lines& /*format*/, const std::string& text, std::uint32_t source, const Use& use) {
  for (const auto& [start, size] : split_lines(text)) use(line{{text.data() + start, size}, start, source});
}

template <class Use>
void for_each_record(const fields& format, const std::string& text, std::uint32_t source, const Use& use) {
  for_each_record(lines{}, text, source, [&](const line& l) { use(format.fields_of(l)); });
}

template <class Use>
void for_each_record(const markup& /*format*/, const std::string& text, std::uint32_t source,
                     const Use& use) {
  const byte_view all(text);
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('<', start), text.size());
    use(markup_fragment{all.sub(start, end - start), all.sub(start, text.size() - start), start, source,
                        start == 0});
    start = end + 1;
  }
}

template <class T, class Use>
void for_each_record(const rows<T>& format, const std::string& text, std::uint32_t /*source*/,
                     const Use& use) {
  std::vector<T> values(format.width);
  const std::size_t bytes = format.width * sizeof(T);
  std::uint64_t index = 0;
  for (std::size_t at = format.header_bytes; at + bytes <= text.size(); at += bytes, ++index) {
    std::memcpy(values.data(), text.data() + at, bytes);
    use(row<T>{values.data(), format.width, index});
  }
}

/// Calls use(record) for each record of a sample, in order.
template <class Format, class Use>
void for_each_record(const Format& format, const sample& from, const Use& use) {
  if constexpr (std::is_same_v<Format, index_range>) {
    for (std::uint64_t i = 0; i < from.indices; ++i) use(i);
  } else {
    for (std::size_t i = 0; i < from.parts.size(); ++i) {
      for_each_record(format, from.parts[i], static_cast<std::uint32_t>(i), use);
    }
  }
}

/// The type in which an answer owns a value: views become strings.
template <class V>
using owned = std::conditional_t<std::is_same_v<V, byte_view>, std::string, V>;

template <class V>
[[nodiscard]] owned<V> own(const V& value) {
  if constexpr (std::is_same_v<V, byte_view>) {
    return std::string(value.text());
  } else {
    return value;
  }
}

/// A row of an answer: the bytes of its key, and its value.
template <class V>
struct answer_row {
  std::string key;
  V value;
  friend bool operator==(const answer_row&, const answer_row&) = default;
};

template <class V>
using answer_rows = std::vector<answer_row<V>>;

/// A key as bytes, for comparing answers.
template <class Key>
[[nodiscard]] std::string raw(const Key& key) {
  if constexpr (std::is_same_v<Key, byte_view>) {
    return std::string(key.text());
  } else {
    return {reinterpret_cast<const char*>(&key), sizeof key};
  }
}

/// The key of an answer's row. A key of variable length is a view into `bytes`.
template <class Task>
[[nodiscard]] auto typed_key(const std::string& bytes) {
  using key = result_key<typename Task::key>;
  if constexpr (std::is_same_v<key, byte_view>) {
    return byte_view(std::string_view(bytes));
  } else {
    key typed;
    std::memcpy(&typed, bytes.data(), sizeof typed);
    return typed;
  }
}

/// Stores everything that a map emits, in order.
template <class Task>
struct oracle_emitter {
  using emitted_type = emit_type<typename Task::reduce>;
  answer_rows<owned<emitted_type>> emits;

  void operator()(const result_key<typename Task::key>& key, const emitted_type& emitted) {
    emits.push_back({raw(key), own(emitted)});
  }
  void operator()(const emitted_type& emitted) { (*this)(result_key<typename Task::key>{}, emitted); }
};

/// Turns one emit into a value: adds an item to a fresh identity, or returns the emitted value.
template <class R, class Emitted>
[[nodiscard]] typename R::value_type whole_value(const R& op, const Emitted& emitted) {
  if constexpr (requires { typename R::item_type; }) {
    auto value = op.identity();
    op.add(value, emitted);
    return value;
  } else {
    return emitted;
  }
}

/// Folds the emits of slots at once.
template <class... R>
struct oracle_slots {
  slots<R...> ops;
  std::tuple<std::optional<typename R::value_type>...> values;

  template <std::size_t I>
  void operator()(std::integral_constant<std::size_t, I>,
                  const emit_type<std::tuple_element_t<I, std::tuple<R...>>>& emitted) {
    auto& mine = std::get<I>(values);
    const auto& op = std::get<I>(ops.reductions);
    const auto value = whole_value(op, emitted);
    mine = mine ? op(*mine, value) : value;
  }
};

template <class Task, class Emitter>
void oracle_map(const Task& task, const sample& from, Emitter& emit) {
  if constexpr (maps_chunks<Task>) {
    const input whole = make_input(from);
    for (std::uint32_t i = 0; i < whole.size(); ++i) {
      if (whole[i].units() > 0) task.map_chunk(chunk{whole[i].bytes().data, whole[i].units(), 0, i}, emit);
    }
  } else {
    for_each_record(format_of(task), from, [&](const auto& record) { task.map(record, emit); });
  }
}

template <class Task>
[[nodiscard]] auto oracle_finish(const Task& task, const std::string& key,
                                 const typename Task::reduce::value_type& value) {
  if constexpr (requires { task.finish(typed_key<Task>(key), value); }) {
    return task.finish(typed_key<Task>(key), value);
  } else {
    return value;
  }
}

/// The answer that every run of the task must give: rows in the order of their key bytes, collected rows in
/// the order that the task asks for, or for slots a tuple of optional values.
template <class Task>
[[nodiscard]] auto expected_answer(const Task& task, const sample& from) {
  using reduce = typename Task::reduce;
  if constexpr (detail::is_slots<reduce>) {
    const auto fold = [&]<class... R>(const slots<R...>& ops) {
      oracle_slots<R...> emit{ops, {}};
      oracle_map(task, from, emit);
      return emit.values;
    };
    return fold(reduction_of(task));
  } else {
    oracle_emitter<Task> emit;
    oracle_map(task, from, emit);
    const auto op = reduction_of(task);
    if constexpr (detail::is_collect<reduce>) {
      if (op.grouped) {
        std::stable_sort(emit.emits.begin(), emit.emits.end(), [](const auto& a, const auto& b) {
          if constexpr (std::is_same_v<typename Task::key, byte_view>) {
            return a.key < b.key;
          } else {
            return typed_key<Task>(a.key) < typed_key<Task>(b.key);
          }
        });
      }
      return emit.emits;
    } else if constexpr (detail::is_top_k<reduce>) {
      auto ranked = emit.emits;
      std::sort(ranked.begin(), ranked.end(), [&](const auto& a, const auto& b) {
        return a.key != b.key ? a.key < b.key : op.better(a.value, b.value);
      });
      answer_rows<typename reduce::value_type> best;
      std::map<std::string, std::uint64_t> kept;
      for (const auto& row : ranked) {
        if (kept[row.key]++ < op.k) best.push_back(row);
      }
      return best;
    } else {
      std::map<std::string, typename reduce::value_type> folded;
      for (const auto& [key, emitted] : emit.emits) {
        const typename reduce::value_type value = whole_value(op, emitted);
        const auto [place, is_new] = folded.try_emplace(key, value);
        if (!is_new) place->second = op(place->second, value);
      }
      answer_rows<decltype(oracle_finish(task, std::string(), std::declval<typename reduce::value_type>()))>
          rows;
      for (const auto& [key, value] : folded) rows.push_back({key, oracle_finish(task, key, value)});
      return rows;
    }
  }
}

}  // namespace duomap::test
