//! Multi-capacity bin-packing with a single capacity: there is no imbalance, so every score is zero and the
//! queue stays in the order of submission.

use crate::lab::{Case, Log};

#[test]
fn with_processors_alone_packing_is_easy() {
    for spec in ["mcbp", "bkfl", "mcbp:pairs=printed,req=raw"] {
        Case::new(Log::KTH_CLEANED, spec).agrees_with("easy.batch");
    }
    Case::new(Log::SDSC, "mcbp").agrees_with("easy.batch");
}

#[test]
fn with_processors_alone_and_all_reservations_packing_is_conservative_with_replanning() {
    let Some(replayed) = Case::new(Log::KTH_CLEANED, "mcbp:reservations=inf").replay() else { return };
    replayed.wait("8024.040");
}
