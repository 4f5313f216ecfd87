// Moves structures out of capsules, and calls the functions of streams.
#include "arrow_reader.hpp"

#include "arrow_checks.hpp"
#include "core/error.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace duomap::python {
namespace {

namespace nb = nanobind;

/// Moves the structure out of a capsule called `name`. Nothing is left for the capsule's destructor to
/// release.
template <class Node>
owned_node<Node> taken(const nb::capsule& from, const char* name) {
  if (PyCapsule_IsValid(from.ptr(), name) == 0) {
    const char* const its = PyCapsule_GetName(from.ptr());
    throw usage_error("a capsule is '" + std::string(its != nullptr ? its : "") + "', not '" + name +
                      "', which the interface of Arrow asks for");
  }
  auto* const node = static_cast<Node*>(from.data());
  if (node->release == nullptr) throw usage_error("the Arrow data was taken before");
  owned_node<Node> own(new Node(*node));
  node->release = nullptr;
  return own;
}

}  // namespace

arrow_reader::arrow_reader(const nb::capsule& stream)
  : stream_(taken<ArrowArrayStream>(stream, "arrow_array_stream")), schema_(new ArrowSchema{}) {
  if (stream_->get_schema == nullptr || stream_->get_next == nullptr)
    throw_malformed("its stream has no function to read it");
  require(stream_->get_schema(stream_.get(), schema_.get()));
  check_schema(*schema_);
}

arrow_reader::arrow_reader(const nb::capsule& schema, const nb::capsule& array)
  : schema_(taken<ArrowSchema>(schema, "arrow_schema")), array_(taken<ArrowArray>(array, "arrow_array")) {
  check_schema(*schema_);
}

std::shared_ptr<ArrowArray> arrow_reader::next() {
  owned_node<ArrowArray> batch = std::move(array_);
  if (stream_ != nullptr) {
    batch.reset(new ArrowArray{});
    require(stream_->get_next(stream_.get(), batch.get()));
    if (batch->release == nullptr) batch.reset();
  }
  if (batch == nullptr) return nullptr;
  return {batch.release(), released<ArrowArray>()};
}

void arrow_reader::require(int status) const {
  if (status == 0) return;
  const char* const why =
      stream_->get_last_error != nullptr ? stream_->get_last_error(stream_.get()) : nullptr;
  throw input_error("the Arrow stream cannot be read: " +
                    std::string(why != nullptr ? why : "error " + std::to_string(status)));
}

bool is_table(const ArrowSchema& schema) { return std::string_view(schema.format) == "+s"; }

}  // namespace duomap::python
