// The target of a result: standard output, a special file, or a file that appears only when it is complete.
// host only
#pragma once

#include "core/output/byte_sink.hpp"
#include "core/run_control.hpp"

#include <memory>
#include <string>

namespace duomap {

/// The target of one result, opened before the work starts so that a bad target costs no work.
///
/// A regular file is written beside itself, under a name that starts with a dot, and renamed by commit():
/// readers see the old content or the new one, and a full disk, an error or a signal leaves the old. The new
/// file has the permissions of the old one; a symbolic link keeps pointing to it; other hard links keep the
/// old content. A target whose status cannot be read is refused, because a file may be there. Everything else
/// ("-", /dev/stdout, /dev/null, FIFOs) is written directly. Used by one thread at a time.
class result_file {
 public:
  /// @param path a path, or "-" for standard output
  /// @param control passed on to the sink
  /// @throws usage_error for an empty path; output_error when the target is a directory, cannot be written
  ///         or has no directory
  explicit result_file(const std::string& path, const run_control* control = nullptr);
  result_file(const result_file&) = delete;
  result_file& operator=(const result_file&) = delete;
  /// Removes a regular file that was not committed.
  ~result_file();

  /// The sink for the bytes of the result.
  [[nodiscard]] byte_sink& sink() noexcept;

  /// Whether readers see nothing of the result before commit().
  [[nodiscard]] bool atomic() const noexcept;

  /// Writes the buffered bytes, waits until a regular file is on the disk, and gives it its name. Call it
  /// once. Throws the errors of byte_sink; nothing is left of a regular file then.
  void commit();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace duomap
