#include "core/rhythm/beat_network.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/nn/conv.hpp"
#include "core/rhythm/mel_features.hpp"
#include "core/rhythm/weight_file.hpp"
#include "core/support/error.hpp"

namespace tonearm {

namespace {

using nn::Activation;
using nn::Convolution;
using nn::ConvolutionShape;
using nn::FeatureMap;

constexpr std::size_t kBands = MelFeatures::kBands;
constexpr std::size_t kFrontFrames =
    480;  // frames the front end runs over at a time; its maps stay in the cache
constexpr std::size_t kFrontContext = 4;  // frames that reach into a result of the front end on either side
constexpr std::size_t kDeepFrames =
    16384;  // frames the deep part runs over at a time, and its context besides

constexpr std::array<std::size_t, 8> kDilations = {1, 2, 4, 8, 16, 32, 64, 2};

class Weights {
 public:
  explicit Weights(std::span<const std::uint8_t> bytes) : tensors_(readWeights(bytes)) {}

  const Tensor& at(const std::string& name) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end())
      throw Error(ErrorCode::internalError, "The beat network's weights lack " + name + ".");
    return found->second;
  }

  // A convolution whose kernel (out, in[, bands], frames) is stored as `name`.weight, its bias as
  // `name`.bias.
  Convolution convolution(const std::string& name, Activation activation, std::size_t dilation = 1,
                          std::size_t bandStride = 1) const {
    const Tensor& weight = at(name + ".weight");
    const auto& d = weight.dimensions;
    if (d.size() < 3)
      throw Error(ErrorCode::internalError, "The beat network's " + name + " is no convolution.");
    // The deep-learning library's order is (out, in, frames, bands) in two dimensions: frames come first.
    const std::size_t frameTaps = d[2], bandTaps = d.size() == 4 ? d[3] : 1;
    std::vector<float> values(weight.values.size());
    std::size_t to = 0;
    for (std::size_t pair = 0; pair < std::size_t{d[0]} * d[1]; ++pair) {
      for (std::size_t band = 0; band < bandTaps; ++band) {
        for (std::size_t frame = 0; frame < frameTaps; ++frame)
          values[to++] = weight.values[(pair * frameTaps + frame) * bandTaps + band];
      }
    }
    ConvolutionShape shape;
    shape.inChannels = d[1];
    shape.outChannels = d[0];
    shape.bandTaps = bandTaps;
    shape.frameTaps = frameTaps;
    shape.dilation = dilation;
    shape.bandStride = bandStride;
    return Convolution(shape, values, at(name + ".bias").values, activation);
  }

 private:
  std::map<std::string, Tensor> tensors_;
};

void add(const FeatureMap& from, FeatureMap& to) {
  for (std::size_t i = 0; i < to.values.size(); ++i) to.values[i] += from.values[i];
}

// Onsets and timbre, at the rate of the features: (1, 64 bands, frames) to `width` channels.
class FrontEnd {
 public:
  explicit FrontEnd(const Weights& weights)
      : first_(weights.convolution("first", Activation::relu, 1, 3)),
        second_(weights.convolution("second", Activation::relu, 1, 4)),
        dense_(weights.convolution("dense", Activation::relu)),
        local_(weights.convolution("local", Activation::relu)) {}

  const FeatureMap& apply(const FeatureMap& features) {
    first_.apply(features, firstMap_);
    second_.apply(firstMap_, secondMap_);
    // What is left of the bands counts as channels from here on.
    secondMap_.channels *= secondMap_.bands;
    secondMap_.bands = 1;
    dense_.apply(secondMap_, denseMap_);
    local_.apply(denseMap_, localMap_);
    add(denseMap_, localMap_);
    return localMap_;
  }

 private:
  Convolution first_, second_, dense_, local_;
  FeatureMap firstMap_, secondMap_, denseMap_, localMap_;
};

// Tempo and metre, from wide context at a fraction of that rate, joined with the front end's output for exact
// places.
class DeepPart {
 public:
  explicit DeepPart(const Weights& weights)
      : down_(weights.convolution("down", Activation::relu)),
        up_(weights.convolution("up", Activation::relu)),
        join_(weights.convolution("join", Activation::relu)),
        out_(weights.convolution("out", Activation::none)) {
    for (std::size_t i = 0; i < kDilations.size(); ++i) {
      const std::string name = "blocks." + std::to_string(i);
      const std::size_t dilation = kDilations[i];
      wide_.push_back(weights.convolution(name + ".wide", Activation::relu, dilation));
      mix_.push_back(weights.convolution(name + ".mix", Activation::none));
      contextSteps_ += dilation * (weights.at(name + ".wide.weight").dimensions[2] / 2);
    }
    const std::size_t width = weights.at("local.bias").values.size();
    framesPerStep_ = weights.at("up.bias").values.size() / width;
  }

  // Frames that one step of the slow rate stands for.
  std::size_t framesPerStep() const { return framesPerStep_; }
  // Frames on either side that reach into a result.
  std::size_t contextFrames() const { return (contextSteps_ + 1) * framesPerStep_; }

