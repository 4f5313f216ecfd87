// Lists the records that a GPU finds in a text.
#include "core/record/lines.hpp"
#include "core/record/words.hpp"
#include "gpu/record/chunk_padding.hpp"
#include "gpu/record/record_tile.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/launch.cuh"
#include "tests/gpu/record/record_tile.hpp"

namespace duomap::test {
namespace {

struct place {
  std::uint64_t offset;
  std::uint64_t size;
};

/// The places of each tile's records: their number, and an array with room for the most records of a tile.
struct place_list {
  std::uint32_t* counts;
  place* places;
  std::uint64_t most;

  __device__ void set(std::uint64_t tile, std::uint32_t i, const gpu::record_bytes& record,
                      const char* text) const {
    places[tile * most + i] = {static_cast<std::uint64_t>(record.bytes.data - text), record.bytes.size};
  }
};

template <class Format>
__global__ void __launch_bounds__(gpu::block_threads)
    list_by_blocks(const chunk part, const Format format, const place_list list) {
  extern __shared__ uint4 dynamic_memory[];
  gpu::record_tile<Format> tile(
      *reinterpret_cast<typename gpu::record_tile<Format>::storage*>(dynamic_memory), part, format);
  tile.load(blockIdx.x);
  __syncthreads();
  tile.find();
  if (threadIdx.x == 0) list.counts[blockIdx.x] = tile.count();
  for (std::uint32_t i = threadIdx.x; i < tile.count(); i += blockDim.x) {
    gpu::record_bytes bytes;
    static_cast<void>(tile.record(i, bytes));
    list.set(blockIdx.x, i, bytes, part.data);
  }
}

template <class Format>
__global__ void __launch_bounds__(32)
    list_by_warps(const chunk part, const Format format, const place_list list) {
  __shared__ typename gpu::warp_tile<Format>::storage storage;
  gpu::warp_tile<Format> tile(storage, part, format);
  tile.find(blockIdx.x);
  if (threadIdx.x == 0) list.counts[blockIdx.x] = tile.count();
  for (std::uint32_t i = threadIdx.x; i < tile.count(); i += 32) {
    gpu::record_bytes bytes;
    static_cast<void>(tile.record(tile.start(i), bytes));
    list.set(blockIdx.x, i, bytes, part.data);
  }
}

__global__ void __launch_bounds__(32)
    list_fields(const chunk part, const fields format, const place_list list) {
  __shared__ gpu::warp_tile<fields>::storage storage;
  gpu::warp_tile<fields> tile(storage, part, format);
  tile.find(blockIdx.x);
  if (threadIdx.x == 0) list.counts[blockIdx.x] = tile.count();
  for (std::uint32_t i = threadIdx.x; i < tile.count(); i += 32) {
    gpu::record_bytes bytes;
    const field_list record = tile.record(tile.start(i), bytes);
    list.places[blockIdx.x * list.most + i] = {static_cast<std::uint64_t>(bytes.bytes.data - part.data),
                                               field_sum(record)};
  }
}

/// Copies the text to the device, calls launch_tiles(part, list, stream), and copies the list back.
template <class Launch>
record_places list_places(const std::string& text, int device, std::uint64_t tiles, std::uint64_t most,
                          std::uint64_t padding_bytes, int padding, const Launch& launch_tiles) {
  gpu::use_gpu(device);
  const gpu::stream on;
  const gpu::device_buffer bytes(text.size() + padding_bytes, on);
  const gpu::device_buffer counts(tiles * sizeof(std::uint32_t), on);
  const gpu::device_buffer places(tiles * most * sizeof(place), on);
  gpu::check(cudaMemcpyAsync(bytes.as<char>(), text.data(), text.size(), cudaMemcpyHostToDevice, on.get()),
             "copying a text");
  gpu::check(cudaMemsetAsync(bytes.as<char>() + text.size(), padding, padding_bytes, on.get()), "padding");
  launch_tiles(chunk{bytes.as<char>(), text.size(), 0, 0},
               place_list{counts.as<std::uint32_t>(), places.as<place>(), most}, on);
  std::vector<std::uint32_t> host_counts(tiles);
  std::vector<place> host_places(tiles * most);
  gpu::check(
      cudaMemcpyAsync(host_counts.data(), counts.as<void>(), counts.size(), cudaMemcpyDeviceToHost, on.get()),
      "reading counts");
  gpu::check(
      cudaMemcpyAsync(host_places.data(), places.as<void>(), places.size(), cudaMemcpyDeviceToHost, on.get()),
      "reading places");
  on.wait();
  record_places all;
  for (std::uint64_t tile = 0; tile < tiles; ++tile) {
    for (std::uint32_t i = 0; i < host_counts[tile]; ++i)
      all.emplace_back(host_places[tile * most + i].offset, host_places[tile * most + i].size);
  }
  return all;
}

}  // namespace

template <class Format>
record_places places_by_blocks(const std::string& text, int device) {
  using tile = gpu::record_tile<Format>;
  const std::uint64_t tiles = tile::tiles({nullptr, text.size(), 0, 0}, Format{});
  gpu::check(cudaFuncSetAttribute(list_by_blocks<Format>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(sizeof(typename tile::storage))),
             "using shared memory");
  return list_places(text, device, tiles, gpu::block_threads / 32 * gpu::text_rule<Format>::most_starts,
                     gpu::chunk_padding<Format>::bytes, gpu::chunk_padding<Format>::value,
                     [&](const chunk& part, const place_list& list, const gpu::stream& on) {
                       gpu::launch(list_by_blocks<Format>,
                                   {static_cast<unsigned>(tiles), gpu::block_threads,
                                    sizeof(typename tile::storage), on.get()},
                                   part, Format{}, list);
                     });
}

template <class Format>
record_places places_by_warps(const std::string& text, int device) {
  using tile = gpu::warp_tile<Format>;
  const std::uint64_t tiles = tile::tiles({nullptr, text.size(), 0, 0}, Format{});
  return list_places(text, device, tiles, gpu::text_rule<Format>::most_starts,
                     gpu::chunk_padding<Format>::bytes, gpu::chunk_padding<Format>::value,
                     [&](const chunk& part, const place_list& list, const gpu::stream& on) {
                       gpu::launch(list_by_warps<Format>, {static_cast<unsigned>(tiles), 32, 0, on.get()},
                                   part, Format{}, list);
                     });
}

record_places fields_by_warps(const std::string& text, const fields& format, int device) {
  using padding = gpu::chunk_padding<fields>;
  const std::uint64_t tiles = gpu::warp_tile<fields>::tiles({nullptr, text.size(), 0, 0}, format);
  return list_places(
      text, device, tiles, gpu::text_rule<fields>::most_starts, padding::bytes, padding::value,
      [&](const chunk& part, const place_list& list, const gpu::stream& on) {
        gpu::launch(list_fields, {static_cast<unsigned>(tiles), 32, 0, on.get()}, part, format, list);
      });
}

template record_places places_by_blocks<words>(const std::string&, int);
template record_places places_by_blocks<lines>(const std::string&, int);
template record_places places_by_warps<words>(const std::string&, int);
template record_places places_by_warps<lines>(const std::string&, int);

}  // namespace duomap::test
