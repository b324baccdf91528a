//! Enums with named values.

/// Defines an enum whose values have the same names in code, on the command line and in JSON.
#[macro_export]
macro_rules! named {
    ($(#[$about:meta])* pub enum $type:ident { $($(#[$doc:meta])* $value:ident = $name:literal,)+ }) => {
        $(#[$about])*
        pub enum $type {
            $($(#[$doc])* $value,)+
        }

        impl $type {
            /// Every value.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$value),+];

            /// Returns its name.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name,)+
                }
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
