// Keeps the record of a soak in a file that the next process continues: processes, jobs, and the hash of each
// answer, so that all processes must agree.
#pragma once

#include "core/byte_view.hpp"
#include "core/hash.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test {

/// Resources that must not grow.
struct holdings {
  std::uint64_t kilobytes = 0;
  std::uint64_t descriptors = 0;
  std::uint64_t threads = 0;
  std::uint64_t mappings = 0;
  std::uint64_t files = 0;
};

class soak_record {
 public:
  struct process {
    std::string date;
    std::uint64_t seed = 0;
    double minutes = 0;
    double processor_minutes = 0;
    std::uint64_t jobs = 0;
    holdings early = {};
    holdings last = {};
    std::string verdict = {};
  };

  /// The file may be missing. With an empty path, nothing is stored.
  explicit soak_record(std::string path) : path_(std::move(path)) {
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      std::istringstream fields(line);
      std::string kind, name;
      std::uint64_t number = 0, value = 0;
      fields >> kind;
      if (kind == "process") processes_.push_back(read_process(fields));
      if (kind == "done" && std::getline(fields >> number >> std::ws, name)) done[name] += number;
      if (kind == "answer" && fields >> name >> number >> value) answers_[{name, number}] = value;
    }
  }

  [[nodiscard]] std::size_t processes() const { return processes_.size(); }

  [[nodiscard]] double minutes() const {
    double sum = 0;
    for (const process& one : processes_) sum += one.minutes;
    return sum;
  }

  /// False if an earlier job of this kind, in any process, had another answer.
  [[nodiscard]] bool agrees(const std::string& job, std::uint64_t records, std::string answer) {
    answer.append(8, '\0');  // the hash needs at least eight bytes
    const std::uint64_t hash = hash_long({answer.data(), answer.size()});
    return answers_.emplace(std::pair{job, records}, hash).first->second == hash;
  }

  /// Replaces the file by a record of all processes, with `now` for this process.
  void save(const process& now) const {
    if (path_.empty()) return;
    {
      std::ofstream file(path_ + ".new");
      file << "# Written by ./dev soak: a line for each process, for what its jobs came to, and for each "
              "answer.\n";
      for (const process& one : processes_) write(file, one);
      write(file, now);
      for (const auto& [what, count] : done) file << "done\t" << count << '\t' << what << '\n';
      for (const auto& [job, hash] : answers_)
        file << "answer\t" << job.first << '\t' << job.second << '\t' << hash << '\n';
    }
    std::filesystem::rename(path_ + ".new", path_);
  }

  /// The number of jobs with each outcome, of all processes.
  std::map<std::string, std::uint64_t> done;

 private:
  static void write(std::ofstream& file, const process& one) {
    file << "process\t" << one.date << '\t' << one.seed << '\t' << one.minutes << '\t'
         << one.processor_minutes << '\t' << one.jobs;
    for (const holdings& held : {one.early, one.last})
      file << '\t' << held.kilobytes << '\t' << held.descriptors << '\t' << held.threads << '\t'
           << held.mappings << '\t' << held.files;
    file << '\t' << one.verdict << '\n';
  }

  static process read_process(std::istringstream& fields) {
    process one;
    fields >> one.date >> one.seed >> one.minutes >> one.processor_minutes >> one.jobs;
    for (holdings* held : {&one.early, &one.last})
      fields >> held->kilobytes >> held->descriptors >> held->threads >> held->mappings >> held->files;
    std::getline(fields >> std::ws, one.verdict);
    return one;
  }

  std::string path_;
  std::vector<process> processes_;
  std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> answers_;
};

}  // namespace duomap::test
