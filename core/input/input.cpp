#include "core/input/input.hpp"

#include "core/error.hpp"
#include "core/input/memory_source.hpp"
#include "core/path_problem.hpp"

#include <utility>

namespace duomap {

namespace {

input only(std::unique_ptr<source> one) {
  std::vector<std::unique_ptr<source>> sources;
  sources.push_back(std::move(one));
  return input(std::move(sources));
}

}  // namespace

void require_binary(const source& one) {
  if (!one.marked()) return;
  throw input_error("cannot read binary records from " + quoted(one.name()) +
                    ": it was opened as text, and its first bytes, a byte order mark, were left out; open it "
                    "with duomap::input_content::records");
}

std::uint64_t input::stored_bytes() const {
  std::uint64_t sum = 0;
  for (const std::unique_ptr<source>& one : sources_) {
    sum += one->stored_size().value_or(0);
  }
  return sum;
}

input text_input(std::string text, std::string name) {
  return only(std::make_unique<text_source>(std::move(text), std::move(name)));
}

input view_input(byte_view bytes, std::string name) {
  return only(std::make_unique<view_source>(bytes, std::move(name)));
}

input index_input(std::uint64_t count) { return only(std::make_unique<index_source>(count)); }

}  // namespace duomap
