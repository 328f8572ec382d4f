//! Diagrams as pictures.

use herbrand_render::Scene;
use herbrand_render::colour::Colour;
use herbrand_render::scene::Stroke;

use super::store::DiagramNode;
use super::{Xadd, XaddError};
use crate::chart::{Arrow, ArrowDirection, Chart, Entry};

impl Xadd {
    /// Draws the diagram as a picture, root first. Write the [`Scene`] as SVG, or in another format of `herbrand-render`. A
    /// solid edge is taken if a test holds, a dashed edge if it does not.
    ///
    /// # Errors
    /// [`XaddError::TooLarge`] if the diagram has more than [`DRAWN`](Self::DRAWN) nodes.
    pub fn scene(&self) -> Result<Scene, XaddError> {
        if self.len() > Self::DRAWN {
            return Err(XaddError::TooLarge(Self::DRAWN));
        }
        let last = self.parts.len() - 1;
        let mut chart = Chart {
            title: self.output.name(&self.compiled),
            ..Chart::default()
        };
        for (place, part) in self.parts.iter().rev().enumerate() {
            let entry = match part {
                DiagramNode::Leaf(polynomial) => Entry {
                    text: self.leaf_text(polynomial),
                    colour: Colour::Green,
                    round: false,
                },
                DiagramNode::Decision(test, high, low) => {
                    for (to, stroke) in [(high, Stroke::Thin), (low, Stroke::Dashed)] {
                        chart.arrows.push(Arrow {
                            from: place,
                            to: last - *to as usize,
                            stroke,
                        });
                    }
                    Entry {
                        text: format!("{} ?", self.test_text(*test)),
                        colour: Colour::Blue,
                        round: true,
                    }
                }
            };
            chart.entries.push(entry);
        }
        Ok(chart.scene(ArrowDirection::Down, &vec![0; self.parts.len()]))
    }
}
