#include "core/codec/channel_roles.hpp"

namespace tonearm {

// ITU-R BS.1770-5, annex 1, table 4: weight 1.41 for positions between 60° and 120° to either side and below
// 30° of elevation. Where a layout has no side pair, its "back" pair is the ±110° surround pair of BS.775
// (5.1, 5.0, quad); beside a side pair (7.1) the back pair stands at ±135° and weighs 1.
std::vector<ChannelRole> channelRoles(const AVChannelLayout& layout) {
  const bool hasSides = av_channel_layout_index_from_channel(&layout, AV_CHAN_SIDE_LEFT) >= 0;
  std::vector<ChannelRole> roles;
  for (int i = 0; i < layout.nb_channels; ++i) {
    // A layout of unspecified order answers AV_CHAN_NONE here, which counts as main.
    switch (av_channel_layout_channel_from_index(&layout, static_cast<unsigned>(i))) {
      case AV_CHAN_LOW_FREQUENCY:
      case AV_CHAN_LOW_FREQUENCY_2:
        roles.push_back(ChannelRole::lowFrequency);
        break;
      case AV_CHAN_SIDE_LEFT:
      case AV_CHAN_SIDE_RIGHT:
      case AV_CHAN_WIDE_LEFT:
      case AV_CHAN_WIDE_RIGHT:
      case AV_CHAN_SURROUND_DIRECT_LEFT:
      case AV_CHAN_SURROUND_DIRECT_RIGHT:
        roles.push_back(ChannelRole::surround);
        break;
      case AV_CHAN_BACK_LEFT:
      case AV_CHAN_BACK_RIGHT:
        roles.push_back(hasSides ? ChannelRole::main : ChannelRole::surround);
        break;
      default:
        roles.push_back(ChannelRole::main);
    }
  }
  return roles;
}

}  // namespace tonearm
