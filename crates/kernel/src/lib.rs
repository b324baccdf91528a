//! The project's macros: `#[kernel]` compiles a function once per SIMD level at which it is called,
//! [`macro@inline_all`] inlines all methods of a type into kernels, [`macro@document`] derives what a type in a JSON
//! document needs, and [`opt_level!`] returns the optimisation level, for records of measurements.
//!
//! A function that is generic over the level cannot be passed as a value, so a `Kernel` is a type with a generic
//! method. `#[kernel]` generates that type from a plain function:
//!
//! ```text
//! #[kernel(common_only = G::COMMON_ONLY)]
//! fn count<L: Token, G: Game>(level: L, game: &G) -> u64 { … }
//!
//! becomes
//!
//! #[inline(always)]
//! fn count<G: Game>(level: impl Caller, game: &G) -> u64 {
//!     struct __Task<'k, G: Game> { game: &'k G }
//!     impl<'k, G: Game> Kernel for __Task<'k, G> {
//!         type Output = u64;
//!         const COMMON_ONLY: bool = G::COMMON_ONLY;
//!         #[inline(always)]
//!         fn run<L: Token>(self, level: L) -> u64 { let Self { game } = self; … }
//!     }
//!     Caller::call(level, __Task::<G> { game })
//! }
//! ```
//!
//! A `macro_rules!` macro could do the same, but rustfmt does not format the input of such a macro. `syn` is not used,
//! because every other crate waits for this one to compile.

#![forbid(unsafe_code)]

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// The expansion of a kernel. Words in capitals are placeholders.
const TEMPLATE: &str = "
    #[inline(always)]
    HEAD<GENERICS>(level: impl ::perft_gate_simd::Caller, INPUTS) -> RESULT {
        struct __Task<LIFETIMES GENERICS> { FIELDS }
        impl<LIFETIMES GENERICS> ::perft_gate_simd::Kernel for __Task<LIFETIMES ARGUMENTS> {
            type Output = RESULT;
            const COMMON_ONLY: bool = COMMON;
            #[inline(always)]
            fn run<LEVEL_TYPE>(self, LEVEL) -> RESULT {
                let Self { PATTERNS } = self;
                BODY
            }
        }
        ::perft_gate_simd::Caller::call(level, __Task::<ARGUMENTS> { NAMES })
    }";

/// The second function that `inlined` adds, for callers that inline it.
const INLINED: &str = "
    #[inline(always)]
    fn NAME<LEVEL_TYPE, GENERICS>(LEVEL, INPUTS) -> RESULT { BODY }";

/// Compiles a function once for each level, separately from its callers.
///
/// The first generic parameter is the level's type, and the first parameter is the level. A caller passes a `Level` or,
/// in code compiled for a level, the token of that level. The other generic parameters are types and constants, without
/// a `where` clause. `common_only` sets `Kernel::COMMON_ONLY`. `inlined` names a second function with the same body,
/// for inlining into its caller.
#[proc_macro_attribute]
pub fn kernel(options: TokenStream, function: TokenStream) -> TokenStream {
    let mut tokens = function.into_iter();
    let head = tokens.by_ref().take_while(|token| !is(token, '<')).collect();
    let mut depth = 1;
    let generics = tokens.by_ref().take_while(|token| {
        depth += i32::from(is(token, '<')) - i32::from(is(token, '>'));
        depth > 0
    });
    let mut generics = split(generics.collect()).into_iter();
    let Some(TokenTree::Group(parameters)) = tokens.next() else { panic!("expected the parameters of a function") };
    let mut parameters = split(parameters.stream()).into_iter();
    let (level_type, level) = (generics.next().expect("the level's type"), parameters.next().expect("the level"));

    // The rest is an optional `->` with a type, then the body.
    let mut result: Vec<_> = tokens.collect();
    let body = TokenStream::from(result.pop().expect("the body of a function"));
    let result = if result.is_empty() { parse("()") } else { result.drain(2..).collect() };

    let [mut lifetimes, mut inputs, mut fields, mut patterns, mut names, mut arguments] = [const { Vec::new() }; 6];
    for parameter in parameters {
        let colon = parameter.iter().position(|token| is(token, ':')).expect("a name and a type");
        let (pattern, typed) = parameter.split_at(colon);
        // Drop a `mut` before the name.
        let name = &pattern[pattern.len() - 1..];
        inputs.push([name, typed].concat());
        fields.push([name, &with_lifetimes(typed.iter().cloned().collect(), &mut lifetimes)].concat());
        patterns.push(pattern.to_vec());
        names.push(name.to_vec());
    }
    let generics: Vec<_> = generics.collect();
    for generic in &generics {
        let name = generic.split(|token| is(token, ':')).next().unwrap_or_default();
        arguments.push(name[name.len() - 1..].to_vec());
    }
    // The options are empty, or a name, `=` and a value.
    let mut options = options.into_iter();
    let option = options.next().map_or(String::new(), |name| name.to_string());
    let value: TokenStream = options.skip(1).collect();
    let (common, inlined) = match &option[..] {
        "common_only" => (value, None),
        "inlined" => (parse("false"), Some(value)),
        "" => (parse("false"), None),
        other => panic!("found {other}, expected common_only or inlined"),
    };
    let parts = [
        ("HEAD", head),
        ("GENERICS", join_with_commas(generics)),
        ("INPUTS", join_with_commas(inputs)),
        ("RESULT", result),
        ("LIFETIMES", join_with_commas(lifetimes)),
        ("FIELDS", join_with_commas(fields)),
        ("ARGUMENTS", join_with_commas(arguments)),
        ("COMMON", common),
        ("LEVEL_TYPE", level_type.into_iter().collect()),
        ("LEVEL", level.into_iter().collect()),
        ("PATTERNS", join_with_commas(patterns)),
        ("BODY", body),
        ("NAMES", join_with_commas(names)),
    ];
    let mut functions = fill(parse(TEMPLATE), &parts);
    if let Some(name) = inlined {
        let parts = [&[("NAME", name)][..], &parts].concat();
        functions.extend(fill(parse(INLINED), &parts));
    }
    functions
}

