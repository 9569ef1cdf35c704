{
  "variables": {
    "core_sources": [
      "native/core/codec/channel_roles.cpp",
      "native/core/codec/declared_length.cpp",
      "native/core/codec/decoder.cpp",
      "native/core/codec/decoders.cpp",
      "native/core/codec/demuxer.cpp",
      "native/core/codec/frame_reader.cpp",
      "native/core/codec/libav.cpp",
      "native/core/codec/libraries.cpp",
      "native/core/codec/memory_input.cpp",
      "native/core/codec/mp4_edit.cpp",
      "native/core/codec/mpeg_frame.cpp",
      "native/core/codec/planar_frames.cpp",
      "native/core/codec/sample_check.cpp",
      "native/core/codec/sniff.cpp",
      "native/core/dsp/analysis_signal.cpp",
      "native/core/dsp/fft.cpp",
      "native/core/dsp/half_band.cpp",
      "native/core/dsp/kaiser.cpp",
      "native/core/dsp/mel.cpp",
      "native/core/dsp/polyphase.cpp",
      "native/core/dsp/resampler.cpp",
      "native/core/dsp/stft.cpp",
      "native/core/dsp/stft_tables.cpp",
      "native/core/loudness/gate.cpp",
      "native/core/loudness/k_weighting.cpp",
      "native/core/loudness/loudness.cpp",
      "native/core/loudness/loudness_windows.cpp",
      "native/core/loudness/sliding_sum.cpp",
      "native/core/loudness/true_peak.cpp",
      "native/core/nn/conv.cpp",
      "native/core/pipeline/pipeline.cpp",
      "native/core/rhythm/bar_decoder.cpp",
      "native/core/rhythm/beat_decoder.cpp",
      "native/core/rhythm/mel_features.cpp",
      "native/core/rhythm/onset_strength.cpp",
      "native/core/rhythm/rhythm.cpp",
      "native/core/rhythm/subdivision.cpp",
      "native/core/rhythm/tempo_choice.cpp",
      "native/core/rhythm/tempo_curve.cpp",
      "native/core/rhythm/tempo_space.cpp",
      "native/core/simd/kernels.cpp",
      "native/core/simd/kernels_generic.cpp",
      "native/core/support/error.cpp"
    ],
    "core_avx2_sources": [
      "native/core/simd/kernels_avx2.cpp"
    ],
    "core_avx512_sources": [
      "native/core/simd/kernels_avx512.cpp"
    ],
    "core_neon_sources": [
      "native/core/simd/kernels_neon.cpp"
    ],
    "binding_sources": [
      "native/binding/addon.cpp",
      "native/binding/analyze.cpp",
      "native/binding/audio.cpp",
      "native/binding/info.cpp",
      "native/binding/key.cpp",
      "native/binding/loudness.cpp",
      "native/binding/rhythm.cpp"
    ]
  }
}
