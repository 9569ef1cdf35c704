// How long a decode takes, alone: the yardstick of the other benches.
//
//   decode_bench FILE [RUNS]         the engine's Decoder
//   decode_bench --raw FILE [RUNS]   the plainest loop over libavformat and libavcodec, nothing of ours
//
// Prints one JSON line with the fastest of RUNS (default 5) on one thread, in CPU time.
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "core/codec/decoder.hpp"
#include "cpu_time.hpp"

namespace {

struct Count {
  std::int64_t frames = 0;
  int rateHz = 1;
};

Count decodeOurs(const std::vector<std::uint8_t>& bytes) {
  tonearm::Decoder decoder(bytes, {});
  Count count{0, decoder.info().format.sampleRateHz};
  for (auto block = decoder.next(); block.frames > 0; block = decoder.next())
    count.frames += static_cast<std::int64_t>(block.frames);
  return count;
}

// Error handling is left out on purpose: the file is known to be good, `decodeOurs` has just read it.
Count decodeRaw(const std::string& path) {
  AVFormatContext* format = nullptr;
  if (avformat_open_input(&format, path.c_str(), nullptr, nullptr) < 0) return {};
  avformat_find_stream_info(format, nullptr);
  const AVCodec* decoder = nullptr;
  const int index = av_find_best_stream(format, AVMEDIA_TYPE_AUDIO, -1, -1, &decoder, 0);
  const AVStream& stream = *format->streams[index];
  AVCodecContext* codec = avcodec_alloc_context3(decoder);
  avcodec_parameters_to_context(codec, stream.codecpar);
  codec->pkt_timebase = stream.time_base;
  codec->thread_count = 1;
  avcodec_open2(codec, decoder, nullptr);
  AVPacket* packet = av_packet_alloc();
  AVFrame* frame = av_frame_alloc();
  Count count;
  const auto drain = [&] {
    while (avcodec_receive_frame(codec, frame) == 0)
      count = {count.frames + frame->nb_samples, frame->sample_rate};
  };
  while (av_read_frame(format, packet) == 0) {
    if (packet->stream_index == index && avcodec_send_packet(codec, packet) == 0) drain();
    av_packet_unref(packet);
  }
  avcodec_send_packet(codec, nullptr);
  drain();
  av_frame_free(&frame);
  av_packet_free(&packet);
  avcodec_free_context(&codec);
  avformat_close_input(&format);
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  const bool raw = argc > 1 && std::strcmp(argv[1], "--raw") == 0;
  const int first = raw ? 2 : 1;
  if (argc <= first) {
    std::fprintf(stderr, "usage: decode_bench [--raw] FILE [RUNS]\n");
    return 2;
  }
  const std::string path = argv[first];
  const int runs = argc > first + 1 ? std::atoi(argv[first + 1]) : 5;
  std::ifstream file(path, std::ios::binary);
  const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  try {
    double bestS = std::numeric_limits<double>::infinity();
    Count count;
    for (int run = 0; run < runs; ++run) {
      const double start = cpuSeconds();
      count = raw ? decodeRaw(path) : decodeOurs(bytes);
      bestS = std::min(bestS, cpuSeconds() - start);
    }
    std::printf("{\"seconds\": %.6f, \"duration_s\": %.6f, \"frames\": %lld}\n", bestS,
                static_cast<double>(count.frames) / count.rateHz, static_cast<long long>(count.frames));
  } catch (const tonearm::Error& error) {
    std::fprintf(stderr, "%s: %s\n", tonearm::codeName(error.code()), error.what());
    return 1;
  }
}
