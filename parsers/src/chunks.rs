//! Node specifications of PBS and Torque: what their chunks ask of nodes.

/// What the chunks of a node specification ask of nodes, beside amounts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChunkConstraint {
    /// Whether no other job may share the nodes.
    pub exclusive: bool,
    /// The properties and the names of nodes, as a constraint; empty unless all chunks agree on the properties.
    pub constraint: Vec<u8>,
}

/// Words that ask for nodes that no other job shares.
const EXCLUSIVE: [&[u8]; 3] = [b"excl", b"exclusive", b"exclhost"];

/// Modes of GPUs, which Torque writes among the properties.
const MODES: [&[u8]; 5] = [b"default", b"shared", b"exclusive_thread", b"exclusive_process", b"reseterr"];

/// Parses `2:ppn=8:fast+1:ppn=4#excl`, `n01:ppn=2+n02`, `2:^n7:ppn=4` or `1:ncpus=4:host=n12`.
pub fn asked(text: &[u8]) -> ChunkConstraint {
    let mut all = text.split(|&byte| byte == b'#');
    let text = all.next().unwrap_or_default();
    let mut exclusive = all.any(|word| EXCLUSIVE.contains(&word));
    let (mut names, mut unnamed) = (Vec::<&[u8]>::new(), false);
    let mut properties: Option<Vec<&[u8]>> = None;
    for part in text.split(|&byte| byte == b'+') {
        let (mut name, mut here) = (None, Vec::new());
        for (at, word) in part.split(|&byte| byte == b':').enumerate() {
            if let Some(equals) = memchr::memchr(b'=', word) {
                if matches!(&word[..equals], b"host" | b"vnode") {
                    name = Some(without_domain(&word[equals + 1..]));
                }
            } else if EXCLUSIVE.contains(&word) {
                exclusive = true;
            } else if at == 0 {
                // A part that does not begin with a number names a node.
                name = Some(without_domain(word)).filter(|word| !word.first().is_none_or(u8::is_ascii_digit));
            } else if !word.is_empty() && !MODES.contains(&word) {
                here.push(without_domain(word));
            }
        }
        unnamed |= name.is_none();
        names.extend(name);
        match &mut properties {
            None => properties = Some(here),
            Some(known) if *known == here => {}
            Some(known) => known.clear(),
        }
    }
    names.sort_unstable();
    names.dedup();
    let names = if unnamed { Vec::new() } else { names };
    let names = match names[..] {
        [] => None,
        [name] => Some(name.to_vec()),
        _ => Some([b"(", &names.join(&b'|')[..], b")"].concat()),
    };
    let parts: Vec<Vec<u8>> =
        names.into_iter().chain(properties.unwrap_or_default().into_iter().map(<[u8]>::to_vec)).collect();
    ChunkConstraint { exclusive, constraint: parts.join(&b':') }
}

/// Whether `Resource_List.place` of PBS asks for nodes of the job's own: `excl`, `scatter:excl`, `exclhost`.
pub fn is_alone(place: &[u8]) -> bool {
    place.split(|&byte| byte == b':').any(|word| EXCLUSIVE.contains(&word))
}

/// Returns a node's name without its domain, any other word unchanged: `n17.site.cz` is n17, `gcc4.8` stays.
fn without_domain(word: &[u8]) -> &[u8] {
    let mut parts = word.split(|&byte| byte == b'.');
    let first = parts.next().unwrap_or_default();
    let last = parts.next_back().filter(|last| !last.is_empty() && last.iter().all(u8::is_ascii_alphabetic));
    if last.is_some() { first } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_and_names_of_nodes_are_a_constraint() {
        let constraint = |text: &str| String::from_utf8(asked(text.as_bytes()).constraint).unwrap();
        assert_eq!(constraint("1:ppn=64:x86_64:cl_zewura#excl"), "x86_64:cl_zewura");
        assert_eq!(constraint("2:^n7:ppn=4+1:ppn=2:^n7"), "^n7");
        assert_eq!(constraint("n19.site.cz:ppn=12:brno"), "n19:brno");
        assert_eq!(constraint("1:^n17.site.cz:ppn=2:gcc4.8"), "^n17:gcc4.8");
        assert_eq!(constraint("n01:ppn=2+n02:ppn=2"), "(n01|n02)");
        assert_eq!(constraint("n01:ppn=2+3:ppn=2"), "", "the other three may be anywhere");
        assert_eq!(constraint("1:ncpus=4:mem=2gb:host=n12"), "n12");
        for without in ["2:a+1:b", "ncpus=4:mem=1gb", "1:ppn=4:gpus=1:default"] {
            assert_eq!(constraint(without), "", "{without}");
        }
    }

    #[test]
    fn nodes_may_be_asked_for_alone() {
        let alone = |text: &str| asked(text.as_bytes()).exclusive;
        assert!(alone("1:ppn=4:fast#excl") && alone("1:ppn=4:excl") && !alone("1:ppn=4"));
        assert!(is_alone(b"scatter:excl") && is_alone(b"exclhost") && !is_alone(b"free"));
    }
}
