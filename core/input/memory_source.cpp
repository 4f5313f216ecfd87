// Makes the sources that are in memory.
#include "core/input/memory_source.hpp"

#include "core/chunk.hpp"
#include "core/input/file_state.hpp"
#include "core/input/mapping_registry.hpp"

#include <utility>

namespace duomap {

text_source::text_source(std::string text, std::string name)
  : source(std::move(name)), size_(text.size()), padded_(std::move(text)) {
  padded_.append(read_padding, '\0');
}

view_source::view_source(byte_view bytes, std::string name) : source(std::move(name)), bytes_(bytes) {}

std::string view_source::change() const {
  const file_state* const stamp = find_mapping(bytes_.data).stamp;
  return stamp == nullptr ? std::string() : stamp->change();
}

index_source::index_source(std::uint64_t count) : source("indices"), count_(count) {}

}  // namespace duomap
