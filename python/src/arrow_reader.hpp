// Takes Arrow's C structures out of Python's capsules, and reads the batches of streams.
#pragma once

#include "arrow_abi.hpp"

#include <nanobind/nanobind.h>

#include <memory>

namespace duomap::python {

/// Releases and deletes a structure that was moved here.
template <class Node>
struct released {
  void operator()(Node* node) const noexcept {
    if (node->release != nullptr) node->release(node);
    delete node;
  }
};
template <class Node>
using owned_node = std::unique_ptr<Node, released<Node>>;

/// The schema and the batches of a stream, or of one array. Making one needs the GIL, reading it does not.
class arrow_reader {
 public:
  /// @throws usage_error when a capsule is another one, or was used before; input_error when the schema
  /// cannot be read, or is malformed
  explicit arrow_reader(const nanobind::capsule& stream);
  arrow_reader(const nanobind::capsule& schema, const nanobind::capsule& array);

  [[nodiscard]] const ArrowSchema& schema() const noexcept { return *schema_; }

  /// The next batch; null at the end. @throws input_error with the stream's own words
  [[nodiscard]] std::shared_ptr<ArrowArray> next();

 private:
  void require(int status) const;

  owned_node<ArrowArrayStream> stream_;
  owned_node<ArrowSchema> schema_;
  owned_node<ArrowArray> array_;  // the only batch, if there is no stream
};

/// Whether a batch is a table: a column of rows, whose fields are the table's columns.
[[nodiscard]] bool is_table(const ArrowSchema& schema);

}  // namespace duomap::python
