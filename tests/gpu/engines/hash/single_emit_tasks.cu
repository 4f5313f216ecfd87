// Makes the GPU code of tasks over words that emit at most once.
#include "core/partial/merge_keyed.hpp"
#include "gpu/engines/all.cuh"
#include "gpu/gpu_backend.cuh"
#include "gpu/record/chunk_padding.hpp"
#include "tests/gpu/engines/hash/single_emit_tasks.hpp"
#include "tests/support/threaded_pool.hpp"

#include <algorithm>

namespace duomap::gpu {

using devices = std::vector<int>;

template backends_of<test::promised_word_counts> make_backends(const test::promised_word_counts&,
                                                               const devices&, const backend_options&);
template backends_of<test::heavy_words<sum<std::int64_t>>> make_backends(
    const test::heavy_words<sum<std::int64_t>>&, const devices&, const backend_options&);
template backends_of<test::heavy_words<sum<std::uint64_t>>> make_backends(
    const test::heavy_words<sum<std::uint64_t>>&, const devices&, const backend_options&);
template backends_of<test::heavy_words<sum<std::int32_t>>> make_backends(
    const test::heavy_words<sum<std::int32_t>>&, const devices&, const backend_options&);
template backends_of<test::chosen_heads<3>> make_backends(const test::chosen_heads<3>&, const devices&,
                                                          const backend_options&);
template backends_of<test::chosen_heads<11>> make_backends(const test::chosen_heads<11>&, const devices&,
                                                           const backend_options&);
template backends_of<test::word_hearts> make_backends(const test::word_hearts&, const devices&,
                                                      const backend_options&);
template backends_of<test::made_words> make_backends(const test::made_words&, const devices&,
                                                     const backend_options&);

}  // namespace duomap::gpu

namespace duomap::test {

counted_words count_in_one_chunk(const std::string& pattern, std::uint64_t times, const std::string& tail,
                                 int device) {
  using task_type = promised_word_counts;
  using padding = gpu::chunk_padding<words>;
  gpu::use_gpu(device);
  const task_type task;
  const gpu::stream on;
  gpu::host_partials<task_type> parts;
  {
    const std::uint64_t size = pattern.size() * times + tail.size();
    const gpu::device_buffer bytes(size + padding::bytes, on);
    char* const text = bytes.as<char>();
    gpu::check(cudaMemcpyAsync(text, pattern.data(), pattern.size(), cudaMemcpyHostToDevice, on.get()),
               "copying a pattern");
    for (std::uint64_t i = 1; i < times; ++i) {
      gpu::check(cudaMemcpyAsync(text + i * pattern.size(), text, pattern.size(), cudaMemcpyDeviceToDevice,
                                 on.get()),
                 "repeating a pattern");
    }
    gpu::check(cudaMemcpyAsync(text + times * pattern.size(), tail.data(), tail.size(),
                               cudaMemcpyHostToDevice, on.get()),
               "copying a tail");
    gpu::check(cudaMemsetAsync(text + size, padding::value, padding::bytes, on.get()), "padding");
    gpu::read_gate gate;
    gpu::feeder feed(on, 1, {}, gate);
    const auto engine = gpu::make_engine(task, engine_kind::hash, {}, {on, on, feed, gate, 1}, parts);
    engine->enqueue({text, size, 0, 0});
    engine->finish_oldest();
    engine->commit();
  }
  threaded_pool pool(4);
  counted_words all;
  for (const auto& part : parts) {
    const auto partial = merge_partials(std::vector{part->release_partial(pool)}, task, pool);
    for (const auto& partition : partial.partitions) {
      for (const auto& entry : partition)
        all.emplace_back(std::string(entry.key.bytes().text()), entry.value);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace duomap::test
