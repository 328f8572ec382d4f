//! Networks as pictures.

use herbrand_render::Scene;
use herbrand_render::colour::Colour;
use herbrand_render::scene::Stroke;

use super::{Network, NetworkError, NetworkNode, NodeRole};
use crate::chart::{Arrow, ArrowDirection, Chart, Entry};

impl Network {
    /// Draws the network as a picture: the nodes in columns from left (before the step) to right (after it), with an
    /// arrow from each node to the nodes that read it. Write the [`Scene`] as SVG, or in another format of
    /// `herbrand-render`. Use [`behind`](Self::behind) to keep a part of a larger network.
    ///
    /// # Errors
    /// [`NetworkError::TooLarge`] if it has more than [`DRAWN`](Self::DRAWN) nodes.
    pub fn scene(&self) -> Result<Scene, NetworkError> {
        if self.nodes.len() > Self::DRAWN {
            return Err(NetworkError::TooLarge(self.nodes.len()));
        }
        let entry = |node: &NetworkNode| Entry {
            text: node.name.clone(),
            colour: match node.role {
                NodeRole::State | NodeRole::Next => Colour::Blue,
                NodeRole::Action => Colour::Orange,
                NodeRole::Interm | NodeRole::Derived => Colour::Grey,
                NodeRole::Observ => Colour::Purple,
                NodeRole::Reward => Colour::Green,
            },
            round: !matches!(node.role, NodeRole::Action | NodeRole::Reward),
        };
        let arrow = |&(from, to): &(usize, usize)| Arrow {
            from,
            to,
            stroke: Stroke::Thin,
        };
        let has_between = self
            .nodes
            .iter()
            .any(|node| matches!(node.role, NodeRole::Interm | NodeRole::Derived));
        let after = if has_between { 2 } else { 1 };
        let least = |node: &NetworkNode| match node.role {
            NodeRole::State | NodeRole::Action => 0,
            NodeRole::Interm | NodeRole::Derived => 1,
            NodeRole::Next | NodeRole::Reward | NodeRole::Observ => after,
        };
        let chart = Chart {
            title: self.name.clone(),
            entries: self.nodes.iter().map(entry).collect(),
            arrows: self.edges.iter().map(arrow).collect(),
            headings: vec!["before the step".to_owned()],
        };
        Ok(chart.scene(
            ArrowDirection::Right,
            &self.nodes.iter().map(least).collect::<Vec<_>>(),
        ))
    }
}
