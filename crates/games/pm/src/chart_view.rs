//! The charts as a player looks at them.

use crate::charts::Charts;
use game::Chart;

fn chart(id: &str, name: &str, source: &str, head: &[&str], rows: Vec<Vec<String>>, notes: &[&str]) -> Chart {
    Chart {
        id: id.into(),
        name: name.into(),
        source: source.into(),
        head: head.iter().map(|s| (*s).to_string()).collect(),
        rows,
        notes: notes.iter().map(|s| (*s).to_string()).collect(),
    }
}

impl Charts {
    /// Section 17 as tables.
    pub fn shown(&self) -> Vec<Chart> {
        let mut out = Vec::new();
        let mut rows = Vec::new();
        for t in &self.turns {
            for c in 1..=t.couplets {
                if self.weather(t.number, c, 1).is_none() {
                    continue;
                }
                let mut row = vec![format!("{} {c}", t.label)];
                // Die rolls from -1 to 6: the southern zone reads the northern die less two.
                for die in 1..=2 {
                    row.push(self.weather(t.number, c, die).map_or(String::new(), |w| format!("{:?}", w[1])));
                }
                for die in 1..=6 {
                    row.push(self.weather(t.number, c, die).map_or(String::new(), |w| format!("{:?}", w[0])));
                }
                rows.push(row);
            }
        }
        let head = ["Couplet", "-1", "0", "1", "2", "3", "4", "5", "6"];
        let notes = [
            "The southern zone's die is the northern zone's less two (13.2).",
            "D dry, R rain, M mud, F freeze, S snow.",
        ];
        out.push(chart("weather", "Weather", "17.1", &head, rows, &notes));
        let rows =
            self.turns.iter().zip(&self.victory).map(|(t, v)| vec![t.label.clone(), v.to_string()]).collect();
        out.push(chart("victory", "German victory", "17.2", &["End of turn", "VP to win"], rows, &[]));
        let rows = self
            .fort_lines
            .iter()
            .map(|l| vec![l.label.clone(), self.turn(l.activates).label.clone()])
            .collect();
        out.push(chart(
            "forts",
            "Fort lines that are not complete",
            "17.3",
            &["Line", "Complete from"],
            rows,
            &[],
        ));
        let rows = self
            .withdrawals
            .iter()
            .map(|w| vec![self.turn(w.turn).label.clone(), format!("{} {}", w.count, w.label)])
            .collect();
        let notes = ["Any but flak and aircraft may be declined for a VP each (8.17)."];
        out.push(chart("withdrawals", "German withdrawals", "17.4", &["Turn", "Withdraw"], rows, &notes));
        let rows =
            self.refit.iter().enumerate().map(|(i, s)| vec![(i + 1).to_string(), s.to_string()]).collect();
        out.push(chart("refit", "Mechanized refit", "17.5", &["Die", "Steps"], rows, &[]));
        let mut head = vec!["Die"];
        head.extend(self.combat.columns().iter().map(String::as_str));
        let rows = self
            .combat
            .dice()
            .map(|die| {
                let mut row = vec![die.to_string()];
                row.extend((0..self.combat.columns().len()).map(|c| self.combat.result(c, die).to_string()));
                row
            })
            .collect();
        let below = format!(
            "Worse than the first column: {}; better than the last: {} (14.10).",
            self.below, self.above
        );
        out.push(chart("combat", "Combat results", "17.7", &head, rows, &[&below]));
        let rows = self
            .turns
            .iter()
            .zip(&self.aviation)
            .map(|(t, v)| vec![t.label.clone(), v.to_string()])
            .collect();
        out.push(chart("aviation", "German aviation corps", "17.8", &["Turn", "Factors"], rows, &[]));
        let mut rows = Vec::new();
        for g in self.terrain.iter().chain(&self.hexside).chain(&self.built) {
            let plus = if self.hexside.iter().any(|h| h.name == g.name) { "+" } else { "" };
            let built = self.built.iter().any(|h| h.name == g.name);
            let cost = if built { "-".to_string() } else { format!("{plus}{}/{plus}{}", g.mech, g.foot) };
            let mut effects = Vec::new();
            if g.shift != 0 {
                effects.push(format!("{}L", -g.shift));
            }
            if g.mobile_shift != 0 {
                effects.push(format!("{}L in mobile assaults", -g.mobile_shift));
            }
            if g.boost != 0 {
                effects.push(format!("+{} to each Soviet defence", g.boost));
            }
            if !g.halved.is_empty() {
                effects.push(format!("{} halved", g.halved.join(", ")));
            }
            if !g.mobile {
                effects.push("no mobile assaults".into());
            }
            if g.losses_times > 1 {
                effects.push(format!("losses x{}, a zero becomes {}", g.losses_times, g.zero_becomes));
            }
            rows.push(vec![g.name.clone(), cost, effects.join("; ")]);
        }
        out.push(chart(
            "terrain",
            "Terrain effects",
            "17.9",
            &["Terrain", "Mech/other", "Combat"],
            rows,
            &[],
        ));
        let rows = self
            .attenuated
            .iter()
            .enumerate()
            .map(|(i, s)| vec![(i + 1).to_string(), format!("{s}L")])
            .collect();
        let notes = ["+1 in mud or snow; +1 September to November; +2 in December."];
        out.push(chart("attenuated", "Attenuated supply", "17.10", &["Die", "Shift"], rows, &notes));
        out
    }
}
