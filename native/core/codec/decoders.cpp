#include "core/codec/decoders.hpp"

#include <array>

namespace tonearm {

namespace {

struct Allowed {
  AVCodecID codec;
  const char* decoder;
};

constexpr auto kAllowed = std::to_array<Allowed>({
    {AV_CODEC_ID_MP3, "mp3float"},        {AV_CODEC_ID_AAC, "aac"},
    {AV_CODEC_ID_ALAC, "alac"},           {AV_CODEC_ID_FLAC, "flac"},
    {AV_CODEC_ID_VORBIS, "vorbis"},       {AV_CODEC_ID_OPUS, "opus"},
    {AV_CODEC_ID_WMAV1, "wmav1"},         {AV_CODEC_ID_WMAV2, "wmav2"},
    {AV_CODEC_ID_WMAPRO, "wmapro"},       {AV_CODEC_ID_WMALOSSLESS, "wmalossless"},
    {AV_CODEC_ID_PCM_U8, "pcm_u8"},       {AV_CODEC_ID_PCM_S8, "pcm_s8"},
    {AV_CODEC_ID_PCM_S16LE, "pcm_s16le"}, {AV_CODEC_ID_PCM_S16BE, "pcm_s16be"},
    {AV_CODEC_ID_PCM_S24LE, "pcm_s24le"}, {AV_CODEC_ID_PCM_S24BE, "pcm_s24be"},
    {AV_CODEC_ID_PCM_S32LE, "pcm_s32le"}, {AV_CODEC_ID_PCM_S32BE, "pcm_s32be"},
    {AV_CODEC_ID_PCM_S64LE, "pcm_s64le"}, {AV_CODEC_ID_PCM_S64BE, "pcm_s64be"},
    {AV_CODEC_ID_PCM_F32LE, "pcm_f32le"}, {AV_CODEC_ID_PCM_F32BE, "pcm_f32be"},
    {AV_CODEC_ID_PCM_F64LE, "pcm_f64le"}, {AV_CODEC_ID_PCM_F64BE, "pcm_f64be"},
    {AV_CODEC_ID_PCM_ALAW, "pcm_alaw"},   {AV_CODEC_ID_PCM_MULAW, "pcm_mulaw"},
});

}  // namespace

const AVCodec* allowedDecoder(AVCodecID codec) {
  for (const Allowed& allowed : kAllowed)
    if (allowed.codec == codec) return avcodec_find_decoder_by_name(allowed.decoder);
  return nullptr;
}

const std::string& allowedDecoderNames() {
  static const std::string names = [] {
    std::string joined;
    for (const Allowed& allowed : kAllowed) {
      if (!joined.empty()) joined += ',';
      joined += allowed.decoder;
    }
    return joined;
  }();
  return names;
}

bool isLossless(AVCodecID codec) {
  return codec == AV_CODEC_ID_FLAC || codec == AV_CODEC_ID_ALAC || codec == AV_CODEC_ID_WMALOSSLESS;
}

}  // namespace tonearm
