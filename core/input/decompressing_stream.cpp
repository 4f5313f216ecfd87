// Decompresses members in order, or hands out whole members as parts, which other threads decompress.
#include "core/input/decompressing_stream.hpp"

#include "core/error.hpp"
#include "core/input/view_stream.hpp"

#include <utility>
#include <vector>

namespace duomap {

namespace {

/// Members that a stream has handed out as one part.
class member_part final : public stream_part {
 public:
  member_part(std::unique_ptr<stream_part> stored, const member_format::extent& size, std::uint64_t position,
              std::string name, const member_format& members)
    : stored_(std::move(stored)),
      size_(size),
      position_(position),
      name_(std::move(name)),
      members_(members) {}

  // The room also holds the stored bytes, behind the text: separate memory would cost new pages for each
  // part.
  [[nodiscard]] std::uint64_t most_bytes() const noexcept override { return size_.most_text + size_.stored; }

  std::uint64_t read(char* into) override {
    char* const behind = into + size_.most_text;
    const byte_view stored{behind, stored_->read(behind)};
    if (members_.decode != nullptr) {
      if (const auto given = members_.decode(stored, into, size_.most_text)) return *given;
    }
    const std::unique_ptr<byte_stream> stream =
        members_.open(std::make_unique<view_stream>(stored), name_, position_);
    std::uint64_t given = 0;
    while (given < size_.most_text) {
      const std::uint64_t count = stream->read(into + given, size_.most_text - given);
      if (count == 0) return given;
      given += count;
    }
    // Reads on behind the last byte of text, so that the library also checks the end of the members.
    std::vector<char> more(read_ahead::usual_bytes);
    bool too_much = false;
    while (stream->read(more.data(), more.size()) > 0) too_much = true;
    if (too_much) {
      throw input_error("cannot read " + name_ + ": of its compressed data from byte " +
                        std::to_string(position_) + " on is more than its sizes say; get the file again");
    }
    return given;
  }

 private:
  std::unique_ptr<stream_part> stored_;
  member_format::extent size_;
  std::uint64_t position_;
  std::string name_;
  const member_format& members_;
};

}  // namespace

decompressing_stream::decompressing_stream(std::unique_ptr<byte_stream> stored, compression kind,
                                           std::string name, std::uint64_t position,
                                           const member_format* members)
  : stored_(std::move(stored), position), kind_(kind), name_(std::move(name)), members_(members) {}

std::uint64_t decompressing_stream::read(char* into, std::uint64_t capacity) {
  expects(capacity > 0, "a read of no bytes looks like the end of the stream");
  for (;;) {
    if (!inside_member_ && !next_member()) return 0;
    const byte_view ready = stored_.require(1);
    const progress made = step(ready, into, capacity);
    stored_.consume(made.taken);
    inside_member_ = !made.member_ended;
    if (made.given > 0) return made.given;
    // At the end of the stored bytes the library gets one more call, in which it gives any bytes that it
    // still has. If it gives none, the rest of the member is missing.
    if (inside_member_ && ready.empty()) {
      throw input_error("cannot read " + name_ + ": it is truncated, it ends at byte " +
                        std::to_string(stored_.position()) +
                        " inside the compressed data; get the whole file");
    }
  }
}

/// Moves to the next member; false at the end of the stored bytes.
bool decompressing_stream::next_member() {
  if (any_member_) skip_padding(stored_);
  const byte_view first = stored_.require(magic_bytes);
  if (any_member_ && first.empty()) return false;
  if (any_member_ && !may_be(kind_, first)) {
    throw input_error("cannot read " + name_ + ": at byte " + std::to_string(stored_.position()) +
                      " something that is not " + std::string(name_of(kind_)) +
                      " follows the compressed data; cut it off or get the file again");
  }
  require_compressed(kind_, first, name_);
  begin_member();
  any_member_ = true;
  inside_member_ = true;
  return true;
}

std::optional<std::uint64_t> decompressing_stream::look(std::uint64_t ahead, char* into,
                                                        std::uint64_t count) {
  if (any_member_ || members_ == nullptr || ahead > 0) return std::nullopt;
  // More than the 128 KiB of a block of zstd.
  constexpr std::uint64_t stored_bytes = std::uint64_t{160} << 10;
  // For a small member, making a second decoder would take longer than decompressing the member.
  const auto first = members_->member_at(stored_, 0);
  if (!first || first->stored <= stored_bytes) return std::nullopt;
  const byte_view stored = stored_.look(0, stored_bytes);
  std::uint64_t given = 0;
  try {
    const auto beginning = members_->open(std::make_unique<view_stream>(stored), name_, stored_.position());
    while (given < count) {
      const std::uint64_t more = beginning->read(into + given, count - given);
      if (more == 0) break;
      given += more;
    }
  } catch (const input_error&) {
    return std::nullopt;  // read() will report the error
  }
  return given;
}

std::unique_ptr<stream_part> decompressing_stream::take_part(std::uint64_t wanted) {
  if (inside_member_ || members_ == nullptr) return nullptr;
  member_format::extent sum;
  while (sum.most_text < wanted) {
    const auto next = members_->member_at(stored_, sum.stored);
    if (!next || sum.stored + next->stored > most_part_bytes ||
        sum.most_text + next->most_text > most_part_bytes) {
      break;
    }
    sum.stored += next->stored;
    sum.most_text += next->most_text;
  }
  if (sum.stored == 0) return nullptr;
  any_member_ = true;
  const std::uint64_t position = stored_.position();
  return std::make_unique<member_part>(stored_.take(sum.stored), sum, position, name_, *members_);
}

}  // namespace duomap
