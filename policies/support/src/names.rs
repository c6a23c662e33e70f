/// Returns the names of a table's entries as a constant list, in their order.
macro_rules! names {
    ($table:expr) => {
        &{
            let mut names = [""; $table.len()];
            let mut at = 0;
            while at < names.len() {
                names[at] = $table[at].name;
                at += 1;
            }
            names
        }
    };
}
pub(crate) use names;
