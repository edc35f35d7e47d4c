// src/store/sorted_list.hpp: store::SortedList::lower_bound
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
