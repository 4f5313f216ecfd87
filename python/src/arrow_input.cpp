#include "arrow_input.hpp"

#include "arrays.hpp"
#include "arrow_abi.hpp"
#include "columns.hpp"
#include "core/error.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using column_list = nb::typed<nb::list, nb::any>;

/// Releases what was taken over.
template <class Node>
struct released {
  void operator()(Node* node) const noexcept {
    if (node->release != nullptr) node->release(node);
    delete node;
  }
};
template <class Node>
using owned_node = std::unique_ptr<Node, released<Node>>;

/// Takes over what a capsule has; its destructor then finds nothing to release.
template <class Node>
owned_node<Node> taken(const nb::capsule& from) {
  auto* const node = static_cast<Node*>(from.data());
  if (node == nullptr || node->release == nullptr) throw usage_error("the Arrow data was taken before");
  owned_node<Node> own(new Node(*node));
  node->release = nullptr;
  return own;
}

/// Rows from..from + count of a column and of its parents that are null.
std::uint64_t nulls_in(const ArrowArray& of, std::int64_t from, std::int64_t count) {
  if (of.null_count == 0 || of.n_buffers == 0 || of.buffers[0] == nullptr) return 0;
  const auto* const valid = static_cast<const std::uint8_t*>(of.buffers[0]);
  std::uint64_t nulls = 0;
  for (std::int64_t i = from; i < from + count; ++i) nulls += ((valid[i / 8] >> (i % 8)) & 1u) == 0 ? 1 : 0;
  return nulls;
}

/// Whatever keeps the memory of a batch alive: a capsule for the arrays over it.
nb::capsule keeper_of(const std::shared_ptr<ArrowArray>& batch) {
  return {new std::shared_ptr<ArrowArray>(batch), [](void* left) noexcept {
            delete static_cast<std::shared_ptr<ArrowArray>*>(left);
          }};
}

template <class T>
nb::object view(const void* buffer, std::int64_t from, std::int64_t count,
                const std::shared_ptr<ArrowArray>& batch) {
  const auto size = static_cast<std::size_t>(count);
  const T* const data = buffer == nullptr ? nullptr : static_cast<const T*>(buffer) + from;
  return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>>(data, {size}, keeper_of(batch)));
}

/// Numbers as an array over the column's memory; None of another type.
nb::object numbers(std::string_view format, const ArrowArray& of, std::int64_t from, std::int64_t count,
                   const std::shared_ptr<ArrowArray>& batch) {
  if (format.size() != 1 || of.n_buffers != 2) return nb::none();
  const void* const data = of.buffers[1];
  switch (format.front()) {
    case 'c':
      return view<std::int8_t>(data, from, count, batch);
    case 'C':
      return view<std::uint8_t>(data, from, count, batch);
    case 's':
      return view<std::int16_t>(data, from, count, batch);
    case 'S':
      return view<std::uint16_t>(data, from, count, batch);
    case 'i':
      return view<std::int32_t>(data, from, count, batch);
    case 'I':
      return view<std::uint32_t>(data, from, count, batch);
    case 'l':
      return view<std::int64_t>(data, from, count, batch);
    case 'L':
      return view<std::uint64_t>(data, from, count, batch);
    case 'f':
      return view<float>(data, from, count, batch);
    case 'g':
      return view<double>(data, from, count, batch);
    default:
      return nb::none();
  }
}

/// Where the texts begin and end, and their bytes.
template <class Offset>
nb::object texts_of(const ArrowArray& of, std::int64_t from, std::int64_t count,
                    const std::shared_ptr<ArrowArray>& batch) {
  static constexpr Offset nothing = 0;
  const auto* const offsets = static_cast<const Offset*>(of.buffers[1]);
  if (offsets == nullptr || count == 0)
    return nb::make_tuple(view<Offset>(&nothing, 0, 1, batch), view<std::uint8_t>(nullptr, 0, 0, batch));
  return nb::make_tuple(view<Offset>(offsets, from, count + 1, batch),
                        view<std::uint8_t>(of.buffers[2], 0, offsets[from + count], batch));
}

/// The layout of Polars: views of 16 bytes, which hold a short text, or where a long one is. Copied to that
/// of the others.
nb::object viewed_texts(const ArrowArray& of, std::int64_t from, std::int64_t count) {
  struct view_of_text {
    std::int32_t length;
    std::int32_t begin;
    std::int32_t buffer;
    std::int32_t offset;
  };
  constexpr std::int32_t longest_inside = 12;
  text_column all;
  const auto* const views = static_cast<const view_of_text*>(of.buffers[1]);
  for (std::int64_t i = from; i < from + count; ++i) {
    const view_of_text& one = views[i];
    const char* const data = one.length <= longest_inside
                                 ? reinterpret_cast<const char*>(&one) + sizeof one.length
                                 : static_cast<const char*>(of.buffers[2 + one.buffer]) + one.offset;
    all.push_back({data, static_cast<std::uint64_t>(one.length)});
  }
  const std::vector<std::uint8_t> bytes(all.bytes.begin(), all.bytes.end());
  return nb::make_tuple(to_array(std::move(all.begins)), to_array(bytes));
}

