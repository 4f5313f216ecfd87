// Declares the Python class Texts: the paths, or the bytes in memory, that a call reads.
#pragma once

#include "core/input/input.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace duomap::python {

/// Paths, or named buffers, which this object keeps alive.
class texts {
 public:
  using buffer =
      nanobind::ndarray<const std::uint8_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

  texts(const std::vector<nanobind::bytes>& paths, std::vector<std::pair<std::string, buffer>> buffers);

  /// Opens the texts as an input. Needs no GIL. Vector instructions of readers read some bytes behind the end
  /// of a buffer. If these bytes are not on the page of the last byte, the buffer is copied, because the next
  /// page may not exist. Buffers of binary records are never copied, because their readers do not read behind
  /// the end.
  [[nodiscard]] input open(input_content content = input_content::text) const;

  /// Whether the texts are buffers of at most 64 KiB together. A run over them takes less than 1 ms.
  [[nodiscard]] bool brief() const noexcept;

 private:
  std::vector<std::string> paths_;
  std::vector<std::pair<std::string, buffer>> buffers_;
};

void add_texts(nanobind::module_& module);

}  // namespace duomap::python
