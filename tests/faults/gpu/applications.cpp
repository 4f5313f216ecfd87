#include "tests/faults/gpu/applications.hpp"

#include <cstdint>

namespace duomap::test {
namespace {

std::string repeated(std::uint64_t records, std::string (*record)(std::uint64_t)) {
  std::string text;
  for (std::uint64_t i = 0; i < records; ++i) text += record(i);
  return text;
}

/// Small whole numbers, whose sums are exact in any order.
std::string row(std::uint64_t i) {
  return std::to_string(i % 7) + "," + std::to_string(i * i % 11) + "," + std::to_string(i % 5) + "," +
         (i % 2 == 0 ? "a" : "b") + "\n";
}

}  // namespace

void write_inputs(const temporary_folder& folder) {
  folder.write("words", repeated(60'000, [](std::uint64_t i) {
                 return "word" + std::to_string(i * i % 977) + (i % 9 == 0 ? "\n" : " ");
               }));
  folder.write("sums", repeated(30'000, [](std::uint64_t i) {
                 return "key" + std::to_string(i % 300) + "," + std::to_string(i % 1000) + "\n";
               }));
  folder.write("page", repeated(10'000, [](std::uint64_t i) {
                 return "<a href='" + std::to_string(i % 50) + ".html'>x</a>\n";
               }));
  folder.write("log", repeated(5'000, [](std::uint64_t i) {
                 return "10.0.0." + std::to_string(i % 9) + " - - [10/Oct/2000:13:55:36 -0700] \"GET /" +
                        std::to_string(i % 40) + ".html HTTP/1.0\" 200 9 \"-\" \"agent\"\n";
               }));
  folder.write("rows", repeated(30'000, row));
  folder.write("few_rows", repeated(300, row));
  folder.write("sparse", repeated(300, [](std::uint64_t i) {
                 return std::string(i % 2 == 0 ? "1" : "-1") + " 1:" + std::to_string(i % 7 + i % 2 * 5) +
                        " 2:" + std::to_string(i * i % 11) + "\n";
               }));
  folder.write("square", repeated(64, [](std::uint64_t i) {
                 std::string line;
                 for (std::uint64_t k = 0; k < 64; ++k)
                   line += std::to_string((i * k) % 9) + (k < 63 ? "," : "\n");
                 return line;
               }));
}

std::vector<std::vector<std::string>> all_applications() {
  return {{"wordcount", "--sort", "key", "words"},
          {"aggregate", "--sort", "key", "--no-decompress", "sums"},
          {"stringmatch", "--pattern", "word9", "words"},
          {"invertedindex", "page"},
          {"pageviewcount", "--sort", "key", "log"},
          {"pageviewrank", "--top", "3", "log"},
          {"naivebayes", "--train", "rows", "--label", "4"},
          {"pca", "--leave-out", "4", "rows"},
          {"knn", "--train", "few_rows", "--test", "rows", "--label", "4"},
          {"similarity", "--leave-out", "4", "few_rows"},
          {"matmul", "square", "square"},
          {"kmeans", "--k", "3", "--leave-out", "4", "rows"},
          {"svmtrain", "sparse", "result"},
          {"svmclassify", "sparse", "model", "result"}};
}

}  // namespace duomap::test
