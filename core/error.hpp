// Exception types. The type decides what a caller can do (and the program's exit code); the message says
// what went wrong, where, how much, and what to do.
#pragma once

#include "core/call_site.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace duomap {

/// The program's exit status for each kind of failure.
enum class exit_status : int {
  ok = 0,
  failed = 1,
  usage = 2,
  device_unavailable = 3,
  out_of_memory = 4,
  bad_input = 5,
  interrupted = 130,
};

/// Base of all errors duomap throws on purpose.
class error : public std::runtime_error {
 public:
  error(exit_status status, const std::string& message) : std::runtime_error(message), status_(status) {}

  [[nodiscard]] exit_status status() const noexcept { return status_; }

 private:
  exit_status status_;
};

/// The caller asked for something that makes no sense (unknown option, k = 0, two commands at once).
class usage_error : public error {
 public:
  explicit usage_error(const std::string& message) : error(exit_status::usage, message) {}
};

/// A device was asked for by name and cannot be used; the message says why.
class device_unavailable : public error {
 public:
  explicit device_unavailable(const std::string& message) : error(exit_status::device_unavailable, message) {}
};

/// A device stopped working during a run (a fault in a kernel, an uncorrectable memory error): this process
/// can use nothing on it any more. What it had not committed must be run elsewhere.
class device_lost : public error {
 public:
  explicit device_lost(const std::string& message) : error(exit_status::failed, message) {}
};

/// Host or device memory ran out; the message says how much was asked for.
class out_of_memory : public error {
 public:
  explicit out_of_memory(const std::string& message) : error(exit_status::out_of_memory, message) {}
};

/// An input is missing, unreadable, truncated or malformed; the message names the file and the place.
class input_error : public error {
 public:
  explicit input_error(const std::string& message) : error(exit_status::bad_input, message) {}
};

/// The result could not be written in full (full disk, closed pipe, no permission).
class output_error : public error {
 public:
  explicit output_error(const std::string& message) : error(exit_status::failed, message) {}
};

/// The run was cancelled from outside; nothing was written.
class interrupted : public error {
 public:
  interrupted() : error(exit_status::interrupted, "interrupted; no result was written") {}
};

/// A law a task declared does not hold (see core/verify/verify.hpp).
class broken_law : public error {
 public:
  explicit broken_law(const std::string& message) : error(exit_status::failed, message) {}
};

/// Throws std::logic_error naming the call site when `condition` is false: a bug in the caller, not in the
/// data.
inline void expects(bool condition, const char* what, call_site where = call_site::current()) {
  if (!condition) {
    throw std::logic_error(std::string(where.file) + ":" + std::to_string(where.line) + ": " + what);
  }
}

}  // namespace duomap
