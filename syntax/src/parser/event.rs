//! The events by which the grammar describes the tree, and the markers that emit them.
//!
//! A [`Marker`] opens a node before its kind is known; [`CompletedMarker::precede`] wraps a node
//! that is already complete, as required by left-recursive expressions.

use crate::SyntaxKind;

use super::Parser;

/// A step of building the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// Opens a node. The start of a node that was wrapped around it later follows after
    /// `forward_parent` events (0: none).
    Start {
        kind: SyntaxKind,
        forward_parent: u32,
    },
    /// Closes the innermost open node.
    Finish,
    /// Consumes the next token.
    Token,
    /// A placeholder: an abandoned start, or a place reserved for a `Finish`.
    Nothing,
}

/// An open node.
#[derive(Debug)]
#[must_use]
pub(super) struct Marker {
    at: u32,
}

/// A closed node.
#[derive(Clone, Copy, Debug)]
pub(super) struct CompletedMarker {
    at: u32,
    pub(super) kind: SyntaxKind,
}

/// A position at which a node may be closed later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(u32);

impl Parser<'_> {
    pub(super) fn start(&mut self) -> Marker {
        let at = self.events.len() as u32;
        self.events.push(Event::Nothing);
        Marker { at }
    }

    pub(super) fn place(&mut self) -> Place {
        let at = self.events.len() as u32;
        self.events.push(Event::Nothing);
        Place(at)
    }
}

impl Marker {
    pub(super) fn complete(self, p: &mut Parser<'_>, kind: SyntaxKind) -> CompletedMarker {
        p.events.push(Event::Finish);
        self.open(p, kind)
    }

    /// Closes the node at an earlier place.
    pub(super) fn complete_at(
        self,
        p: &mut Parser<'_>,
        place: Place,
        kind: SyntaxKind,
    ) -> CompletedMarker {
        p.events[place.0 as usize] = Event::Finish;
        self.open(p, kind)
    }

    fn open(self, p: &mut Parser<'_>, kind: SyntaxKind) -> CompletedMarker {
        p.events[self.at as usize] = Event::Start {
            kind,
            forward_parent: 0,
        };
        CompletedMarker { at: self.at, kind }
    }

    /// Abandons the node; its contents become part of the parent.
    pub(super) fn abandon(self, p: &mut Parser<'_>) {
        if self.at as usize == p.events.len() - 1 {
            p.events.pop();
        }
    }
}

impl CompletedMarker {
    /// Opens a node that wraps this one.
    pub(super) fn precede(self, p: &mut Parser<'_>) -> Marker {
        let marker = p.start();
        if let Event::Start { forward_parent, .. } = &mut p.events[self.at as usize] {
            *forward_parent = marker.at - self.at;
        }
        marker
    }
}

impl Parser<'_> {
    /// Checks whether at most one token followed the last reserved place.
    pub(super) fn last_is_comma_or_place(&self) -> bool {
        let mut last = self.events.iter().rev();
        match last.next() {
            Some(Event::Nothing) => true,
            Some(Event::Token) => last.next() == Some(&Event::Nothing),
            _ => false,
        }
    }
}
