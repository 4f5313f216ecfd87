// The common base of the streams of all compressed formats.
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

/// The functions that find the members of a format and decompress them independently.
struct member_format {
  struct extent {
    std::uint64_t stored = 0;
    std::uint64_t most_text = 0;  ///< bytes that the member gives when it is decompressed, or more
  };

  /// The extent of the member that begins `at` bytes behind the next stored byte. Nothing when the member is
  /// not there as a whole, or does not tell its end without being decompressed.
  std::optional<extent> (*member_at)(read_ahead& stored, std::uint64_t at);

  /// Makes a stream of this format over members that begin at `position` of the file.
  std::unique_ptr<byte_stream> (*open)(std::unique_ptr<byte_stream> stored, std::string name,
                                       std::uint64_t position);

  /// Decompresses whole members and returns the bytes they gave, or nothing when anything is wrong with them;
  /// then the stream of open() reports the error. Null where that stream is as fast.
  std::optional<std::uint64_t> (*decode)(byte_view members, char* into, std::uint64_t room) = nullptr;
};

/// A file that is compressed in members one after another: gzip's members, the frames of zstd and lz4, the
/// streams of xz. It may not be empty, end inside a member, or go on with other bytes.
class decompressing_stream : public byte_stream {
 public:
  std::uint64_t read(char* into, std::uint64_t capacity) final;

  /// The part consists of whole members. A member that exceeds most_part_bytes, stored or decompressed, is no
  /// part. It is decompressed in order, so that not every worker needs that much memory.
  std::unique_ptr<stream_part> take_part(std::uint64_t wanted) final;

  /// Works at the beginning of a file whose first member is large: decompresses the first stored bytes of the
  /// member. The whole member can still be taken afterwards.
  std::optional<std::uint64_t> look(std::uint64_t ahead, char* into, std::uint64_t count) final;

  /// The largest frames of pzstd have 32 MiB; their bound counts one empty block more.
  static constexpr std::uint64_t most_part_bytes = std::uint64_t{33} << 20;

 protected:
  /// `name` is for messages; `position`: of the first stored byte in its file; `members`: null when they are
  /// not told apart.
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

  /// Calls the library once with the next stored bytes, which are none at the end of the file.
  virtual progress step(byte_view stored, char* into, std::uint64_t room) = 0;

  /// Drops the padding that the format allows between and behind members.
  virtual void skip_padding(read_ahead& stored) { static_cast<void>(stored); }

  /// The name of the file, for messages.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// The position in the file of the bytes that step() has got.
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
