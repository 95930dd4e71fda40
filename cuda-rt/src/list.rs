//! Lists that are cheap to compile.

/// Collects the items of an iterator. `Iterator::collect` does the same, and costs about 500 lines of LLVM IR for each iterator
/// instead of 100. These methods do not ask the iterator for its length, because that takes a third of the lines.
pub(crate) trait CollectVec: Iterator + Sized {
    fn collect_vec(self) -> Vec<Self::Item> {
        let mut list = Vec::new();
        for item in self {
            list.push(item);
        }
        list
    }

    /// Returns the first error instead, if there is one.
    fn try_collect_vec<T, E>(self) -> Result<Vec<T>, E>
    where
        Self: Iterator<Item = Result<T, E>>,
    {
        let mut list = Vec::new();
        for item in self {
            list.push(item?);
        }
        Ok(list)
    }
}

impl<I: Iterator> CollectVec for I {}
