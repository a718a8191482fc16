//! What each pair of eyes sees of the skirmish.

use super::*;

impl Skirmish {
    /// The position as those eyes see it.
    pub(super) fn look(&self, eyes: Eyes) -> View {
        let unit = |u: u16| UnitView {
            code: CODES[usize::from(u)].into(),
            name: CODES[usize::from(u)].into(),
            side: side_of(u),
            nation: "n".into(),
            kind: "infantry".into(),
            size: "X".into(),
            figures: match self.s.strength[usize::from(u)] {
                0 => "?".into(),
                n => n.to_string(),
            },
            steps: (1, 1),
            status: if self.s.moved[usize::from(u)] { vec!["moved".into()] } else { vec![] },
            movement: None,
        };
        let mut stacks = vec![];
        for h in self.lex.grid().hexes() {
            if let Some(side) = self.held(h) {
                let units = self.units_at(h).map(unit).collect();
                stacks.push(StackView { hex: self.lex.hex(h), side, units, unseen: 0 });
            }
        }
        let mut markers = vec![];
        for s in Side::BOTH {
            if let Some(h) = self.s.mine[s.ix()]
                && (eyes.sees(s) || self.bug == Some("view"))
            {
                let kind = "mine".into();
                markers.push(MarkerView { hex: self.lex.hex(h), kind, text: "M".into(), side: Some(s) });
            }
        }
        let dead: Vec<UnitView> = (0..4).filter(|&u| self.s.at[usize::from(u)].is_none()).map(unit).collect();
        let track = |id: &str, n: u32| TrackView {
            id: id.into(),
            name: id.into(),
            value: n.to_string(),
            number: f64::from(n),
            note: String::new(),
            side: None,
        };
        View {
            eyes,
            turn: self.s.turn,
            date: format!("turn {}", self.s.turn),
            phase: "play".into(),
            asks: self.asks(),
            stacks,
            boxes: vec![BoxView {
                id: "dead".into(),
                name: "Dead".into(),
                side: None,
                units: dead,
                unseen: 0,
            }],
            markers,
            tracks: vec![track("pool", self.s.pool.len())],
            weather: vec![],
            control: vec![],
            outcome: None,
        }
    }
}
