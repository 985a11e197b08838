//! What the visitors of syntax trees ([`crate::ast::visit`]) and of typed programs ([`crate::hir::visit`]) are made with.
//!
//! For each tree there are two visitors, one that reads and one that changes, and both go the same way. So the way
//! through each node is written down once, as the parts of the node in their order, and [`visitors!`] makes of it a method
//! and a function for either visitor. There are no wildcards on these ways: whoever adds a variant or a field to a tree is
//! told by the compiler to say there how it is visited.

/// Makes the traits `Visit` and (in a module `mutable`) `VisitMut`, and the functions with the default behaviour of their
/// methods.
///
/// What follows the parameters of a node is the way through it. It is compiled twice: once with a shared reference to the
/// node, once with a mutable one. What is taken out of the node by patterns is then a reference of the same sort.
macro_rules! visitors {
    (
        $(#[$about:meta])*
        |$visitor:ident|
        $(
            $(#[$doc:meta])*
            fn $visit:ident / $walk:ident ($node:ident: $Node:ty $(, $extra:ident: $Extra:ty)?) $body:block
        )*
    ) => {
        $(#[$about])*
        pub trait Visit<'t> {
            $(
                $(#[$doc])*
                fn $visit(&mut self, $node: &'t $Node $(, $extra: $Extra)?) {
                    $walk(self, $node $(, $extra)?);
                }
            )*
        }

        $(
            #[doc = concat!("What [`Visit::", stringify!($visit), "`] does by default: visits the parts.")]
            #[allow(unused_variables, reason = "leaves have no parts")]
            pub fn $walk<'t, V: Visit<'t> + ?Sized>(
                $visitor: &mut V,
                $node: &'t $Node
                $(, $extra: $Extra)?
            ) $body
        )*

        /// The visitor that may change what it visits.
        pub mod mutable {
            use super::*;

            $(#[$about])*
            pub trait VisitMut {
                $(
                    $(#[$doc])*
                    fn $visit(&mut self, $node: &mut $Node $(, $extra: $Extra)?) {
                        $walk(self, $node $(, $extra)?);
                    }
                )*
            }

            $(
                #[doc = concat!("What [`VisitMut::", stringify!($visit), "`] does by default: visits the parts.")]
                #[allow(unused_variables, reason = "leaves have no parts")]
                pub fn $walk<V: VisitMut + ?Sized>(
                    $visitor: &mut V,
                    $node: &mut $Node
                    $(, $extra: $Extra)?
                ) $body
            )*
        }
    };
}

/// Visits each element of a vector.
macro_rules! each {
    ($visitor:ident.$visit:ident($nodes:expr $(, $extra:expr)?)) => {
        for node in $nodes {
            $visitor.$visit(node $(, $extra)?);
        }
    };
}

/// Visits what there may be.
macro_rules! maybe {
    ($visitor:ident.$visit:ident($node:expr $(, $extra:expr)?)) => {
        if let Some(node) = $node {
            $visitor.$visit(node $(, $extra)?);
        }
    };
}

pub(crate) use {each, maybe, visitors};
