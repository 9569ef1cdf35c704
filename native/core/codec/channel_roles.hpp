#pragma once

#include <vector>

#include "core/codec/libav.hpp"
#include "core/support/audio.hpp"

namespace tonearm {

// What each channel of `layout` counts for in BS.1770; as long as the layout has channels.
std::vector<ChannelRole> channelRoles(const AVChannelLayout& layout);

}  // namespace tonearm
