// A list that is always in order, for lookups by key. Small enough for the headers.
#pragma once

#include <cstddef>
#include <vector>

namespace store {

/// Values in ascending order of `Key{}(value)`, one for each key.
template <typename Value, typename Key>
class SortedList {
public:
    /// Put `value` in at its place.
    ///
    /// Returns true when it was inserted. When the list holds a value with an equal key already, nothing changes and
    /// the result is false.
    bool insert(const Value &value)
    {
        std::size_t place = lower_bound(Key{}(value));
        if (place < values_.size() && !(Key{}(value) < Key{}(values_[place])))
            return false;
        values_.insert(values_.begin() + static_cast<std::ptrdiff_t>(place), value);
        return true;
    }

    /// The value with this key, or nullptr.
    template <typename K>
    const Value *find(const K &key) const
    {
        std::size_t place = lower_bound(key);
        if (place == values_.size() || key < Key{}(values_[place]))
            return nullptr;
        return &values_[place];
    }

    template <typename K>
    Value *find(const K &key)
    {
        return const_cast<Value *>(static_cast<const SortedList *>(this)->find(key));
    }

    /// Take the value with this key out. Returns whether there was one.
    template <typename K>
    bool erase(const K &key)
    {
        std::size_t place = lower_bound(key);
        if (place == values_.size() || key < Key{}(values_[place]))
            return false;
        values_.erase(values_.begin() + static_cast<std::ptrdiff_t>(place));
        return true;
    }

    std::size_t size() const { return values_.size(); }
    bool empty() const { return values_.empty(); }
    auto begin() const { return values_.begin(); }
    auto end() const { return values_.end(); }

private:
    /// The place of the first value whose key is not less than `key`, by halving.
    template <typename K>
    std::size_t lower_bound(const K &key) const
    {
        std::size_t low = 0;
        std::size_t high = values_.size();
        while (low < high) {
            std::size_t middle = low + (high - low) / 2;
            if (Key{}(values_[middle]) < key)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    std::vector<Value> values_;
};

} // namespace store