/// Adds `#[inline(always)]` to each function of an `impl` or a trait that has a body and no `inline` attribute.
#[proc_macro_attribute]
pub fn inline_all(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut tokens: Vec<_> = item.into_iter().collect();
    let Some(TokenTree::Group(body)) = tokens.pop() else { panic!("expected the body of an impl or a trait") };
    let body: Vec<_> = body.stream().into_iter().collect();
    let is_brace =
        |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let is_inline =
        |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.to_string().starts_with("[inline"));
    let functions = body.split_inclusive(|token| is(token, ';') || is_brace(token)).flat_map(|function| {
        let has_body = function.iter().any(|token| token.to_string() == "fn") && function.last().is_some_and(is_brace);
        let needed = has_body && !function.iter().any(is_inline);
        let attribute = parse(if needed { "#[inline(always)]" } else { "" });
        attribute.into_iter().chain(function.iter().cloned())
    });
    tokens.push(Group::new(Delimiter::Brace, functions.collect()).into());
    tokens.into_iter().collect()
}

/// Derives the listed traits for a type that is written as JSON. With the `schema` feature, it also derives the type's
/// JSON schema. `Serialize` is derived if it is listed, or if the `serde` feature is enabled.
///
/// Fields of type `u128`, `Option<u128>` and `Vec<u128>` are written as decimal strings. The list may also contain:
/// - `decimal`: fields of type `u64`, `Option<u64>` and `Vec<u64>` are written as decimal strings, too.
/// - `kebab`: the values of an enum are written in kebab case.
/// - `nonnegative`: in the schema, fields of type `f64` and `Option<f64>` are at least 0.
/// - `sparse`: fields that are `None` are left out.
#[proc_macro_attribute]
pub fn document(traits: TokenStream, item: TokenStream) -> TokenStream {
    const WORDS: [&str; 4] = ["decimal", "kebab", "nonnegative", "sparse"];
    let (words, traits): (Vec<_>, Vec<_>) =
        split(traits).into_iter().partition(|part| WORDS.contains(&&*part[0].to_string()));
    let has_word = |word: &str| words.iter().any(|part| part[0].to_string() == word);
    let traits = join_with_commas(traits).to_string();
    let has_serde = traits.contains("Serialize");
    let of_serde = |attribute: &str| match has_serde {
        true => format!("#[{attribute}]"),
        false => format!("#[cfg_attr(feature = \"serde\", {attribute})]"),
    };
    let mut tokens: Vec<_> = item.into_iter().collect();
    if let Some(TokenTree::Group(fields)) = tokens.pop_if(|last| matches!(last, TokenTree::Group(_))) {
        let fields = split(fields.stream()).into_iter().map(|field| {
            let typed: String =
                field.iter().skip_while(|token| !is(token, ':')).skip(1).map(ToString::to_string).collect();
            let typed = if has_word("decimal") { typed.replace("u64", "u128") } else { typed };
            let serde = |rule: &str| of_serde(&format!("serde({rule})"));
            let minimum = "#[cfg_attr(feature = \"schema\", schemars(range(min = 0)))]".to_string();
            let rules = [
                (typed == "u128", serde("with = \"perft_gate_chess::json::Decimal\"")),
                (typed == "Option<u128>", serde("with = \"perft_gate_chess::json::OptionalDecimal\"")),
                (typed == "Vec<u128>", serde("with = \"perft_gate_chess::json::DecimalList\"")),
                (has_word("nonnegative") && ["f64", "Option<f64>"].contains(&&*typed), minimum),
                (
                    has_word("sparse") && typed.starts_with("Option<"),
                    serde("skip_serializing_if = \"Option::is_none\""),
                ),
            ];
            let rules = rules.iter().filter(|(applies, _)| *applies);
            rules.flat_map(|(_, rule)| parse(rule)).chain(field).collect()
        });
        tokens.push(Group::new(Delimiter::Brace, join_with_commas(fields.collect())).into());
    }
    let mut attributes = format!("#[derive({traits})] #[cfg_attr(feature = \"schema\", derive(schemars::JsonSchema))]");
    if !has_serde {
        attributes += &of_serde("derive(serde::Serialize)");
    }
    if has_word("kebab") {
        attributes += &of_serde("serde(rename_all = \"kebab-case\")");
    }
    parse(&attributes).into_iter().chain(tokens).collect()
}

