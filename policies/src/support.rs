//! The parts that policies are composed of.

pub mod amounts;
pub mod books;
pub mod estimates;
pub mod expressions;
pub mod factor;
pub mod front;
pub mod hosts;
pub mod keeper;
pub mod kinds;
pub mod ledger;
pub mod matrix;
pub mod order;
pub mod params;
pub mod plan;
pub mod profile;
pub mod queue;
pub mod releases;
pub mod score;
pub mod select;
pub mod spaces;
pub mod starts;
pub mod tree;
pub mod wait_limit;
pub mod walk;
pub mod window;
