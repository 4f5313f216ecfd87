// Reads the driver's files below /proc and looks for the device files below /dev.
#include "gpu/device/driver_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace duomap::gpu {
namespace {

// Reads the number in "Device Minor:       3" of a GPU's file; empty if the file has no such line.
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

// Whether this process sees the device file of one of the driver's GPUs.
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
  // A container sees the files of all GPUs of the machine, but only its own device files. The GPUs' files are
  // read only if some device files are missing, because reading one takes an H100's driver 0.2 ms.
  bool all_are_here = true;
  for (std::size_t i = 0; i < files.size(); ++i) all_are_here &= is_there(device_file(std::to_string(i)));
  std::vector<std::string> all;
  for (const auto& one : files) {
    if (all_are_here || is_here(one)) all.push_back(one.filename().string());
  }
  std::sort(all.begin(), all.end());
  // Windows shows Linux programs one device file for all GPUs.
  if (all.empty() && is_there("/dev/dxg")) all.emplace_back();
  return all;
}

}  // namespace duomap::gpu
