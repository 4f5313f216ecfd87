// Splits a line into fields, with quotes.
#include "numeric/common/delimited_line.hpp"

#include "core/text/find_byte.hpp"

namespace duomap {
namespace {

byte_view without_carriage_return(byte_view line) {
  return line.size > 0 && line[line.size - 1] == '\r' ? line.sub(0, line.size - 1) : line;
}

}  // namespace

std::string delimited_field::unquoted() const {
  std::string plain(text.text());
  if (!has_doubled_quotes) return plain;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    plain[kept++] = plain[i];
    if (plain[i] == '"') ++i;
  }
  plain.resize(kept);
  return plain;
}

std::optional<char> find_delimiter(byte_view line) {
  for (const char candidate : {'\t', ',', ';'}) {
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      if (c == candidate && !quoted) return candidate;
    }
  }
  return std::nullopt;
}

delimited_line::delimited_line(byte_view line, char delimiter) : delimiter_(delimiter) {
  const byte_view text = without_carriage_return(line);
  at_ = text.begin();
  end_ = text.end();
  if (delimiter == ' ') {
    skip_blanks();
    more_ = at_ != end_;
  }
}

void delimited_line::skip_blanks() {
  while (at_ != end_ && is_blank(*at_, delimiter_)) ++at_;
}

bool delimited_line::next(delimited_field& field) {
  if (!more_) return false;
  field = {};
  skip_blanks();
  if (at_ != end_ && *at_ == '"') {
    read_quoted(field);
  } else {
    read_plain(field);
  }
  if (delimiter_ == ' ') {
    skip_blanks();
    more_ = at_ != end_;
  } else if (at_ != end_) {
    ++at_;
  } else {
    more_ = false;
  }
  return true;
}

void delimited_line::read_quoted(delimited_field& field) {
  const char* const begin = ++at_;
  field.quoted = true;
  for (;;) {
    const byte_view rest(at_, static_cast<std::uint64_t>(end_ - at_));
    at_ += find_byte(rest, '"');
    if (at_ == end_) {
      field.malformed = true;
      field.text = {begin, static_cast<std::uint64_t>(end_ - begin)};
      return;
    }
    if (at_ + 1 == end_ || at_[1] != '"') break;
    field.has_doubled_quotes = true;
    at_ += 2;
  }
  field.text = {begin, static_cast<std::uint64_t>(at_ - begin)};
  ++at_;
  const bool ends = at_ == end_ || *at_ == delimiter_ || is_blank(*at_, delimiter_);
  if (delimiter_ != ' ') skip_blanks();
  if (ends && (at_ == end_ || *at_ == delimiter_ || delimiter_ == ' ')) return;
  field.malformed = true;
  while (at_ != end_ && *at_ != delimiter_) ++at_;
}

void delimited_line::read_plain(delimited_field& field) {
  const char* const begin = at_;
  while (at_ != end_ && *at_ != delimiter_ && !(delimiter_ == ' ' && *at_ == '\t')) ++at_;
  const char* last = at_;
  while (last != begin && is_blank(last[-1], delimiter_)) --last;
  field.text = {begin, static_cast<std::uint64_t>(last - begin)};
}

}  // namespace duomap
