//! The page of a paper in Markdown.

use batchlab_traces::foreign::SafeText;
use maud::html;

use crate::report::page::{PaperBlock, PaperSection};
use batchlab_engine::replay::conditions::TOOL;
use batchlab_engine::table::Style;
use batchlab_engine::table::writers::markdown::{SPEC as MARKDOWN, escape, escape_line};

pub fn page(title: &str, reference: &str, sections: &[PaperSection]) -> SafeText {
    let mut blocks = vec![format!("# {}", escape(title)), paragraphs(reference)];
    for section in sections {
        blocks.push(format!("## {}", escape(&section.heading)));
        blocks.extend(section.blocks.iter().flat_map(one));
    }
    blocks.retain(|block| !block.trim().is_empty());
    SafeText::of(&(blocks.iter().map(|block| block.trim_end()).collect::<Vec<_>>().join("\n\n") + "\n"))
}

fn one(block: &PaperBlock) -> Vec<String> {
    match block {
        PaperBlock::Heading(text) => vec![format!("### {}", escape(text))],
        PaperBlock::Text(text) => vec![paragraphs(text)],
        PaperBlock::Command(command) => vec![format!("Made by {TOOL} with:\n\n```sh\n{command}\n```")],
        PaperBlock::Words(table) | PaperBlock::Numbers(table) => {
            vec![(MARKDOWN.write)(table, &Style::default()).into()]
        }
        PaperBlock::Items(items) => {
            let line = |(name, text): &(String, String)| format!("- {}: {}", escape_line(name), escape(text));
            vec![items.iter().map(line).collect::<Vec<_>>().join("\n")]
        }
        PaperBlock::Figures(figures) => figures
            .iter()
            .flat_map(|of| {
                let image = format!("![{}]({}/plots/{}.svg)", of.name, of.experiment, of.name);
                [image, escape_line(&of.caption)]
            })
            .collect(),
        PaperBlock::Results(name) => vec![format!("[The results of this experiment]({name}/README.md).")],
        PaperBlock::Folded(summary, blocks) => {
            let summary = html! { details { summary { (summary) } } }.into_string();
            let opened = summary.trim_end_matches("</details>").to_owned();
            let inner = blocks.iter().flat_map(one);
            std::iter::once(opened).chain(inner).chain(["</details>".to_owned()]).collect()
        }
    }
}

/// Returns the text of someone else as paragraphs of Markdown: its lines, without markup.
fn paragraphs(text: &str) -> String {
    text.lines().map(escape_line).collect::<Vec<_>>().join("\n")
}
