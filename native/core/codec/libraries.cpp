#include "core/codec/libraries.hpp"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libswresample/swresample.h>
}

namespace tonearm {
namespace {

std::string dotted(unsigned version) {
  return std::to_string(AV_VERSION_MAJOR(version)) + "." + std::to_string(AV_VERSION_MINOR(version)) + "." +
         std::to_string(AV_VERSION_MICRO(version));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> codecLibraries() {
  return {{"libavcodec", dotted(avcodec_version())},
          {"libavformat", dotted(avformat_version())},
          {"libavutil", dotted(avutil_version())},
          {"libswresample", dotted(swresample_version())}};
}

}  // namespace tonearm
