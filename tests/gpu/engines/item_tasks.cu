// Makes the GPU code of the contract's tasks that emit items.
#include "gpu/engines/all.cuh"
#include "gpu/gpu_backend.cuh"
#include "tests/gpu/engines/item_tasks.hpp"

#include <array>
#include <cstdint>

namespace duomap::gpu {

using devices = std::vector<int>;
using test::add_squares;
using test::add_to_counts;
using test::items_of_numbers;
using test::items_of_words;
using test::then_item;

template backends_of<items_of_words<byte_view, add_to_counts>> make_backends(
    const items_of_words<byte_view, add_to_counts>&, const devices&, const backend_options&);
template backends_of<items_of_words<std::array<char, 2>, add_squares>> make_backends(
    const items_of_words<std::array<char, 2>, add_squares>&, const devices&, const backend_options&);
template backends_of<items_of_numbers<std::uint32_t, add_squares>> make_backends(
    const items_of_numbers<std::uint32_t, add_squares>&, const devices&, const backend_options&);
template backends_of<items_of_numbers<dense, add_to_counts>> make_backends(
    const items_of_numbers<dense, add_to_counts>&, const devices&, const backend_options&);
template backends_of<items_of_numbers<dense, add_squares>> make_backends(
    const items_of_numbers<dense, add_squares>&, const devices&, const backend_options&);
template backends_of<items_of_words<dense, add_to_counts>> make_backends(
    const items_of_words<dense, add_to_counts>&, const devices&, const backend_options&);
template backends_of<items_of_numbers<no_key, add_to_counts>> make_backends(
    const items_of_numbers<no_key, add_to_counts>&, const devices&, const backend_options&);
template backends_of<items_of_words<no_key, add_squares>> make_backends(
    const items_of_words<no_key, add_squares>&, const devices&, const backend_options&);
template backends_of<test::item_slots> make_backends(const test::item_slots&, const devices&,
                                                     const backend_options&);
template backends_of<items_of_words<byte_view, then_item>> make_backends(
    const items_of_words<byte_view, then_item>&, const devices&, const backend_options&);
template backends_of<items_of_words<dense, then_item>> make_backends(const items_of_words<dense, then_item>&,
                                                                     const devices&, const backend_options&);
template backends_of<items_of_numbers<no_key, then_item>> make_backends(
    const items_of_numbers<no_key, then_item>&, const devices&, const backend_options&);

}  // namespace duomap::gpu
