// Texts that Python gives: paths, or bytes in memory.
#pragma once

#include "core/input/input.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace duomap::python {

/// Paths, or named buffers, which stay alive as long as this.
class texts {
 public:
  using buffer =
      nanobind::ndarray<const std::uint8_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

  texts(const std::vector<nanobind::bytes>& paths, std::vector<std::pair<std::string, buffer>> buffers);

  /// A buffer is read where it lies, unless the bytes behind its end that vector instructions read are on
  /// another page of memory, which may not be there: then a text is copied. Rows have no such reader. Needs
  /// no GIL.
  [[nodiscard]] input open(input_content content = input_content::text) const;

  /// At most 64 KiB in memory, which takes less than a millisecond.
  [[nodiscard]] bool brief() const noexcept;

 private:
  std::vector<std::string> paths_;
  std::vector<std::pair<std::string, buffer>> buffers_;
};

void add_texts(nanobind::module_& module);

}  // namespace duomap::python