/// (what it is, nulls, arrays): "numbers" and an array; "lists", their length and an array; "texts", offsets
/// and bytes; else the format of Arrow.
nb::object part_of(const ArrowSchema& schema, const ArrowArray& of, std::int64_t from, std::int64_t count,
                   const std::shared_ptr<ArrowArray>& batch) {
  const std::string_view format = schema.format;
  const std::uint64_t nulls = nulls_in(of, from, count);
  if (schema.dictionary != nullptr) return nb::make_tuple("a dictionary", nulls, nb::none());
  if (format == "u" || format == "z")
    return nb::make_tuple("texts", nulls, texts_of<std::int32_t>(of, from, count, batch));
  if (format == "U" || format == "Z")
    return nb::make_tuple("texts", nulls, texts_of<std::int64_t>(of, from, count, batch));
  if (format == "vu" || format == "vz") return nb::make_tuple("texts", nulls, viewed_texts(of, from, count));
  if (format.starts_with("+w:")) {
    const std::int64_t width = std::strtoll(schema.format + 3, nullptr, 10);
    const ArrowArray& child = *of.children[0];
    const std::int64_t first = child.offset + from * width;
    nb::object all = numbers(schema.children[0]->format, child, first, count * width, batch);
    const std::uint64_t inside = nulls_in(child, first, count * width);
    if (!all.is_none()) return nb::make_tuple("lists", nulls + inside, nb::make_tuple(width, std::move(all)));
  }
  nb::object all = numbers(format, of, from, count, batch);
  if (all.is_none()) return nb::make_tuple("format " + std::string(format), nulls, nb::none());
  return nb::make_tuple("numbers", nulls, std::move(all));
}

/// Adds to each column of `columns` its part in a batch.
void add_batch(const ArrowSchema& schema, std::shared_ptr<ArrowArray> batch, column_list& columns) {
  const bool table = std::string_view(schema.format) == "+s";
  if (!table) {
    nb::cast<nb::list>(columns[0][1]).append(part_of(schema, *batch, batch->offset, batch->length, batch));
    return;
  }
  if (nulls_in(*batch, batch->offset, batch->length) > 0)
    throw usage_error("rows of the Arrow table are null");
  for (std::int64_t i = 0; i < batch->n_children; ++i) {
    const ArrowArray& child = *batch->children[i];
    nb::cast<nb::list>(columns[static_cast<std::size_t>(i)][1])
        .append(part_of(*schema.children[i], child, child.offset + batch->offset, batch->length, batch));
  }
}

/// A pair for each column: its name, and a list of parts.
column_list empty_columns(const ArrowSchema& schema) {
  column_list columns;
  const auto add = [&](const ArrowSchema& one) {
    columns.append(nb::make_tuple(one.name == nullptr ? "" : one.name, nb::list()));
  };
  if (std::string_view(schema.format) != "+s") {
    add(schema);
  } else {
    for (std::int64_t i = 0; i < schema.n_children; ++i) add(*schema.children[i]);
  }
  return columns;
}

std::shared_ptr<ArrowArray> shared(owned_node<ArrowArray> own) {
  return {own.release(), released<ArrowArray>()};
}

column_list columns_of_stream(const nb::capsule& capsule) {
  const auto stream = taken<ArrowArrayStream>(capsule);
  const auto require = [&](int status) {
    if (status == 0) return;
    const char* const why = stream->get_last_error(stream.get());
    throw input_error("the Arrow stream cannot be read: " +
                      std::string(why != nullptr ? why : "error " + std::to_string(status)));
  };
  owned_node<ArrowSchema> schema(new ArrowSchema{});
  require(stream->get_schema(stream.get(), schema.get()));
  column_list columns = empty_columns(*schema);
  while (true) {
    owned_node<ArrowArray> batch(new ArrowArray{});
    require(stream->get_next(stream.get(), batch.get()));
    if (batch->release == nullptr) return columns;
    add_batch(*schema, shared(std::move(batch)), columns);
  }
}

column_list columns_of_array(const nb::capsule& schema_capsule, const nb::capsule& capsule) {
  const auto schema = taken<ArrowSchema>(schema_capsule);
  column_list columns = empty_columns(*schema);
  add_batch(*schema, shared(taken<ArrowArray>(capsule)), columns);
  return columns;
}

}  // namespace

void add_arrow_input(nb::module_& module) {
  module.def("columns_of_stream", columns_of_stream, "capsule"_a);
  module.def("columns_of_array", columns_of_array, "schema"_a, "capsule"_a);
}

}  // namespace duomap::python
