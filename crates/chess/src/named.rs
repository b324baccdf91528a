//! Macros for enums with named values, and for sums of counts.

/// Defines enums with one name per value, for messages, the command line and JSON.
#[macro_export]
macro_rules! named {
    ($($(#[$about:meta])* pub enum $type:ident { $($(#[$doc:meta])* $value:ident = $name:literal,)+ })+) => {$(
        $(#[$about])*
        pub enum $type {
            $($(#[$doc])* $value,)+
        }

        impl $type {
            /// Every value.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$value),+];

            /// Returns the name of the value.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name,)+
                }
            }

            /// Returns the value with this name. **Errors**: a message with what was `found` and a list of the names.
            pub fn of_name(name: &str, found: impl ::std::fmt::Display) -> Result<$type, String> {
                let value = $type::ALL.into_iter().find(|value| value.name() == name);
                value.ok_or_else(|| format!("found {found}, expected one of {}", $type::ALL.map($type::name).join(", ")))
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }
    )+};
}

/// Defines `add`, which adds another value's counts field by field. Forgetting a field is a compile error.
#[macro_export]
macro_rules! add_by_field {
    ($type:ident { $($field:ident),+ $(,)? }) => {
        impl $type {
            /// Adds the counts of another value to this one.
            pub fn add(&mut self, $type { $($field),+ }: &$type) {
                $(self.$field += $field;)+
            }
        }
    };
}
