// SPDX-License-Identifier: Apache-2.0
// Things that are costly to make, lent to whoever needs one for a while: made when none is free, and given back by themselves.
// Thread-safety: borrow() from any thread; what is borrowed belongs to one.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace plenum {

template <typename T>
class ObjectPool {
 public:
  explicit ObjectPool(std::function<std::unique_ptr<T>()> make) : make_(std::move(make)) {}

  struct Return {
    ObjectPool* owner;
    void operator()(T* lent) const {
      const std::lock_guard<std::mutex> lock(owner->mutex_);
      owner->free_.emplace_back(lent);
    }
  };
  using Borrowed = std::unique_ptr<T, Return>;  // outlived by the pool

  Borrowed borrow() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) {
      free_.reserve(made_ + 1);  // giving back, which must not fail, then takes no memory
      std::unique_ptr<T> one = make_();
      ++made_;
      return {one.release(), Return{this}};
    }
    std::unique_ptr<T> last = std::move(free_.back());
    free_.pop_back();
    return {last.release(), Return{this}};
  }

 private:
  std::function<std::unique_ptr<T>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
  std::size_t made_ = 0;
};

}  // namespace plenum
