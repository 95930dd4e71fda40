//! Names of kernels, as programs write them and as they are compiled.

/// The names of the kernels of a PTX text, in its order.
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

/// Whether a mangled name is that of a function which is called so in the source: `_Z3addPfS_i` of `add`. C++ writes
/// the parts of a name after their lengths.
fn is_mangled(mangled: &str, name: &str) -> bool {
    mangled.starts_with("_Z") && !name.is_empty() && mangled.contains(&format!("{}{name}", name.len()))
}

/// The name without its namespaces and template arguments.
fn base(name: &str) -> &str {
    let name = name.trim().trim_start_matches('&');
    let name = name.split('<').next().unwrap_or(name).trim_end();
    name.rsplit("::").next().unwrap_or(name)
}

/// Why a name was not found, for an error's text.
pub(super) fn explanation(name: &str, kernels: &[Box<str>]) -> String {
    let mangled: Vec<&str> =
        kernels.iter().map(|kernel| &**kernel).filter(|kernel| is_mangled(kernel, base(name))).collect();
    if let [first, ..] = mangled[..] {
        return format!(
            ". C++ mangles names, and `{first}` may be the one: add `{name}` to the program's name expressions, or \
             declare the kernel extern \"C\""
        );
    }
    if kernels.is_empty() {
        return ". There is no kernel in the program: a template has one for each name expression that names it, and a \
                __device__ function is none"
            .to_owned();
    }
    let list: Vec<String> = kernels.iter().take(8).map(|kernel| format!("`{kernel}`")).collect();
    let more = if kernels.len() > list.len() { " and others" } else { "" };
    format!(". The kernels are {}{more}; a __device__ function is none", list.join(", "))
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
        assert!(
            explanation("mul", &names).starts_with(". The kernels are `_Z3addPfS_i`, `_ZN1a3subIfEEvPT_`;")
        );
        assert!(explanation("", &names).starts_with(". The kernels are"));
        assert!(explanation("add", &[]).starts_with(". There is no kernel"));
    }
}
