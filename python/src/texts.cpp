// Opens paths and buffers as an input. Copies a buffer if readers would read beyond its last page.
#include "texts.hpp"

#include "core/chunk.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <iterator>
#include <memory>

namespace duomap::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// The smallest page size of x86-64.
constexpr std::uintptr_t page_bytes = 4096;

/// Whether the `read_padding` bytes behind the end are on the same page as the last byte. Reading them is
/// then safe.
bool has_padding(byte_view bytes) {
  const auto last = reinterpret_cast<std::uintptr_t>(bytes.data + bytes.size - 1);
  return bytes.size > 0 && (last % page_bytes) + read_padding < page_bytes;
}

byte_view bytes_of(const texts::buffer& from) {
  return {reinterpret_cast<const char*>(from.data()), from.size()};
}

}  // namespace

texts::texts(const std::vector<nb::bytes>& paths, std::vector<std::pair<std::string, buffer>> buffers)
  : buffers_(std::move(buffers)) {
  for (const nb::bytes& path : paths) paths_.emplace_back(path.c_str(), path.size());
}

input texts::open(input_content content) const {
  if (buffers_.empty()) return open_input(paths_, content);
  std::vector<std::unique_ptr<source>> all;
  for (const auto& [name, from] : buffers_) {
    const byte_view bytes = bytes_of(from);
    input one = content == input_content::records || has_padding(bytes)
                    ? view_input(bytes, name)
                    : text_input(std::string(bytes.text()), name);
    auto sources = std::move(one).release();
    all.insert(all.end(), std::make_move_iterator(sources.begin()), std::make_move_iterator(sources.end()));
  }
  return input(std::move(all));
}

bool texts::brief() const noexcept {
  std::uint64_t bytes = 0;
  for (const auto& [name, from] : buffers_) bytes += from.size();
  return paths_.empty() && bytes <= (64u << 10);
}

void add_texts(nb::module_& module) {
  nb::class_<texts>(module, "Texts")
      .def(nb::init<const std::vector<nb::bytes>&, std::vector<std::pair<std::string, texts::buffer>>>(),
           "paths"_a, "buffers"_a)
      .def("addresses", [](const texts& of) {
        const input opened = of.open();
        std::vector<std::uintptr_t> addresses;
        for (std::size_t i = 0; i < opened.size(); ++i)
          addresses.push_back(reinterpret_cast<std::uintptr_t>(opened[i].bytes().data));
        return addresses;
      });
}

}  // namespace duomap::python
