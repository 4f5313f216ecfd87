// Exception types. The type tells a caller how to react, and gives the program's exit status. The message has
// the problem, its place, the amount and the remedy.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <typeinfo>

namespace duomap {

/// The program's exit status for each kind of failure.
enum class exit_status : int {
  ok = 0,
  failed = 1,
  usage = 2,
  device_unavailable = 3,
  out_of_memory = 4,
  bad_input = 5,
  not_compiled = 6,
  interrupted = 130,
};

/// The file and line of a caller. A function takes it as its last parameter, `call_site where =
/// call_site::current()`. The standard's std::source_location is missing from clang 14 with this C++ library.
struct call_site {
  const char* file = "";
  unsigned line = 0;

  [[nodiscard]] static constexpr call_site current(const char* file = __builtin_FILE(),
                                                   unsigned line = __builtin_LINE()) noexcept {
    return {file, line};
  }
};

/// Base of all errors that duomap throws on purpose.
class error : public std::runtime_error {
 public:
  error(exit_status status, const std::string& message) : std::runtime_error(message), status_(status) {}

  [[nodiscard]] exit_status status() const noexcept { return status_; }

  /// Appends `more` to the message, for callers that know more, such as the place in the input.
  void add(const std::string& more) {
    static_cast<std::runtime_error&>(*this) = std::runtime_error(std::string(what()) + more);
  }

 private:
  exit_status status_;
};

/// The caller asked for a thing that makes no sense (an unknown option, k = 0, two commands at once).
class usage_error : public error {
 public:
  explicit usage_error(const std::string& message) : error(exit_status::usage, message) {}
};

/// The caller asked for a device that cannot be used. The message says why.
class device_unavailable : public error {
 public:
  explicit device_unavailable(const std::string& message) : error(exit_status::device_unavailable, message) {}
};

/// A device stopped working during a run (a fault in a kernel, an uncorrectable memory error). This process
/// can use the device no more. Other executors must repeat the device's work since its last commit.
class device_lost : public error {
 public:
  explicit device_lost(const std::string& message) : error(exit_status::failed, message) {}
};

/// Host or device memory ran out. The message has the number of bytes that the program asked for.
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

/// A task's map threw an exception, or broke a rule of its task (a dense key out of range, a broken promise).
/// The exception that map threw is nested (std::rethrow_if_nested), unless it is a duomap::error.
class map_failed : public error {
 public:
  explicit map_failed(const std::string& message) : error(exit_status::failed, message) {}
};

/// A law that a task declared does not hold (core/verify/verify.hpp).
class broken_law : public error {
 public:
  explicit broken_law(const std::string& message) : error(exit_status::failed, message) {}
};

namespace detail {

// Out of line on purpose: checks stand in loops of emits, and the code that makes the message would keep the
// compiler from inlining them.
[[gnu::cold, gnu::noinline, noreturn]] inline void throw_unexpected(const char* what, call_site where) {
  throw std::logic_error(std::string(where.file) + ":" + std::to_string(where.line) + ": " + what);
}

}  // namespace detail

/// Throws map_failed. In this file `task` is typeid(Task).name().
[[noreturn, gnu::cold]] void throw_key_out_of_range(const char* task, std::uint64_t key,
                                                    std::uint64_t key_count);

/// Throws map_failed for a dense key that is too large. The message lacks the key: a GPU only counts such
/// keys.
[[noreturn]] void throw_key_out_of_range_on_gpu(const char* task, std::uint64_t key_count);

/// @throws map_failed when a dense key that map emits is not below the task's key_count()
template <class Task>
void require_dense_key(std::uint64_t key, std::uint64_t key_count) {
  if (key >= key_count) [[unlikely]]
    throw_key_out_of_range(typeid(Task).name(), key, key_count);
}

/// Throws usage_error, because `key_count` values fit into no memory.
[[noreturn]] void throw_too_many_keys(const char* task, std::uint64_t key_count);

/// Throws map_failed: on a GPU a record broke the task's promise about its emits.
[[noreturn]] void throw_broken_promise(const char* task, std::uint64_t max_emits_per_record);

/// Throws map_failed. The message is the task's name, followed by `what_it_did`.
[[noreturn]] void throw_map_failed(const char* task, const std::string& what_it_did);

/// Call it in a catch clause around map. Rethrows the exception with `place` at the end of its message. Makes
/// a map_failed of an exception that is no duomap::error, and nests the exception in it. Does not change a
/// usage_error, a lack of memory, a cancelled run, or a stopped_by_map, which has its place already.
[[noreturn]] void rethrow_from_map(const std::string& place);

/// Throws std::logic_error, with the caller's file and line, if `condition` is false: the caller has a bug.
inline void expects(bool condition, const char* what, call_site where = call_site::current()) {
  if (!condition) [[unlikely]]
    detail::throw_unexpected(what, where);
}

}  // namespace duomap