/// The optimisation level of the calling crate, as text: 0 to 3, s or z.
#[proc_macro]
pub fn opt_level(_: TokenStream) -> TokenStream {
    // This runs inside the compiler, whose last `opt-level` option wins. Cargo omits the option for level 0.
    let mut options = std::env::args().filter_map(|option| Some(option.split_once("opt-level=")?.1.to_string()));
    parse(&format!("{:?}", options.next_back().unwrap_or("0".into())))
}

fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn parse(text: &str) -> TokenStream {
    text.parse().expect("tokens")
}

/// Splits a list at its commas, except those between angle brackets.
fn split(list: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut depth = 0;
    let tokens: Vec<_> = list.into_iter().collect();
    let parts = tokens.split(|token| {
        depth += i32::from(is(token, '<')) - i32::from(is(token, '>'));
        depth == 0 && is(token, ',')
    });
    parts.filter(|part| !part.is_empty()).map(<[_]>::to_vec).collect()
}

/// Returns a list with a comma after each part.
fn join_with_commas(parts: Vec<Vec<TokenTree>>) -> TokenStream {
    parts.into_iter().flat_map(|part| part.into_iter().chain(parse(","))).collect()
}

/// Names the elided lifetimes in a type, with one name for all references and a different name for each `'_`.
fn with_lifetimes(typed: TokenStream, lifetimes: &mut Vec<Vec<TokenTree>>) -> Vec<TokenTree> {
    let mut named = Vec::new();
    let mut tokens = typed.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let name = match token {
            TokenTree::Group(group) => {
                let inner = with_lifetimes(group.stream(), lifetimes).into_iter().collect();
                named.push(Group::new(group.delimiter(), inner).into());
                continue;
            }
            quote if is(&quote, '\'') && tokens.next_if(|next| next.to_string() == "_").is_some() => {
                format!("'k{}", lifetimes.len())
            }
            other => {
                let is_unnamed = is(&other, '&') && !tokens.peek().is_some_and(|next| is(next, '\''));
                named.push(other);
                if !is_unnamed {
                    continue;
                }
                "'k".into()
            }
        };
        let lifetime: Vec<_> = parse(&name).into_iter().collect();
        named.extend(lifetime.clone());
        if !lifetimes.iter().any(|known| known[1].to_string() == name[1..]) {
            lifetimes.push(lifetime);
        }
    }
    named
}

/// Replaces the placeholders in a template with the given parts.
fn fill(template: TokenStream, parts: &[(&str, TokenStream)]) -> TokenStream {
    let filled = template.into_iter().map(|token| match token {
        TokenTree::Group(group) => TokenTree::from(Group::new(group.delimiter(), fill(group.stream(), parts))).into(),
        token => match parts.iter().find(|(name, _)| token.to_string() == *name) {
            Some((_, part)) => part.clone(),
            None => token.into(),
        },
    });
    filled.collect()
}
