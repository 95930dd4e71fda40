//! The driver functions that the source of cuda-rt calls, and the public items that have driver functions as aliases.

use crate::Function;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::{Attribute, ImplItem, Item, TraitItem, Type, UseTree, Visibility};

/// The safe layer, as its source says.
pub(crate) struct SafeLayer {
    /// All identifiers of driver functions outside comments and generated tables.
    called: BTreeSet<String>,
    /// The paths of public items, by the names that they have as aliases.
    items: BTreeMap<String, BTreeSet<String>>,
}

impl SafeLayer {
    /// Reads the crate whose `lib.rs` lies in `folder`.
    pub(crate) fn read(folder: &Path) -> Self {
        let mut modules = BTreeMap::new();
        read_module(folder, &folder.join("lib.rs"), &[], &mut modules);
        let mut called = BTreeSet::new();
        for file in modules.values() {
            identifiers(file.tokens.clone(), &mut called);
        }
        let public = PublicPaths::of(&modules);
        let mut items = BTreeMap::new();
        for (path, file) in &modules {
            aliases_of_items(path, &file.items, &public, &mut items);
        }
        Self { called, items }
    }

    /// If cuda-rt calls a version of the function, and a public item has its name.
    pub(crate) fn reaches(&self, function: &Function) -> bool {
        function.versions.iter().any(|version| self.called.contains(version))
            && !self.items_of(function).is_empty()
    }

    /// The public items that wrap the function.
    pub(crate) fn items_of(&self, function: &Function) -> BTreeSet<&str> {
        let versions = function.versions.iter().filter_map(|version| self.items.get(version));
        versions.flatten().map(String::as_str).collect()
    }
}

/// A source file.
struct Source {
    tokens: TokenStream,
    items: Vec<Item>,
}

type Modules = BTreeMap<Vec<String>, Source>;

/// Parses a module and the modules that it declares in other files.
fn read_module(folder: &Path, place: &Path, path: &[String], modules: &mut Modules) {
    let text = std::fs::read_to_string(place).unwrap();
    let items = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", place.display())).items;
    for item in &items {
        let Item::Mod(module) = item else { continue };
        if module.content.is_some() || is_for_tests(&module.attrs) {
            continue;
        }
        let name = module.ident.to_string();
        let inner = [path, std::slice::from_ref(&name)].concat();
        let below: PathBuf = path.iter().fold(folder.to_path_buf(), |place, part| place.join(part));
        let (file, as_folder) = (below.join(format!("{name}.rs")), below.join(&name).join("mod.rs"));
        read_module(folder, if file.exists() { &file } else { &as_folder }, &inner, modules);
    }
    modules.insert(path.to_vec(), Source { tokens: text.parse().unwrap(), items });
}

