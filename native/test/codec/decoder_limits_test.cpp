#include <atomic>
#include <chrono>
#include <thread>

#include "check.hpp"
#include "decode.hpp"
#include "thread_clock.hpp"

using namespace tonearm;
using namespace fixture;
using Clock = std::chrono::steady_clock;

namespace {

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

TEST("audio longer than the limit is refused by its header, before anything is decoded") {
  const auto wav = encode(sines(60, 8000, 1), {"wav", "pcm_s16le", 8000, 0, "", {}});
  CHECK_THROWS(ErrorCode::audioTooLong, Decoder(wav, DecodeLimits{30}));
}

TEST("audio that hides its length is refused as soon as the limit is passed") {
  const auto adts = encode(sines(60, 8000, 1), {"adts", "aac", 8000, 32000, "", {}});
  Decoder decoder(adts, DecodeLimits{30});
  std::size_t frames = 0;
  CHECK_THROWS(ErrorCode::audioTooLong, for (;;) frames += decoder.next().frames);
  CHECK(frames <= 30u * 8000);
  CHECK(frames > 29u * 8000);
}

TEST("audio of exactly the limit is accepted, in formats with padding too") {
  const Encoding mp3{"mp3", "libmp3lame", 44100, 128000, "", {}};
  CHECK(decode(encode(sines(3, 44100), mp3), DecodeLimits{3}).frames() == 3 * 44100);
  CHECK_THROWS(ErrorCode::audioTooLong, decode(encode(sinesOf(3 * 44100 + 1, 44100), mp3), DecodeLimits{3}));
}

TEST("a raised flag cancels before, while and after the file is opened") {
  const auto mp3 = encode(sines(5, 44100), {"mp3", "libmp3lame", 44100, 128000, "", {}});
  std::int32_t flag = 1;
  CHECK_THROWS(ErrorCode::canceled, Decoder(mp3, {}, CancelToken(&flag)));
  flag = 0;
  Decoder decoder(mp3, {}, CancelToken(&flag));
  CHECK(decoder.next().frames > 0);
  flag = 1;
  CHECK_THROWS(ErrorCode::canceled, decoder.next());
}

TEST("a flag raised from another thread is honoured within 100 ms") {
  constexpr std::size_t kBytes = 32u << 20;
  // Long to decode; long to open, for an index without end; and frames followed by a search for more.
  const auto flac = encode(sines(120, 44100), {"flac", "flac", 44100, 0, "", {}});
  std::vector<std::uint8_t> boxes = {0, 0, 0, 16, 'f', 't', 'y', 'p', 'M', '4', 'A', ' ', 0, 0, 0, 0};
  while (boxes.size() < kBytes) boxes.insert(boxes.end(), {0, 0, 0, 8, 'f', 'r', 'e', 'e'});
  auto junk = encode(sines(1, 44100), {"mp3", "libmp3lame", 44100, 128000, "", {}});
  junk.resize(kBytes);
  const ThreadClock work;
  for (const auto& file : {flac, boxes, junk}) {
    for (int round = 0; round < 5; ++round) {
      std::int32_t flag = 0;
      std::atomic<bool> started = false;
      double raisedS = 0;
      std::thread other([&] {
        while (!started) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(5 * round));
        raisedS = work.seconds();
        __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
      });
      started = true;
      CHECK_THROWS(ErrorCode::canceled, for (;;) decode(file, {}, CancelToken(&flag)));
      const double stoppedS = work.seconds();
      other.join();
      CHECK(stoppedS - raisedS < 0.1);
    }
  }
}

TEST("an index made of nonsense is given up soon") {
  // A WAV of 4 MiB of empty chunks.
  std::vector<std::uint8_t> chunks = {'R', 'I', 'F', 'F', 0, 0, 0, 0, 'W', 'A', 'V', 'E'};
  while (chunks.size() < 4u << 20) chunks.insert(chunks.end(), {'j', 'u', 'n', 'k', 0, 0, 0, 0});
  const auto start = Clock::now();
  CHECK_THROWS(ErrorCode::undecodableAudio, Decoder(chunks, {}));
  CHECK(secondsSince(start) < 2);
}
