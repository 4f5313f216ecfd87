// Builds the C structures of an Arrow stream over columns: schemas, arrays, and the stream.
#include "arrow.hpp"

#include "arrow_abi.hpp"
#include "arrow_made_buffers.hpp"
#include "utf8.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace duomap::python {
namespace {

namespace nb = nanobind;

/// The memory of a schema or an array. Each child shares the ownership of the columns, because a consumer may
/// move a child out and release it separately.
struct parts {
  shared_columns of;
  std::vector<const void*> buffers;
  made_buffers made;
};

template <class Node>
struct owned : parts {
  std::vector<Node> children;
  std::vector<Node*> pointers;
};

template <class Node>
void release(Node* node) {
  for (std::int64_t i = 0; i < node->n_children; ++i) {
    if (node->children[i]->release != nullptr) node->children[i]->release(node->children[i]);
  }
  delete static_cast<owned<Node>*>(node->private_data);
  node->release = nullptr;
}

/// The memory of a node with `count` empty children.
template <class Node>
std::unique_ptr<owned<Node>> make_parts(const shared_columns& of, std::size_t count) {
  auto own = std::make_unique<owned<Node>>();
  own->of = of;
  own->children.resize(count);
  for (Node& child : own->children) own->pointers.push_back(&child);
  return own;
}

bool is_text(const text_column& texts) {
  for (std::uint64_t i = 0; i < texts.size(); ++i) {
    if (!is_utf8(texts[i])) return false;
  }
  return true;
}

struct format_of {
  const char* operator()(const text_column& texts) const { return is_text(texts) ? "U" : "Z"; }
  const char* operator()(const std::vector<std::uint32_t>&) const { return "I"; }
  const char* operator()(const std::vector<std::uint64_t>&) const { return "L"; }
  const char* operator()(const std::vector<std::int64_t>&) const { return "l"; }
  const char* operator()(const std::vector<float>&) const { return "f"; }
  const char* operator()(const std::vector<double>&) const { return "g"; }
};

struct buffers_of {
  std::vector<const void*> operator()(const text_column& texts) const {
    return {nullptr, texts.begins.data(), texts.bytes.data()};
  }
  template <class T>
  std::vector<const void*> operator()(const std::vector<T>& values) const {
    return {nullptr, values.data()};
  }
};

const char* format_for(const column& one) {
  return one.meaning.empty() ? std::visit(format_of{}, one.values) : one.meaning.c_str();
}

ArrowSchema schema_node(const shared_columns& of, const char* format, const char* name, std::size_t count) {
  auto own = make_parts<ArrowSchema>(of, count);
  ArrowSchema** const children = own->pointers.data();
  return {format,
          name,
          nullptr,
          0,
          static_cast<std::int64_t>(count),
          children,
          nullptr,
          release<ArrowSchema>,
          own.release()};
}

ArrowArray array_node(const shared_columns& of, std::vector<const void*> buffers, std::size_t count,
                      made_buffers made = {}) {
  auto own = make_parts<ArrowArray>(of, count);
  own->buffers = std::move(buffers);
  own->made = std::move(made);
  const std::int64_t nulls = own->made.nulls;
  const void** const data = own->buffers.data();
  ArrowArray** const children = own->pointers.data();
  const auto buffer_count = static_cast<std::int64_t>(own->buffers.size());
  return {static_cast<std::int64_t>(of->rows()),
          nulls,
          0,
          buffer_count,
          static_cast<std::int64_t>(count),
          data,
          children,
          nullptr,
          release<ArrowArray>,
          own.release()};
}

struct stream_state {
  shared_columns of;
  bool read = false;
};

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  const shared_columns& of = static_cast<stream_state*>(stream->private_data)->of;
  *out = schema_node(of, "+s", "", of->all.size());
  for (std::size_t i = 0; i < of->all.size(); ++i) {
    const column& one = of->all[i];
    *out->children[i] = schema_node(of, format_for(one), one.name.c_str(), 0);
    if (!one.missing.empty()) out->children[i]->flags = ARROW_FLAG_NULLABLE;
  }
  return 0;
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  stream_state& state = *static_cast<stream_state*>(stream->private_data);
  *out = {};
  if (std::exchange(state.read, true)) return 0;  // an array without a release function ends the stream
  *out = array_node(state.of, {nullptr}, state.of->all.size());
  for (std::size_t i = 0; i < state.of->all.size(); ++i) {
    const column& one = state.of->all[i];
    made_buffers made = make_buffers(one);
    std::vector<const void*> buffers = std::visit(buffers_of{}, one.values);
    if (!made.valid.empty()) buffers[0] = made.valid.data();
    if (made.replaces_values) buffers[1] = made.values.data();
    *out->children[i] = array_node(state.of, std::move(buffers), 0, std::move(made));
  }
  return 0;
}

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<stream_state*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

nb::capsule arrow_stream(shared_columns of) {
  auto stream = std::make_unique<ArrowArrayStream>(
      ArrowArrayStream{get_schema, get_next, [](ArrowArrayStream*) -> const char* { return nullptr; },
                       release_stream, new stream_state{std::move(of)}});
  return nb::capsule(stream.release(), "arrow_array_stream", [](void* left) noexcept {
    auto* const last = static_cast<ArrowArrayStream*>(left);
    if (last->release != nullptr) last->release(last);
    delete last;
  });
}

}  // namespace duomap::python
