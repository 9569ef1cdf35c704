#include "core/pipeline/pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <tuple>

#include "check.hpp"
#include "core/loudness/loudness.hpp"
#include "loudness/measure.hpp"
#include "pipeline/song.hpp"
#include "thread_clock.hpp"

using namespace tonearm;
using Bytes = std::vector<std::uint8_t>;
using Clock = std::chrono::steady_clock;

namespace {

constexpr AnalysisRequest kEverything = {
    .rhythm = true, .key = true, .loudness = true, .loudnessTimeline = true};
constexpr int kG = 7, kE = 4;

// Sanitizers slow the engine down by up to this; the promise of 100 ms is for the engine as it ships.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kSlowness = 20;
#else
constexpr double kSlowness = 1;
#endif

Bytes file(const char* container, const char* codec, double seconds = 24, int tonic = kG) {
  return fixture::encode(song::play(seconds, tonic), {container, codec, song::kRateHz, 0, "", {}});
}

bool same(const Rhythm& a, const Rhythm& b) {
  const auto tempo = [](const TempoCandidate& x, const TempoCandidate& y) {
    return x.bpm == y.bpm && x.confidence == y.confidence;
  };
  return std::ranges::equal(a.tempi, b.tempi, tempo) && a.beatsS == b.beatsS && a.positions == b.positions &&
         a.timeSignature == b.timeSignature && a.altBpm == b.altBpm;
}

bool same(const Key& a, const Key& b) {
  const auto candidate = [](const KeyCandidate& x, const KeyCandidate& y) {
    return x.tonic == y.tonic && x.minor == y.minor && x.confidence == y.confidence;
  };
  return std::ranges::equal(a.candidates, b.candidates, candidate) && a.tuningHz == b.tuningHz;
}

bool same(const Loudness& a, const Loudness& b) {
  const auto levels = [](const Loudness& x) {
    return std::tie(x.integratedLufs, x.loudnessRangeLu, x.maxMomentaryLufs, x.maxShortTermLufs,
                    x.truePeakDbtp, x.samplePeakDbfs, x.momentaryLufs, x.shortTermLufs);
  };
  return levels(a) == levels(b);
}

bool same(const Analysis& a, const Analysis& b) {
  return a.durationS == b.durationS && a.audio.codec == b.audio.codec && same(*a.rhythm, *b.rhythm) &&
         same(*a.key, *b.key) && same(*a.loudness, *b.loudness);
}

// A file of these bytes for as long as the object lives.
class TemporaryFile {
 public:
  explicit TemporaryFile(const Bytes& bytes) {
    std::FILE* stream = ::fdopen(::mkstemp(path_.data()), "w");
    std::fwrite(bytes.data(), 1, bytes.size(), stream);
    std::fclose(stream);
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/pipeline_test_XXXXXX";
};

}  // namespace

// First, so that the threads also meet in everything that is set up on first use.
TEST("threads that analyse different files at once get the answers each gets alone") {
  const Bytes files[] = {file("flac", "flac", 12, kG), file("mp3", "libmp3lame", 12, kE),
                         file("ipod", "aac", 12, kG), file("wav", "pcm_s16le", 12, kE)};
  Analysis together[std::size(files)];
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < std::size(files); ++i)
    threads.emplace_back([&, i] { together[i] = analyze(files[i], kEverything); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < std::size(files); ++i) CHECK(same(together[i], analyze(files[i], kEverything)));
  CHECK(together[0].key->candidates[0].tonic == kG);
  CHECK(together[1].key->candidates[0].tonic == kE);
}

TEST("one pass gives tempo, beats, key and loudness of a song") {
  const fixture::Planar audio = song::play(24, kG);
  const Analysis analysis =
      analyze(fixture::encode(audio, {"wav", "pcm_f32le", song::kRateHz, 0, "", {}}), kEverything);
  CHECK_NEAR(analysis.durationS, 24, 1e-9);
  CHECK(analysis.audio.format.channelCount() == 2);

  CHECK(!analysis.rhythm->tempi.empty());
  if (!analysis.rhythm->tempi.empty()) CHECK_NEAR(analysis.rhythm->tempi[0].bpm, song::kBpm, 0.5);
  CHECK(analysis.rhythm->timeSignature == 4);
  CHECK_NEAR(analysis.rhythm->beatsS.size(), 48, 2);
  for (const double beatS : analysis.rhythm->beatsS) CHECK_NEAR(beatS * 2, std::round(beatS * 2), 0.07);

  CHECK(!analysis.key->candidates.empty());
  if (!analysis.key->candidates.empty())
    CHECK(analysis.key->candidates[0].tonic == kG && !analysis.key->candidates[0].minor);

  CHECK(same(*analysis.loudness,
             signals::measure(signals::format(song::kRateHz), {&audio[0], &audio[1]}, {.timeline = true})));
  CHECK(analysis.loudness->integratedLufs.has_value());
}

TEST("an answer is the same whatever is asked for beside it, and nothing else is computed") {
  const Bytes mp3 = file("mp3", "libmp3lame");
  const Analysis all = analyze(mp3, kEverything);
  const Analysis rhythm = analyze(mp3, {.rhythm = true}), key = analyze(mp3, {.key = true}),
                 loudness = analyze(mp3, {.loudness = true, .loudnessTimeline = true});
  CHECK(same(*rhythm.rhythm, *all.rhythm));
  CHECK(same(*key.key, *all.key));
  CHECK(same(*loudness.loudness, *all.loudness));
  CHECK(!rhythm.key && !rhythm.loudness && !key.rhythm && !key.loudness && !loudness.rhythm && !loudness.key);
}

TEST("a mapped file gives the same answer as its bytes") {
  const Bytes flac = file("flac", "flac");
  const TemporaryFile onDisk(flac);
  CHECK(same(analyze(MappedFile(onDisk.path()), kEverything), analyze(flac, kEverything)));
}

TEST("audio shorter or longer than the limits is refused, exactly at them it is not") {
  const Bytes wav = file("wav", "pcm_s16le", 5);
  CHECK_THROWS(ErrorCode::audioTooShort, analyze(wav, {.key = true, .minDurationS = 5.001}));
  CHECK_THROWS(ErrorCode::audioTooLong, analyze(wav, {.key = true, .maxDurationS = 4.999}));
  CHECK_NEAR(analyze(wav, {.key = true, .minDurationS = 5, .maxDurationS = 5}).durationS, 5, 1e-9);
}

TEST("a flag raised by another thread ends the analysis within 100 ms, wherever it is") {
  const Bytes mp3 = file("mp3", "libmp3lame", 120);
  const auto start = Clock::now();
  analyze(mp3, kEverything);
  const std::chrono::duration<double> whole = Clock::now() - start;
  const ThreadClock work;
  int canceled = 0;
  for (const double share : {0.0, 0.1, 0.3, 0.5, 0.7, 0.85}) {
    std::int32_t flag = 0;
    double raisedS = 0;
    std::thread other([&] {
      std::this_thread::sleep_for(share * whole);
      raisedS = work.seconds();
      __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    });
    try {
      analyze(mp3, kEverything, CancelToken(&flag));
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::canceled);
      ++canceled;
    }
    const double stoppedS = work.seconds();
    other.join();
    CHECK(stoppedS - raisedS < 0.1 * kSlowness);
  }
  CHECK(canceled >= 4);
}
