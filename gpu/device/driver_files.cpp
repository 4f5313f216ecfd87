#include "gpu/device/driver_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace duomap::gpu {
namespace {

// "Device Minor: 	 3" of a GPU's file; empty without one.
std::string minor_number(const std::filesystem::path& information) {
  std::ifstream file(information);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("Device Minor:")) continue;
    const auto digits = line.find_first_of("0123456789");
    return digits == std::string::npos ? "" : line.substr(digits);
  }
  return "";
}

bool is_there(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

}  // namespace

std::vector<std::string> gpus_of_driver() {
  std::vector<std::string> all;
  std::error_code none;
  for (const auto& one : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", none)) {
    // A container sees the files of all GPUs of the machine and the devices of its own.
    const std::string minor = minor_number(one.path() / "information");
    if (!minor.empty() && is_there("/dev/nvidia" + minor)) all.push_back(one.path().filename().string());
  }
  std::sort(all.begin(), all.end());
  // Windows shows Linux programs one file for all.
  if (all.empty() && is_there("/dev/dxg")) all.emplace_back();
  return all;
}

}  // namespace duomap::gpu
