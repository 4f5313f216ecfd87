// Changes bytes of a table's text, so that a line feed ends a row wherever it stands. No byte moves.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>

namespace duomap::apps {

/// How a text is cut into rows and fields.
struct line_rules {
  char delimiter = ',';
  char quote = '"';              ///< '\0': no byte quotes
  char comment = '\n';           ///< the first byte of comments; '\n': there are none
  bool joins_lines = false;      ///< line feeds inside quotes become joined_line_feed
  bool ends_at_returns = false;  ///< carriage returns outside quotes become line feeds

  [[nodiscard]] bool change_bytes() const { return joins_lines || ends_at_returns; }
};

/// Whether the first line end outside quotes is a carriage return alone, as old Macs wrote it.
[[nodiscard]] bool lines_end_at_returns(byte_view beginning, char quote);

/// Changes a text piece by piece. A quote opens a field only at the field's beginning, and two quotes inside
/// quotes stand for one, as in RFC 4180.
class line_changer {
 public:
  explicit line_changer(const line_rules& rules) : rules_(rules) {}

  /// Changes the next bytes of the text.
  void change(char* bytes, std::uint64_t size);

  /// Whether the text so far ends inside quotes.
  [[nodiscard]] bool is_open() const { return state_ == state::quoted; }
  /// The number of line feeds inside quotes so far.
  [[nodiscard]] std::uint64_t joined() const { return joined_; }
  /// Whether text followed the closing quote of a field with line feeds: the quotes perhaps quote nothing.
  [[nodiscard]] bool is_loose() const { return loose_; }

 private:
  enum class state : unsigned char {
    line_start,
    field_start,
    unquoted,
    quoted,
    behind_quote,  ///< the quote closes the field, unless another one follows
    comment,
  };

  [[nodiscard]] std::uint64_t skip_unquoted(char* bytes, std::uint64_t at, std::uint64_t size);
  [[nodiscard]] std::uint64_t skip_quoted(char* bytes, std::uint64_t at, std::uint64_t size);
  [[nodiscard]] std::uint64_t line_end(const char* bytes, std::uint64_t at, std::uint64_t size) const;
  [[nodiscard]] std::uint64_t end_line(char* bytes, std::uint64_t end, std::uint64_t size);
  [[nodiscard]] bool ends_field(char byte) const {
    return byte == rules_.delimiter || byte == '\n' || byte == '\r';
  }

  line_rules rules_;
  state state_ = state::line_start;
  std::uint64_t joined_ = 0;
  bool field_is_joined_ = false;
  bool loose_ = false;
};

}  // namespace duomap::apps
