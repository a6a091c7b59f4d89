// SPDX-License-Identifier: Apache-2.0
// SKEIN_EXPORT marks what a skein library offers to others; everything else stays hidden.
#pragma once

#define SKEIN_EXPORT [[gnu::visibility("default")]]
