// The target of a result: standard output, a special file, or a file that appears only when it is complete.
// host only
#pragma once

#include "core/output/byte_sink.hpp"
#include "core/run_control.hpp"

#include <memory>
#include <string>

namespace duomap {

/// The target of one result. It is opened before the work starts, so that a bad target costs no work.
///
/// A regular file is written under a temporary name beside the target; the name begins with a dot. commit()
/// renames it. So readers see the old content or the whole new one, and a full disk, an error or a signal
/// leaves the old. The new file has the old one's permissions; symbolic links lead to the new file; other
/// hard links keep the old content. A target whose status cannot be read is refused, because a file may be
/// there. Any other target ("-", /dev/stdout, /dev/null, FIFOs) is written directly. Used by one thread at a
/// time.
class result_file {
 public:
  /// @param path a path, or "-" for standard output
  /// @param control passed on to the sink
  /// @throws usage_error for an empty path; output_error when the target is a directory, cannot be written
  ///         or has no directory
  explicit result_file(const std::string& path, const run_control* control = nullptr);
  result_file(const result_file&) = delete;
  result_file& operator=(const result_file&) = delete;
  /// Removes the temporary file, unless it was committed.
  ~result_file();

  /// The result is written to this sink.
  [[nodiscard]] byte_sink& sink() noexcept;

  /// Whether readers see nothing of the result before commit().
  [[nodiscard]] bool atomic() const noexcept;

  /// Writes the buffered bytes, waits until a regular file is on the disk, and renames the file to the
  /// target. Call it once. If it throws an error of byte_sink, nothing is left of a regular file.
  void commit();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace duomap
