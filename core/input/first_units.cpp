// Makes an input of the first units of another input.
#include "core/input/input.hpp"

#include <algorithm>
#include <string>

namespace duomap {
namespace {

/// The first units of another source. The other bytes of that source follow behind the end.
class source_beginning final : public source {
 public:
  source_beginning(std::unique_ptr<source> whole, std::uint64_t units)
    : source(whole->name()), whole_(std::move(whole)), units_(units) {}

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return units_; }
  [[nodiscard]] bool addressable() const noexcept override { return true; }
  [[nodiscard]] std::uint64_t units() const override { return units_; }
  [[nodiscard]] byte_view bytes() const override {
    const byte_view all = whole_->bytes();
    return {all.data, std::min(all.size, units_)};
  }
  [[nodiscard]] bool marked() const noexcept override { return whole_->marked(); }
  [[nodiscard]] std::string change() const override { return whole_->change(); }

 private:
  std::unique_ptr<source> whole_;
  std::uint64_t units_;
};

}  // namespace

input first_units(input whole, std::uint64_t units) {
  std::vector<std::unique_ptr<source>> parts;
  for (std::unique_ptr<source>& one : std::move(whole).release()) {
    if (!one->addressable() || units == 0) continue;
    const std::uint64_t taken = std::min(units, one->units());
    units -= taken;
    if (taken < one->units()) one = std::make_unique<source_beginning>(std::move(one), taken);
    parts.push_back(std::move(one));
  }
  return input(std::move(parts));
}

}  // namespace duomap
