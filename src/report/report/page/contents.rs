//! The table of contents: parts of the page, and the tables and plots in them.

use maud::{Markup, html};

use super::Part;

/// Returns the links to all parts after the first, with what each part holds.
pub fn contents(parts: &[Part]) -> Markup {
    html! {
        nav class="contents" aria-label="Contents" {
            ul {
                @for part in parts.iter().skip(1) {
                    li {
                        a href={ "#" (part.anchor) } { (part.heading) }
                        @if !part.items.is_empty() {
                            ": "
                            @for (at, (anchor, title)) in part.items.iter().enumerate() {
                                @if at > 0 { " \u{b7} " }
                                a href={ "#" (anchor) } { (title) }
                            }
                        }
                    }
                }
            }
        }
    }
}
