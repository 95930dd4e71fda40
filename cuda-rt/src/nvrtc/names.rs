//! Names of kernels, in the source and mangled.

/// Returns the names of the kernels of a PTX text, in its order.
pub(super) fn kernels(ptx: &str) -> Box<[Box<str>]> {
    let mut found = Vec::new();
    for line in ptx.lines() {
        // NVRTC begins a line for each: `.visible .entry name(`.
        let Some((before, rest)) = line.split_once(".entry ") else { continue };
        if before.split_whitespace().all(|word| word.starts_with('.')) {
            let name = rest.trim_start().split(|c: char| c == '(' || c.is_whitespace()).next();
            found.extend(name.filter(|name| !name.is_empty()).map(Box::from));
        }
    }
    found.into()
}

/// Returns whether a mangled name is that of a function with this name in the source: `_Z3addPfS_i` of `add`. C++ writes the
/// parts of a name after their lengths.
fn is_mangled(mangled: &str, name: &str) -> bool {
    mangled.starts_with("_Z") && !name.is_empty() && mangled.contains(&format!("{}{name}", name.len()))
}

/// Returns the name without its namespaces and template arguments.
fn base(name: &str) -> &str {
    let name = name.trim().trim_start_matches('&');
    let name = name.split('<').next().unwrap_or(name).trim_end();
    name.rsplit("::").next().unwrap_or(name)
}

/// Largest number of names in a text.
const SHOWN: usize = 8;

/// Returns names in quotation marks, and the number of further names.
fn list(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Returns the reason why a name was not found, and advice, for an error's text.
pub(super) fn explanation(name: &str, kernels: &[Box<str>]) -> String {
    let kernels: Vec<&str> = kernels.iter().map(|kernel| &**kernel).collect();
    let mangled: Vec<&str> =
        kernels.iter().copied().filter(|kernel| is_mangled(kernel, base(name))).collect();
    match mangled[..] {
        [] => {}
        [one] => {
            return format!(
                ". C++ mangles names, and `{one}` may be the one: add `{name}` to the program by \
                 `Program::name_expression`, or declare the kernel extern \"C\", or look `{one}` up"
            );
        }
        [first, ..] => {
            return format!(
                ". C++ mangles names, and there are several that it may be: {}. Look one of these up as it is, such as \
                 `{first}`; or add the instance of a template that is meant, such as `{}<float>`, to the program by \
                 `Program::name_expression`, and look that up",
                list(&mangled),
                base(name)
            );
        }
    }
    if kernels.is_empty() {
        return ". There is no kernel in the program. A __device__ function is not a kernel: declare it __global__. A \
                template becomes a kernel only through an instance: add one such as `name<float>` by \
                `Program::name_expression`"
            .to_owned();
    }
    format!(
        ". The kernels are {}: look one of these up. A __device__ function is not a kernel. A template becomes a kernel only \
         through an instance that `Program::name_expression` names",
        list(&kernels)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_read_out_of_ptx() {
        let ptx = ".version 8.0\n.visible .entry add(\n.param .u64 a)\n{ ret; }\n.entry  _Z1kv ()\n{\n\
                   // nothing .entry comment(\n.func f() { ret; }\n.weak .entry w(\n";
        let names: Vec<_> = kernels(ptx).iter().map(ToString::to_string).collect();
        assert_eq!(names, ["add", "_Z1kv", "w"]);
        assert!(kernels(".entry ").is_empty());
    }

    #[test]
    fn a_mangled_name_is_recognised() {
        let names: Box<[Box<str>]> = ["_Z3addPfS_i".into(), "_ZN1a3subIfEEvPT_".into()].into();
        for (name, kernel) in
            [("add", "_Z3addPfS_i"), ("a::sub<float>", "_ZN1a3subIfEEvPT_"), ("&sub", "_ZN1a3sub")]
        {
            assert!(explanation(name, &names).contains(kernel), "{name}");
        }
        let text = explanation("mul", &names);
        assert!(text.starts_with(". The kernels are `_Z3addPfS_i`, `_ZN1a3subIfEEvPT_`: look one"), "{text}");
        assert!(explanation("", &names).starts_with(". The kernels are"));
        assert!(explanation("add", &[]).starts_with(". There is no kernel"));
    }

    #[test]
    fn a_text_says_what_to_do() {
        let several: Box<[Box<str>]> = ["_Z3addPf".into(), "_Z3addPd".into(), "_Z3mulPd".into()].into();
        let text = explanation("add", &several);
        assert!(text.contains("several that it may be: `_Z3addPf`, `_Z3addPd`. Look one"), "{text}");
        assert!(text.contains("such as `add<float>`") && text.contains("Program::name_expression"), "{text}");
        let one = explanation("mul", &several);
        assert!(one.contains("`_Z3mulPd` may be the one: add `mul` to the program by `Program::"), "{one}");
        let many: Box<[Box<str>]> = (0..20).map(|index| format!("k{index}").into()).collect();
        let text = explanation("add", &many);
        assert!(text.contains("`k7` and 12 more: look one of these up"), "{text}");
        assert!(explanation("add", &[]).contains("Program::name_expression"));
    }
}
