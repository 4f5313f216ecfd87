// Cuts a LIBSVM text into parts between lines, and parses them one by one.
#include "numeric/common/sparse_parts.hpp"

#include "core/boundary.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/record/lines.hpp"
#include "core/run_control.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/common/libsvm_text.hpp"
#include "numeric/common/whole_input.hpp"

#include <algorithm>

namespace duomap {
namespace {

const boundary& between_lines() {
  static const format_boundary<lines> between{lines{}};
  return between;
}

}  // namespace

template <class T>
sparse_parts<T>::sparse_parts(const std::string& path, const table_options& options, std::uint64_t part_bytes)
  : options_(options),
    part_bytes_(std::max<std::uint64_t>(1, part_bytes)),
    source_(only_source(path, options.content)),
    name_(shown_name(*source_, path)) {
  if (source_->addressable()) {
    pool_ = cpu::machine_pool(options.threads, view_input(source_->bytes()));
  } else {
    reader_ =
        std::make_unique<block_reader>(source_->open(options.control), between_lines(), part_bytes_, name_);
    pool_ = cpu::machine_pool(options.threads);
  }
}

template <class T>
byte_view sparse_parts<T>::next_text() {
  if (reader_ != nullptr) return reader_->next(block_) ? block_.bytes() : byte_view();
  const byte_view all = source_->bytes();
  const std::uint64_t wanted = std::min(bytes_ + part_bytes_, all.size);
  return all.sub(bytes_, lines{}.first_start(all, wanted, all.size) - bytes_);
}

template <class T>
bool sparse_parts<T>::next(sparse_table<T>& into) {
  for (;;) {
    stop_if_cancelled(options_.control);
    const byte_view text = next_text();
    if (text.empty()) break;
    bytes_ += text.size;
    into = parse_libsvm_part<T>(text, name_, options_, {}, lines_, *pool_);
    if (into.labels.empty()) continue;
    any_ = true;
    return true;
  }
  growth_ = source_->change();
  if (!any_) throw input_error(name_ + " has no row: it is empty; give a file with numbers");
  return false;
}

template class sparse_parts<float>;
template class sparse_parts<double>;

}  // namespace duomap
