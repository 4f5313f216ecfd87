// Reads the first bytes of a source, and keeps the bytes of a source that can be read only once.
#include "core/input/beginning.hpp"

#include "core/input/resumed_stream.hpp"
#include "core/input/standard_input.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

namespace duomap {
namespace {

/// A source that can be read only once, and whose first bytes were read already.
class resumed_source final : public source {
 public:
  resumed_source(std::unique_ptr<source> whole, std::unique_ptr<byte_stream> stream)
    : source(whole->name()), whole_(std::move(whole)), stream_(std::move(stream)) {}

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return whole_->stored_size(); }
  [[nodiscard]] bool addressable() const noexcept override { return false; }
  [[nodiscard]] std::unique_ptr<byte_stream> open(const run_control* control) const override {
    return begun_.exchange(true) ? whole_->open(control) : std::move(stream_);
  }
  [[nodiscard]] std::string change() const override { return whole_->change(); }

 private:
  std::unique_ptr<source> whole_;
  mutable std::unique_ptr<byte_stream> stream_;  // handed out by the first open()
  mutable std::atomic<bool> begun_{false};
};

}  // namespace

std::string beginning_of(std::unique_ptr<source>& from, std::uint64_t bytes, const run_control* control) {
  if (from->addressable()) return std::string(from->bytes().sub(0, std::min(from->units(), bytes)).text());
  std::unique_ptr<byte_stream> stream = from->open(control);
  std::string first = next_bytes(*stream, bytes);
  const bool read_once = !from->stored_size() || from->name() == standard_input_name;
  if (read_once) {
    auto again = std::make_unique<resumed_stream>(std::move(stream), first);
    from = std::make_unique<resumed_source>(std::move(from), std::move(again));
  }
  return first;
}

}  // namespace duomap
