//! What the grammar tells the tree builder: a flat list of events, and the markers that write it.
//!
//! A node is opened by a [`Marker`] before its kind is known; [`CompletedMarker::precede`] puts a
//! node around one that is finished already, which is how left-recursive expressions are read.

use crate::SyntaxKind;

use super::Parser;

/// A step of building the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// Opens a node. A node that was put around it later lies `forward_parent` events further on
    /// (0: there is none).
    Start {
        kind: SyntaxKind,
        forward_parent: u32,
    },
    /// Closes the innermost open node.
    Finish,
    /// Takes the next token.
    Token,
    /// Nothing: an abandoned start, or a place kept for a `Finish`.
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

/// A place where a node may be closed later.
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

    /// Closes the node at a place further up.
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

    /// Gives the node up; what it holds goes to the node around it.
    pub(super) fn abandon(self, p: &mut Parser<'_>) {
        if self.at as usize == p.events.len() - 1 {
            p.events.pop();
        }
    }
}

impl CompletedMarker {
    /// Opens a node around this one.
    pub(super) fn precede(self, p: &mut Parser<'_>) -> Marker {
        let marker = p.start();
        if let Event::Start { forward_parent, .. } = &mut p.events[self.at as usize] {
            *forward_parent = marker.at - self.at;
        }
        marker
    }
}

impl Parser<'_> {
    /// Whether nothing but a comma came since a place was kept.
    pub(super) fn last_is_comma_or_place(&self) -> bool {
        let mut last = self.events.iter().rev();
        match last.next() {
            Some(Event::Nothing) => true,
            Some(Event::Token) => last.next() == Some(&Event::Nothing),
            _ => false,
        }
    }
}