  // `local`: (width, 1, frames), frames a multiple of framesPerStep().
  const FeatureMap& apply(const FeatureMap& local) {
    // Channel c of frame step · framesPerStep + j becomes channel c · framesPerStep + j of the step.
    const std::size_t steps = local.frames / framesPerStep_;
    stacked_.reshape(local.channels * framesPerStep_, 1, steps);
    for (std::size_t channel = 0; channel < local.channels; ++channel) {
      for (std::size_t j = 0; j < framesPerStep_; ++j) {
        const float* from = local.row(channel, 0) + j;
        float* to = stacked_.row(channel * framesPerStep_ + j, 0);
        for (std::size_t step = 0; step < steps; ++step) to[step] = from[step * framesPerStep_];
      }
    }
    down_.apply(stacked_, deep_);
    for (std::size_t i = 0; i < wide_.size(); ++i) {
      wide_[i].apply(deep_, inner_);
      mix_[i].apply(inner_, mixed_);
      add(mixed_, deep_);
    }
    nn::activate(Activation::relu, deep_.values);
    up_.apply(deep_, stacked_);
    // Both side by side, the slow one dealt out to its frames again.
    joined_.reshape(2 * local.channels, 1, local.frames);
    std::copy(local.values.begin(), local.values.end(), joined_.values.begin());
    for (std::size_t channel = 0; channel < local.channels; ++channel) {
      for (std::size_t j = 0; j < framesPerStep_; ++j) {
        const float* from = stacked_.row(channel * framesPerStep_ + j, 0);
        float* to = joined_.row(local.channels + channel, 0) + j;
        for (std::size_t step = 0; step < steps; ++step) to[step * framesPerStep_] = from[step];
      }
    }
    join_.apply(joined_, inner_);
    out_.apply(inner_, logits_);
    return logits_;
  }

 private:
  Convolution down_, up_, join_, out_;
  std::vector<Convolution> wide_, mix_;
  std::size_t framesPerStep_ = 1, contextSteps_ = 0;
  FeatureMap stacked_, deep_, inner_, mixed_, joined_, logits_;
};

}  // namespace

class BeatNetwork::Impl {
 public:
  explicit Impl(const Weights& weights) : front_(weights), deep_(weights) {}

  void push(std::span<const float> features, std::size_t frames) {
    for (std::size_t frame = 0; frame < frames; ++frame) {
      const float* row = features.data() + frame * kBands;
      rows_.insert(rows_.end(), row, row + kBands);
      ++frames_;
      if (frames_ - frontDone_ >= kFrontFrames + kFrontContext) runFront(frontDone_ + kFrontFrames);
      if (frontDone_ - deepDone_ >= kDeepFrames + deep_.contextFrames()) runDeep(deepDone_ + kDeepFrames);
    }
  }

  Activations finish() {
    const std::size_t total = frames_;
    // Silence fills the last step.
    while (frames_ % deep_.framesPerStep() != 0) {
      rows_.insert(rows_.end(), kBands, 0.0f);
      ++frames_;
    }
    if (frontDone_ < frames_) runFront(frames_);
    if (deepDone_ < frames_) runDeep(frames_);
    result_.beatLogOdds.resize(total);
    result_.downbeatLogOdds.resize(total);
    return std::move(result_);
  }

 private:
  // Runs the front end for frames frontDone_ … end − 1.
  void runFront(std::size_t end) {
    const std::size_t from = frontDone_ - std::min(frontDone_, kFrontContext);
    const std::size_t to = std::min(frames_, end + kFrontContext);
    input_.reshape(1, kBands, to - from);
    for (std::size_t frame = from; frame < to; ++frame) {
      const float* row = rows_.data() + (frame - rowsFrom_) * kBands;
      for (std::size_t band = 0; band < kBands; ++band) input_.row(0, band)[frame - from] = row[band];
    }
    const FeatureMap& local = front_.apply(input_);
    local_.resize(local.channels);
    for (std::size_t channel = 0; channel < local.channels; ++channel) {
      const float* values = local.row(channel, 0);
      local_[channel].insert(local_[channel].end(), values + (frontDone_ - from), values + (end - from));
    }
    frontDone_ = end;
    const std::size_t keepFrom = end - std::min(end, kFrontContext);
    rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>((keepFrom - rowsFrom_) * kBands));
    rowsFrom_ = keepFrom;
  }

  // Runs the deep part for frames deepDone_ … end − 1.
  void runDeep(std::size_t end) {
    const std::size_t context = deep_.contextFrames();
    const std::size_t from = deepDone_ - std::min(deepDone_, context),
                      to = std::min(frontDone_, end + context);
    FeatureMap piece(local_.size(), 1, to - from);
    for (std::size_t channel = 0; channel < local_.size(); ++channel)
      std::copy_n(local_[channel].data() + (from - localFrom_), to - from, piece.row(channel, 0));
    const FeatureMap& logits = deep_.apply(piece);
    for (std::size_t frame = deepDone_; frame < end; ++frame) {
      result_.beatLogOdds.push_back(logits.row(0, 0)[frame - from]);
      result_.downbeatLogOdds.push_back(logits.row(1, 0)[frame - from]);
    }
    deepDone_ = end;
    const std::size_t keepFrom = end - std::min(end, context);
    for (std::vector<float>& row : local_)
      row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(keepFrom - localFrom_));
    localFrom_ = keepFrom;
  }

  FrontEnd front_;
  DeepPart deep_;
  FeatureMap input_;
  std::vector<float> rows_;                // features from frame rowsFrom_ on
  std::vector<std::vector<float>> local_;  // the front end's output, a channel each, from frame localFrom_ on
  std::size_t frames_ = 0, rowsFrom_ = 0, localFrom_ = 0, frontDone_ = 0, deepDone_ = 0;
  Activations result_;
};

BeatNetwork::BeatNetwork(std::span<const std::uint8_t> weights)
    : impl_(std::make_unique<Impl>(Weights(weights))) {}
BeatNetwork::~BeatNetwork() = default;
void BeatNetwork::push(std::span<const float> features, std::size_t frames) {
  impl_->push(features, frames);
}
Activations BeatNetwork::finish() {
  return impl_->finish();
}

}  // namespace tonearm
