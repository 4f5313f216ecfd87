// Throws the errors of a map that fails, with messages that name the task.
#include "core/error.hpp"

#include "core/early_stop.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace duomap {
namespace {

std::string task_text(const char* type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> readable(abi::__cxa_demangle(type, nullptr, nullptr, &status),
                                                        std::free);
  return "task '" + std::string(status == 0 ? readable.get() : type) + "'";
}

std::string range_text(std::uint64_t key_count) {
  return "its key_count() is " + std::to_string(key_count) +
         (key_count == 0 ? ", so it has no keys" : ", so keys are 0 to " + std::to_string(key_count - 1)) +
         "; raise key_count(), or emit another key";
}

}  // namespace

stopped_by_map::stopped_by_map(std::uint32_t source, std::uint64_t offset, std::string text)
  : error(exit_status::failed,
          "map stopped the run at byte " + std::to_string(offset) + " of source " + std::to_string(source)),
    source_(source),
    offset_(offset),
    text_(std::move(text)) {}

stopped_by_map::stopped_by_map(const stopped_by_map& seen, const std::string& place)
  : error(exit_status::failed, "map stopped the run at " + place),
    source_(seen.source_),
    offset_(seen.offset_),
    text_(seen.text_) {}

void throw_key_out_of_range(const char* task, std::uint64_t key, std::uint64_t key_count) {
  // If map emits a negative key, the conversion makes it a number of at least 2^63.
  throw map_failed(task_text(task) + " emitted the dense key " +
                   (key >> 63 == 0 ? std::to_string(key) : std::to_string(static_cast<std::int64_t>(key))) +
                   ", but " + range_text(key_count));
}

void throw_key_out_of_range_on_gpu(const char* task, std::uint64_t key_count) {
  throw map_failed(task_text(task) + " emitted a dense key that is too large, but " + range_text(key_count) +
                   "; with run_options::device = cpu (--device cpu) the message has the key and its place");
}

void throw_too_many_keys(const char* task, std::uint64_t key_count) {
  throw usage_error(
      task_text(task) + " has key_count() = " + std::to_string(key_count) +
      ", and no memory holds a value for each; give fewer keys, or take hashed keys, of which only "
      "those that occur are kept (using key = std::uint64_t)");
}

void throw_broken_promise(const char* task, std::uint64_t max_emits_per_record) {
  throw_map_failed(task, "broke a promise on a GPU: it emitted more than max_emits_per_record = " +
                             std::to_string(max_emits_per_record) +
                             " times for a record, or a key that is not bytes of its record although "
                             "keys_within_record is true, or a key that is longer than its record by more "
                             "than max_extra_key_bytes; duomap::verify shows where");
}

void throw_map_failed(const char* task, const std::string& what_it_did) {
  throw map_failed(task_text(task) + " " + what_it_did);
}

void rethrow_from_map(const std::string& place) {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const interrupted&) {
    throw;
  } catch (const stopped_by_map&) {
    throw;
  } catch (error& problem) {
    const bool of_record =
        problem.status() != exit_status::out_of_memory && problem.status() != exit_status::usage;
    if (of_record) problem.add(place);
    throw;
  } catch (const std::exception& problem) {
    std::throw_with_nested(map_failed(std::string("map threw: ") + problem.what() + place));
  } catch (...) {
    std::throw_with_nested(map_failed("map threw what is no std::exception" + place));
  }
}

}  // namespace duomap
