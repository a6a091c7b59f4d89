// SPDX-License-Identifier: Apache-2.0
#include "pipeline.hpp"

#include <utility>

namespace skein::tool {

pipeline::pipeline(std::vector<std::unique_ptr<stage>> stages, sink out) : sink_(std::move(out)) {
    for (auto& work : stages) {
        auto made = std::make_unique<step>();
        made->work = std::move(work);
        steps_.push_back(std::move(made));
    }
}

// Repeats a stage's call until nothing more comes, sending on each burst it puts out.
template <class Call>
void pipeline::drain(std::size_t index, stage_time now, Call&& call) {
    auto& here = *steps_[index];
    stage_state state{};
    do {
        state = call(*here.work, here.out);
        if (!here.out.empty()) enter(index + 1, here.out, now);
    } while (state == stage_state::more_to_come);
}

void pipeline::enter(std::size_t index, burst& in, stage_time now) {
    if (index == steps_.size()) {
        sink_(in);
    } else {
        drain(index, now, [&](stage& work, burst& out) { return work.process(in, out, now); });
    }
    in.clear();
}

void pipeline::expire(stage_time now) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        drain(i, now, [&](stage& work, burst& out) { return work.expire(out, now); });
    }
}

bool pipeline::relieve(stage_time now) {
    for (std::size_t i = steps_.size(); i-- > 0;) {
        bool relieved = false;
        drain(i, now, [&](stage& work, burst& out) {
            relieved = work.relieve(out, now);
            return stage_state::done;
        });
        if (relieved) return true;
    }
    return false;
}

void pipeline::finish(stage_time now) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        drain(i, now, [&](stage& work, burst& out) { return work.finish(out, now); });
    }
}

}  // namespace skein::tool
