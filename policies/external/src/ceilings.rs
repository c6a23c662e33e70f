//! Upper bounds for the plug-in limits that a spec in a file may set.

use batchlab_traces::nearest::{meant, nearest};
use batchlab_traces::reading::parse_duration;

use super::carriers::CARRIERS;
use batchlab_contract::plugin::Carrier;
use batchlab_contract::spec::{ParamKind, ParamSpec, Params};

/// The highest values that a spec in a file may give to the limits of a plug-in, which are parameters of its
/// carrier: the defaults, and what the user has allowed beyond them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ceilings {
    allowed: Vec<(&'static str, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{policy}`: a file may set {key}= of `{carrier}` to {most} at most, and this is {given}; --allow-limit {key}={given} on \
     the command line allows it"
)]
pub struct Raised {
    pub policy: String,
    pub carrier: &'static str,
    pub key: &'static str,
    pub given: String,
    pub most: String,
}

impl Ceilings {
    /// Allows a limit up to a value; a value below the default has no effect.
    pub fn allow(&mut self, key: &str, value: &str) -> Result<(), String> {
        let limits = || CARRIERS.iter().flat_map(|carrier| carrier.params).filter(|param| is_limit(param));
        let Some(limit) = limits().find(|limit| limit.name == key) else {
            let meant = meant(nearest(key, limits().map(|limit| limit.name)));
            let known: batchlab_traces::sorted::SortedSet<&str> = limits().map(|limit| limit.name).collect();
            let known = known.into_iter().collect::<Vec<_>>().join(", ");
            return Err(format!("plug-ins have no limit `{key}`{meant}; known are {known}"));
        };
        // Two carriers may share a limit, and only one of them may accept `inf`.
        if !limits().any(|limit| limit.name == key && limit.kind.accepts(value)) {
            return Err(format!("{key} takes {}", limit.kind));
        }
        self.allowed.push((limit.name, value.to_owned()));
        Ok(())
    }

    /// Checks that a spec in a file does not raise a plug-in limit too far.
    pub fn check(&self, policy: &str, carrier: &Carrier, options: &Params) -> Result<(), Raised> {
        for limit in carrier.params.iter().filter(|param| is_limit(param)) {
            let given = options.text(limit.name);
            let allowed = self.allowed.iter().filter(|(key, _)| *key == limit.name);
            let values = allowed.map(|(_, value)| value.as_str()).chain([limit.default]);
            let most = values.max_by_key(|value| amount(limit, value)).unwrap_or(limit.default);
            if amount(limit, given) > amount(limit, most) {
                return Err(Raised {
                    policy: policy.into(),
                    carrier: carrier.name,
                    key: limit.name,
                    given: given.into(),
                    most: most.into(),
                });
            }
        }
        Ok(())
    }
}

/// Whether a parameter of a carrier is a limit: an amount or a time beyond which a plug-in is stopped.
fn is_limit(param: &ParamSpec) -> bool {
    matches!(param.kind, ParamKind::Count { .. } | ParamKind::Duration)
}

/// The value of a limit as a comparable number: counts unchanged, times in microseconds, `inf` and `none` above every
/// number.
fn amount(limit: &ParamSpec, value: &str) -> u128 {
    let known = match limit.kind {
        ParamKind::Duration => {
            parse_duration(value).ok().map(|time| time.ticks().max(0).unsigned_abs().into())
        }
        _ => value.parse().ok(),
    };
    known.unwrap_or(u128::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key that is too high, and the highest value allowed.
    #[cfg(all(unix, feature = "wasm"))]
    fn raised(
        allowed: &[(&str, &str)],
        carrier: &str,
        pairs: &[(&str, &str)],
    ) -> Option<(&'static str, String)> {
        let mut ceilings = Ceilings::default();
        for (key, value) in allowed {
            ceilings.allow(key, value).unwrap();
        }
        let carrier = crate::carrier(carrier).unwrap();
        let pairs: Vec<_> =
            pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let options = Params::check(carrier.name, carrier.params, &pairs).unwrap();
        ceilings.check("p", carrier, &options).err().map(|raised| (raised.key, raised.most))
    }

    #[test]
    #[cfg(all(unix, feature = "wasm"))]
    fn a_file_may_lower_limits_and_raise_none() {
        for (carrier, key, value, most) in [
            ("wasm", "fuel", "500000000", None),
            ("wasm", "fuel", "500000001", Some("500000000")),
            ("wasm", "memory", "1", None),
            ("wasm", "memory", "257", Some("256")),
            ("exec", "memory", "4096", None),
            ("exec", "memory", "inf", Some("4096")),
            ("exec", "timeout", "9s", None),
            ("exec", "timeout", "11", Some("10s")),
            ("exec", "timeout", "none", Some("10s")),
        ] {
            let expected = most.map(|most| (key, most.to_owned()));
            assert_eq!(raised(&[], carrier, &[(key, value)]), expected, "{carrier}: {key}={value}");
        }
    }

    #[test]
    #[cfg(all(unix, feature = "wasm"))]
    fn the_user_may_allow_more() {
        let most = |allowed: &[(&str, &str)], carrier, key, value| {
            raised(allowed, carrier, &[(key, value)]).map(|(_, most)| most)
        };
        let allowed = [("memory", "1024"), ("timeout", "2min")];
        assert_eq!(most(&allowed, "wasm", "memory", "1024"), None);
        assert_eq!(most(&allowed, "wasm", "memory", "1025").as_deref(), Some("1024"));
        // A value below the default of a carrier does not lower the limit.
        assert_eq!(most(&allowed, "exec", "memory", "4096"), None);
        assert_eq!(most(&allowed, "exec", "timeout", "120"), None);
        assert_eq!(most(&allowed, "exec", "timeout", "121").as_deref(), Some("2min"));
        assert_eq!(most(&[("timeout", "none")], "exec", "timeout", "none"), None);
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        let error = |key, value| Ceilings::default().allow(key, value).unwrap_err();
        assert!(error("fule", "7").starts_with("plug-ins have no limit `fule`"));
        #[cfg(feature = "wasm")]
        assert_eq!(error("fuel", "inf"), "fuel takes a whole number from 1");
    }
}
