#include "core/input/standard_input.hpp"

#include "core/error.hpp"
#include "core/input/compression.hpp"
#include "core/input/file_stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace duomap {

namespace {

/// A stream whose first bytes were looked at already.
class resumed_stream final : public byte_stream {
 public:
  resumed_stream(std::unique_ptr<byte_stream> rest, std::string first)
    : rest_(std::move(rest)), first_(std::move(first)) {}

  std::uint64_t read(char* into, std::uint64_t capacity) override {
    if (given_ == first_.size()) {
      return rest_->read(into, capacity);
    }
    const std::uint64_t count = std::min<std::uint64_t>(capacity, first_.size() - given_);
    std::memcpy(into, first_.data() + given_, count);
    given_ += count;
    return count;
  }

 private:
  std::unique_ptr<byte_stream> rest_;
  std::string first_;
  std::uint64_t given_ = 0;
};

std::string first_bytes(byte_stream& stream) {
  std::string first(magic_bytes, '\0');
  std::uint64_t size = 0;
  while (size < magic_bytes) {
    const std::uint64_t count = stream.read(first.data() + size, magic_bytes - size);
    if (count == 0) {
      break;
    }
    size += count;
  }
  first.resize(size);
  return first;
}

}  // namespace

standard_input::standard_input(file_descriptor file, std::optional<std::uint64_t> stored_size)
  : source(standard_input_name), file_(std::move(file)), stored_size_(stored_size) {}

std::unique_ptr<byte_stream> standard_input::open() const {
  if (opened_.exchange(true)) {
    throw usage_error("standard input cannot be read a second time; store its data in a file and give that");
  }
  auto stream = std::make_unique<file_stream>(std::move(file_), name());
  std::string first = first_bytes(*stream);
  const compression kind = recognised_in(std::string_view(first));
  return decompressed(std::make_unique<resumed_stream>(std::move(stream), std::move(first)), kind, name());
}

}  // namespace duomap
