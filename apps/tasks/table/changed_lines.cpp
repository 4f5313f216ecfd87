// Reads sources through a line_changer.
#include "apps/tasks/table/changed_lines.hpp"

#include "apps/tasks/table/column_plan.hpp"
#include "core/error.hpp"
#include "core/input/resumed_stream.hpp"
#include "core/input/view_stream.hpp"
#include "core/path_problem.hpp"

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

std::unique_ptr<byte_stream> stream_of(const source& from, const run_control* control) {
  if (from.addressable()) return std::make_unique<view_stream>(from.bytes());
  return from.open(control);
}

class changed_stream final : public byte_stream {
 public:
  changed_stream(std::unique_ptr<byte_stream> text, const line_rules& rules, std::string name)
    : text_(std::move(text)), rules_(rules), changer_(rules), name_(std::move(name)) {}

  std::uint64_t read(char* into, std::uint64_t capacity) override {
    const std::uint64_t count = text_->read(into, capacity);
    if (rules_.joins_lines) require_no_mark({into, count});
    changer_.change(into, count);
    position_ += count;
    return count;
  }

 private:
  void require_no_mark(byte_view bytes) const {
    const void* const found =
        bytes.size == 0 ? nullptr : std::memchr(bytes.data, joined_line_feed, bytes.size);
    if (found == nullptr) return;
    const std::uint64_t at =
        position_ + static_cast<std::uint64_t>(static_cast<const char*>(found) - bytes.data);
    throw input_error(
        "cannot read " + quoted(name_) + ": byte " + std::to_string(at) +
        " of its text is 0xFF, which UTF-8 does not have, and which stands for line ends inside "
        "quotes; convert it to UTF-8 first, or read it with --quoted-lines no");
  }

  std::unique_ptr<byte_stream> text_;
  line_rules rules_;
  line_changer changer_;
  std::string name_;
  std::uint64_t position_ = 0;
};

class changed_lines_source final : public source {
 public:
  changed_lines_source(std::unique_ptr<source> whole, const line_rules& rules)
    : source(whole->name()), whole_(std::move(whole)), rules_(rules) {}

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return whole_->stored_size(); }
  [[nodiscard]] bool addressable() const noexcept override { return false; }
  [[nodiscard]] bool opens_again() const noexcept override {
    return whole_->addressable() || whole_->opens_again();
  }
  [[nodiscard]] bool marked() const noexcept override { return whole_->marked(); }
  [[nodiscard]] std::string change() const override { return whole_->change(); }

  [[nodiscard]] std::unique_ptr<byte_stream> open(const run_control* control) const override {
    std::unique_ptr<byte_stream> text = stream_of(*whole_, control);
    line_rules rules = rules_;
    if (rules.ends_at_returns) {
      constexpr std::uint64_t looked_at = std::uint64_t{64} << 10;
      std::string first = next_bytes(*text, looked_at);
      rules.ends_at_returns = lines_end_at_returns(byte_view(first), rules.quote);
      text = std::make_unique<resumed_stream>(std::move(text), std::move(first));
    }
    return std::make_unique<changed_stream>(std::move(text), rules, name());
  }

 private:
  std::unique_ptr<source> whole_;
  line_rules rules_;
};

}  // namespace

std::unique_ptr<source> with_changed_lines(std::unique_ptr<source> from, const line_rules& rules) {
  return std::make_unique<changed_lines_source>(std::move(from), rules);
}

bool fields_go_over_lines(const input& tables, const line_rules& rules, const run_control* control) {
  std::vector<char> buffer(std::size_t{1} << 18);
  line_rules joining = rules;
  joining.joins_lines = true;
  joining.ends_at_returns = false;  // the sources have changed them already
  std::uint64_t joined = 0;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::unique_ptr<byte_stream> text = stream_of(tables[i], control);
    line_changer changer(joining);
    while (const std::uint64_t count = text->read(buffer.data(), buffer.size())) {
      stop_if_cancelled(control);
      if (std::memchr(buffer.data(), joined_line_feed, count) != nullptr) return false;
      changer.change(buffer.data(), count);
      if (changer.is_loose()) return false;
    }
    if (changer.is_open()) return false;
    joined += changer.joined();
  }
  return joined > 0;
}

}  // namespace duomap::apps