/// Collects the names of driver functions, but not those that only name a function: `Symbol::cuInit`.
fn identifiers(tokens: TokenStream, found: &mut BTreeSet<String>) {
    let mut before = [String::new(), String::new(), String::new()];
    for token in tokens {
        let text = match token {
            TokenTree::Group(group) => {
                identifiers(group.stream(), found);
                String::new()
            }
            TokenTree::Ident(name) => {
                let name = name.to_string();
                if name.starts_with("cu") && before != ["Symbol", ":", ":"] {
                    found.insert(name.clone());
                }
                name
            }
            TokenTree::Punct(sign) => sign.to_string(),
            TokenTree::Literal(_) => String::new(),
        };
        before.rotate_left(1);
        before[2] = text;
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    conditions(attributes).any(|condition| condition == "test")
}

/// The documentation for other systems lacks the item, so nothing links to it.
fn is_for_windows(attributes: &[Attribute]) -> bool {
    conditions(attributes).any(|condition| condition == "windows")
}

/// Returns the conditions in the `#[cfg(…)]` attributes of an item.
fn conditions(attributes: &[Attribute]) -> impl Iterator<Item = String> {
    let of_cfg = attributes.iter().filter(|one| one.path().is_ident("cfg"));
    of_cfg.filter_map(|one| one.meta.require_list().ok().map(|list| list.tokens.to_string()))
}

/// The definition of an item: its module, and its name.
type Definition = (Vec<String>, String);

/// The shortest path under which a program can name an item.
struct PublicPaths(BTreeMap<Definition, String>);

impl PublicPaths {
    fn of(modules: &Modules) -> Self {
        let mut paths = Self(BTreeMap::new());
        paths.add_module(modules, &[], "crate");
        paths
    }

    fn add_module(&mut self, modules: &Modules, module: &[String], public: &str) {
        let Some(source) = modules.get(module) else { return };
        for item in &source.items {
            match item {
                // The page has no links to what only a feature brings: it must be right without.
                Item::Mod(inner) if is_public(&inner.vis) && conditions(&inner.attrs).next().is_none() => {
                    let name = inner.ident.to_string();
                    self.add_module(
                        modules,
                        &[module, std::slice::from_ref(&name)].concat(),
                        &format!("{public}::{name}"),
                    );
                }
                Item::Use(import) if is_public(&import.vis) => {
                    for (name, target) in imports(&import.tree, Vec::new()) {
                        if let Some(definition) = resolve(modules, module, &target) {
                            self.add(definition, format!("{public}::{name}"));
                        }
                    }
                }
                item => {
                    if let Some((name, Visibility::Public(_))) = named(item) {
                        self.add((module.to_vec(), name.clone()), format!("{public}::{name}"));
                    }
                }
            }
        }
    }

    fn add(&mut self, definition: Definition, public: String) {
        let known = self.0.entry(definition).or_insert_with(|| public.clone());
        if public.len() < known.len() {
            *known = public;
        }
    }

    /// The path of a type that a module names.
    fn of_type(&self, module: &[String], name: &str) -> Option<&String> {
        let here = self.0.get(&(module.to_vec(), name.to_owned()));
        here.or_else(|| {
            let mut of_that_name = self.0.iter().filter(|((_, one), _)| one == name);
            let only = of_that_name.next()?;
            of_that_name.next().is_none().then_some(only.1)
        })
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The name of an item that can be linked to, and its visibility.
fn named(item: &Item) -> Option<(String, &Visibility)> {
    let (name, visibility) = match item {
        Item::Struct(item) => (&item.ident, &item.vis),
        Item::Enum(item) => (&item.ident, &item.vis),
        Item::Union(item) => (&item.ident, &item.vis),
        Item::Trait(item) => (&item.ident, &item.vis),
        Item::Type(item) => (&item.ident, &item.vis),
        Item::Const(item) => (&item.ident, &item.vis),
        Item::Fn(item) => (&item.sig.ident, &item.vis),
        _ => return None,
    };
    Some((name.to_string(), visibility))
}

/// The names that a `use` makes, each with the path that it stands for.
fn imports(tree: &UseTree, before: Vec<String>) -> Vec<(String, Vec<String>)> {
    let with = |name: &syn::Ident| [before.clone(), vec![name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => imports(&path.tree, with(&path.ident)),
        UseTree::Name(name) => vec![(name.ident.to_string(), with(&name.ident))],
        UseTree::Rename(name) => vec![(name.rename.to_string(), with(&name.ident))],
        UseTree::Group(group) => group.items.iter().flat_map(|one| imports(one, before.clone())).collect(),
        UseTree::Glob(_) => Vec::new(),
    }
}

/// The definition that a path means in a module, through all `use`s on the way.
fn resolve(modules: &Modules, module: &[String], path: &[String]) -> Option<Definition> {
    let (name, place) = path.split_last()?;
    let mut at = module.to_vec();
    for part in place {
        match part.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => {
                at.pop();
            }
            inner => at.push(inner.to_owned()),
        }
        if !modules.contains_key(&at) {
            return None; // another crate
        }
    }
    let source = &modules[&at];
    let mut uses = source.items.iter().filter_map(|item| match item {
        Item::Use(import) => imports(&import.tree, Vec::new()).into_iter().find(|(one, _)| one == name),
        _ => None,
    });
    let further = uses.find(|(_, target)| (&at[..], target.as_slice()) != (module, path));
    match further {
        Some((_, target)) => resolve(modules, &at, &target),
        None => Some((at, name.clone())),
    }
}

/// Notes the aliases of the public items of a module.
fn aliases_of_items(
    module: &[String],
    items: &[Item],
    public: &PublicPaths,
    found: &mut BTreeMap<String, BTreeSet<String>>,
) {
    let mut note = |attributes: &[Attribute], path: String| {
        for alias in attributes.iter().flat_map(aliases) {
            found.entry(alias).or_default().insert(path.clone());
        }
    };
    for item in items {
        match item {
            Item::Impl(block) => {
                let Type::Path(of) = &*block.self_ty else { continue };
                let Some(name) = of.path.segments.last().map(|part| part.ident.to_string()) else { continue };
                let Some(owner) = public.of_type(module, &name) else { continue };
                for one in &block.items {
                    match one {
                        ImplItem::Fn(function)
                            if is_public(&function.vis) && !is_for_windows(&function.attrs) =>
                        {
                            note(&function.attrs, format!("{owner}::{}", function.sig.ident));
                        }
                        _ => {}
                    }
                }
            }
            Item::Trait(block) => {
                let Some(owner) = public.of_type(module, &block.ident.to_string()) else { continue };
                note(&block.attrs, owner.clone());
                for one in &block.items {
                    if let TraitItem::Fn(function) = one {
                        note(&function.attrs, format!("{owner}::{}", function.sig.ident));
                    }
                }
            }
            item => {
                let Some((name, _)) = named(item) else { continue };
                let Some(path) = public.of_type(module, &name) else { continue };
                note(attributes_of(item), path.clone());
                let Item::Enum(choices) = item else { continue };
                for variant in &choices.variants {
                    note(&variant.attrs, format!("{path}::{}", variant.ident));
                }
            }
        }
    }
}

fn attributes_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        _ => &[],
    }
}

/// The names in `#[doc(alias = "…")]` and `#[doc(alias("…", "…"))]`.
fn aliases(attribute: &Attribute) -> Vec<String> {
    let Ok(list) = attribute.meta.require_list() else { return Vec::new() };
    let text = list.tokens.to_string();
    if !list.path.is_ident("doc") || !text.starts_with("alias") {
        return Vec::new();
    }
    text.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}
