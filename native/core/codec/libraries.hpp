#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tonearm {

// Names and versions of the FFmpeg libraries in use at run time, e.g. {"libavcodec", "59.37.100"}.
std::vector<std::pair<std::string, std::string>> codecLibraries();

}  // namespace tonearm
