#include "gpu/device/driver_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
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

std::string device_file(const std::string& minor) { return "/dev/nvidia" + minor; }

// Whether this process sees the device of a GPU of the driver.
bool is_here(const std::filesystem::path& gpu) {
  const std::string minor = minor_number(gpu / "information");
  return !minor.empty() && is_there(device_file(minor));
}

}  // namespace

std::vector<std::string> gpus_of_driver() {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& one : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", none))
    files.push_back(one.path());
  // A container sees the files of all GPUs of the machine and the devices of its own. Files are read only
  // where some are not here, because reading one takes an H100's driver 0.2 ms.
  bool all_are_here = true;
  for (std::size_t i = 0; i < files.size(); ++i) all_are_here &= is_there(device_file(std::to_string(i)));
  std::vector<std::string> all;
  for (const auto& one : files) {
    if (all_are_here || is_here(one)) all.push_back(one.filename().string());
  }
  std::sort(all.begin(), all.end());
  // Windows shows Linux programs one file for all.
  if (all.empty() && is_there("/dev/dxg")) all.emplace_back();
  return all;
}

}  // namespace duomap::gpu
