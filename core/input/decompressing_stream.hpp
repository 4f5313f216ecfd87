// The base class of the streams of all compressed formats.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/compression.hpp"
#include "core/input/read_ahead.hpp"
#include "core/input/source.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace duomap {

/// The functions that find the members of a format and decompress each member by itself.
struct member_format {
  struct extent {
    std::uint64_t stored = 0;
    std::uint64_t most_text = 0;  ///< bytes that the member gives when it is decompressed, or more
  };

  /// The extent of the member that begins `at` bytes behind the next stored byte. Nothing if the member is
  /// not there as a whole, or if only decompressing it would show its end.
  std::optional<extent> (*member_at)(read_ahead& stored, std::uint64_t at);

  /// Makes a stream of this format over members. `position` is the place of the first member in the file.
  std::unique_ptr<byte_stream> (*open)(std::unique_ptr<byte_stream> stored, std::string name,
                                       std::uint64_t position);

  /// Decompresses whole members and returns the number of bytes of text. Returns nothing if anything is wrong
  /// with the members; the stream of open() then reports the error. Null if open()'s stream is as fast.
  std::optional<std::uint64_t> (*decode)(byte_view members, char* into, std::uint64_t room) = nullptr;
};

/// A file of one or more compressed members, one after another: members of gzip, frames of zstd and lz4,
/// streams of xz. It may not be empty, end inside a member, or have other bytes behind the last member.
class decompressing_stream : public byte_stream {
 public:
  std::uint64_t read(char* into, std::uint64_t capacity) final;

  /// The part consists of whole members. A member above most_part_bytes, stored or decompressed, is
  /// decompressed in order, so that not every worker needs memory for such a member.
  std::unique_ptr<stream_part> take_part(std::uint64_t wanted) final;

  /// Works only at the beginning of a file, and only if its first member is large: decompresses the beginning
  /// of that member. read() and take_part() still give the whole member afterwards.
  std::optional<std::uint64_t> look(std::uint64_t ahead, char* into, std::uint64_t count) final;

  /// pzstd makes frames of up to 32 MiB of text. Their bound on the text counts one empty block more.
  static constexpr std::uint64_t most_part_bytes = std::uint64_t{33} << 20;

 protected:
  /// `name` is for messages. `position` is the place of the first stored byte in its file. `members` is null
  /// if the format's members cannot be found without decompressing them.
  decompressing_stream(std::unique_ptr<byte_stream> stored, compression kind, std::string name,
                       std::uint64_t position = 0, const member_format* members = nullptr);

  /// The result of one call of the library.
  struct progress {
    std::uint64_t taken = 0;
    std::uint64_t given = 0;
    bool member_ended = false;
  };

  /// Makes the library ready for the next member.
  virtual void begin_member() {}

  /// Calls the library once with the next stored bytes; with no bytes at the end of the file.
  virtual progress step(byte_view stored, char* into, std::uint64_t room) = 0;

  /// Drops the padding that the format allows behind a member.
  virtual void skip_padding(read_ahead& stored) { static_cast<void>(stored); }

  /// The name of the file, for messages.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// The position in the file of the next byte for step().
  [[nodiscard]] std::uint64_t position() const noexcept { return stored_.position(); }

 private:
  bool next_member();

  read_ahead stored_;
  compression kind_;
  std::string name_;
  const member_format* members_;
  bool any_member_ = false;
  bool inside_member_ = false;
};

}  // namespace duomap
