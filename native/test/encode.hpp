#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// Fixtures: real files of every format, made in memory by FFmpeg's encoders and muxers. For tests only.
namespace fixture {

using Planar = std::vector<std::vector<float>>;  // one vector a channel, all of one length

struct Encoding {
  // Muxer: wav, w64, aiff, flac, mp3, ipod (M4A), mp4, mov, adts, ogg, opus, asf.
  std::string container = "wav";
  // Encoder: pcm_*, flac, alac, libmp3lame, aac, libvorbis, libopus, wmav1, wmav2.
  std::string codec = "pcm_s16le";
  int sampleRateHz = 44100;
  int bitRate = 0;                             // bit/s; 0 leaves the encoder's default
  std::string layout = "";                     // e.g. "5.1(side)"; empty: the default of the channel count
  std::map<std::string, std::string> options;  // of the muxer, e.g. {"movflags", "faststart"}
  std::string sampleFormat = "";               // e.g. "s32" for 24-bit FLAC; empty: the encoder's first
};

// Throws std::runtime_error when the encoder refuses the parameters.
std::vector<std::uint8_t> encode(const Planar& audio, const Encoding& encoding);

// `seconds` of a sine in every channel, each channel a semitone above the one before, at `amplitude`.
Planar sines(double seconds, int sampleRateHz, int channels = 2, double frequencyHz = 440,
             double amplitude = 0.5);

// The same, by sample count.
Planar sinesOf(std::size_t frames, int sampleRateHz, int channels = 2, double frequencyHz = 440,
               double amplitude = 0.5);

}  // namespace fixture
