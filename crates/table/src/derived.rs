//! What a state keeps beside what it says: copies of memory, and what follows from the rest.

use std::ops::{Deref, DerefMut};

/// What follows from the rest of a state and is kept only for speed: it is not compared, and is not to be saved
/// (`#[serde(skip)]`). Whoever reads a state back works it out anew.
#[derive(Debug, Default)]
pub struct Derived<T>(pub T);

impl<T: Clone> Clone for Derived<T> {
    fn clone(&self) -> Derived<T> {
        Derived(self.0.clone())
    }

    fn clone_from(&mut self, o: &Derived<T>) {
        self.0.clone_from(&o.0);
    }
}

impl<T> PartialEq for Derived<T> {
    fn eq(&self, _: &Derived<T>) -> bool {
        true
    }
}

impl<T> Eq for Derived<T> {}

impl<T> Deref for Derived<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Derived<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// Declares a struct whose copies go into the memory that is there: `Clone` with a `clone_from` that copies field by
/// field. A search copies positions by the thousand, and a derived `Clone` would ask for new memory each time.
///
/// ```
/// verst_table::copied! {
///     /// A state.
///     #[derive(Debug, PartialEq)]
///     pub struct State {
///         /// Steps by unit.
///         pub steps: Vec<u8>,
///         /// The turn.
///         pub turn: u8,
///     }
/// }
/// let from = State { steps: vec![2, 1], turn: 3 };
/// let mut to = State { steps: Vec::with_capacity(8), turn: 1 };
/// let memory = to.steps.as_ptr();
/// to.clone_from(&from);
/// assert_eq!(to, from);
/// assert_eq!(to.steps.as_ptr(), memory);
/// ```
#[macro_export]
macro_rules! copied {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty),* $(,)? }) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $type),*
        }

        impl Clone for $name {
            fn clone(&self) -> $name {
                $name { $($field: Clone::clone(&self.$field)),* }
            }

            fn clone_from(&mut self, o: &$name) {
                $(Clone::clone_from(&mut self.$field, &o.$field);)*
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_derived_makes_no_difference() {
        assert_eq!(Derived(1), Derived(2));
        let mut d = Derived(vec![1]);
        d.push(2);
        assert_eq!(*d, [1, 2]);
    }
}
