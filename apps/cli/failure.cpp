// Turns an exception into a message and an exit status, also when memory runs out in a function that may not
// throw.
#include "apps/cli/failure.hpp"

#include "apps/cli/console.hpp"
#include "apps/cli/signals.hpp"
#include "core/error.hpp"
#include "core/output/byte_sink.hpp"
#include "core/output/pending_file.hpp"

#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string>

namespace duomap::apps {

namespace {

int status_of_current_exception() {
  try {
    throw;
  } catch (const closed_pipe& problem) {
    end_by_closed_pipe();
    say_error(problem.what());
    return static_cast<int>(problem.status());
  } catch (const error& problem) {
    say_error(problem.what());
    return static_cast<int>(problem.status());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& problem) {
    say_error(std::string("internal error: ") + problem.what() + "; please report it with the command line");
    return static_cast<int>(exit_status::failed);
  } catch (...) {
    say_error("internal error of unknown kind; please report it with the command line");
    return static_cast<int>(exit_status::failed);
  }
}

std::terminate_handler handler_before = nullptr;

[[noreturn]] void end_without_memory() {
  if (std::current_exception()) {
    try {
      throw;
    } catch (const std::bad_alloc&) {
      const int status = report_failure();
      static_cast<void>(remove_pending_files());
      ::_exit(status);
    } catch (...) {
    }
  }
  if (handler_before != nullptr) handler_before();
  std::abort();
}

}  // namespace

void install_terminate_handler() noexcept { handler_before = std::set_terminate(&end_without_memory); }

int report_failure() noexcept {
  try {
    return status_of_current_exception();
  } catch (...) {
    // Memory has run out. This message needs none.
    write_standard_error(
        "duomap: error: out of memory; use fewer --threads, fewer inputs or a machine with more memory\n");
    return static_cast<int>(exit_status::out_of_memory);
  }
}

}  // namespace duomap::apps
