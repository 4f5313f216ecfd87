// Tests core/text on a GPU: the text functions give the same answers as on the host. Another test compares
// the host's with the standard library.
#include "tests/catch.hpp"
#include "tests/support/no_gpu.hpp"
#include "tests/support/text_cases.hpp"

#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#if DUOMAP_HAS_CUDA

namespace duomap::test::core_text_text_functions_on_gpu_test {
namespace {

template <class T>
bool same(const parsed<T>& a, const parsed<T>& b) {
  return std::bit_cast<std::array<char, sizeof(T)>>(a.value) ==
             std::bit_cast<std::array<char, sizeof(T)>>(b.value) &&
         a.used == b.used && a.status == b.status;
}

/// A text of a few letters, and of bytes that break word-wide code. Parts of it repeat.
std::string repetitive_text(std::mt19937_64& random, std::uint64_t size) {
  constexpr unsigned char letters[] = {'a', 'A', 'b', 0, 0x80, 0xFF, 'Z', '[', '@', 1};
  std::string text;
  for (std::uint64_t i = 0; i < size; ++i) text += static_cast<char>(letters[random() % std::size(letters)]);
  return text;
}

std::string number_text(std::mt19937_64& random) {
  std::string text = std::to_string(static_cast<std::int64_t>(random()) >> random() % 64);
  if (random() % 2 == 0) text.insert(1 + random() % text.size(), ".");
  if (random() % 2 == 0) text += "e" + std::to_string(static_cast<int>(random() % 700) - 350);
  if (random() % 4 == 0) text += "x";
  return text;
}

}  // namespace

TEST_CASE("text on a GPU: every answer is the host's", "[gpu][sanitize]") {
  if (no_gpu()) return;
  std::mt19937_64 random(seed());
  std::string buffer;
  std::vector<text_case> cases;
  for (unsigned i = 0; i < 60'000; ++i) {
    text_case one{};
    const std::string a = i % 3 == 0 ? number_text(random) : repetitive_text(random, random() % 41);
    std::string b = random() % 3 == 0 ? a : repetitive_text(random, random() % 4);
    if (random() % 4 == 0 && !b.empty()) b[random() % b.size()] = static_cast<char>(random());
    one.a = buffer.size();
    one.a_size = a.size();
    buffer += a;
    one.b = buffer.size();
    one.b_size = b.size();
    buffer += b;
    one.from = random() % (a.size() + 2);
    cases.push_back(one);
  }
  const device_answers found = answers_on_gpu(buffer, cases);
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const byte_view a(buffer.data() + cases[i].a, cases[i].a_size);
    const byte_view b(buffer.data() + cases[i].b, cases[i].b_size);
    const number_answers numbers = read_numbers(a);
    const bool right =
        found.texts[i] == answer(a, b, cases[i].from) && same(found.numbers[i].small, numbers.small) &&
        same(found.numbers[i].large, numbers.large) && same(found.numbers[i].with_sign, numbers.with_sign) &&
        same(found.numbers[i].real, numbers.real) && found.numbers[i].copies == numbers.copies;
    if (!right && ++wrong <= 3) {
      CAPTURE(std::string(a.text()), std::string(b.text()), cases[i].from);
      CHECK(right);
    }
  }
  CHECK(wrong == 0);
}

}  // namespace duomap::test::core_text_text_functions_on_gpu_test

#endif
