//! The charts, to look at.

use crate::charts::Charts;
use game::Chart;

impl Charts {
    /// The charts as the house shows them.
    pub fn shown(&self) -> Vec<Chart> {
        let mut out = Vec::new();
        let mut head = vec!["die".to_string()];
        head.extend(self.combat.columns.iter().cloned());
        let row = |i: usize| {
            let mut r = vec![(i + 1).to_string()];
            r.extend(self.combat.cell[i].iter().map(|&c| self.combat.result[c].code.clone()));
            r
        };
        out.push(Chart {
            id: "combat".into(),
            name: "Combat Results Table".into(),
            source: "reconstructed: see charts.toml; codes and columns by 8.4 and 10.1".into(),
            head,
            rows: (0..self.combat.cell.len()).map(row).collect(),
            notes: vec!["10-1 and better is a DS without a roll (8.4.1).".into()],
        });
        let mut head = vec!["die".to_string()];
        head.extend(self.determined.columns.iter().cloned());
        let row = |i: usize| {
            let mut r = vec![(i as i32 + self.determined.lowest).to_string()];
            r.extend(self.determined.rows[i].iter().cloned());
            r
        };
        out.push(Chart {
            id: "determined".into(),
            name: "Determined Defense Table".into(),
            source: "reconstructed: see charts.toml; two cells by 11.5.2".into(),
            head,
            rows: (0..self.determined.rows.len()).map(row).collect(),
            notes: vec!["Losses are attacker/defender; * the defender picks the attacker's (11.4.1).".into()],
        });
        out.push(Chart {
            id: "terrain".into(),
            name: "Terrain Effects Chart".into(),
            source: "reconstructed: see charts.toml; effects by the rules named there".into(),
            head: ["terrain", "foot MP", "mech MP", "shift", "tanks", "Determined Defense"]
                .map(String::from)
                .to_vec(),
            rows: self
                .terrain
                .iter()
                .filter(|g| g.before_rain.is_empty())
                .map(|g| {
                    vec![
                        g.name.clone(),
                        g.foot.to_string(),
                        g.mech.to_string(),
                        g.shift.to_string(),
                        if g.tanks { "yes" } else { "no" }.into(),
                        g.column.clone(),
                    ]
                })
                .collect(),
            notes: Vec::new(),
        });
        let w = &self.weather;
        let rows = (0..6)
            .map(|i| {
                let mut r = vec![(i + 1).to_string()];
                r.extend(
                    [&w.summer, &w.early_fall, &w.rasputitsa, &w.winter].map(|s| s[i].name().to_string()),
                );
                r
            })
            .collect();
        out.push(Chart {
            id: "weather".into(),
            name: "Weather Table".into(),
            source: "23.1".into(),
            head: ["die", "summer", "early fall", "Rasputitsa", "winter"].map(String::from).to_vec(),
            rows,
            notes: vec!["+1 after Rain or Snow.".into()],
        });
        out.push(Chart {
            id: "turns".into(),
            name: "Turn Record Track".into(),
            source: "reconstructed: dates and benchmarks, see charts.toml".into(),
            head: ["turn", "dates", "benchmark"].map(String::from).to_vec(),
            rows: self
                .turn
                .iter()
                .map(|t| vec![t.number.to_string(), t.dates.clone(), t.benchmark.to_string()])
                .collect(),
            notes: Vec::new(),
        });
        for (id, name, source, rows) in [
            ("rally", "Rally Table", "13.5", &self.rally.results),
            ("isolation", "Isolation Attrition Table", "16.5.2", &self.isolation.results),
            ("disengagement", "Disengagement Table", "27.2", &self.disengagement.results),
        ] {
            out.push(Chart {
                id: id.into(),
                name: name.into(),
                source: source.into(),
                head: ["die", "result"].map(String::from).to_vec(),
                rows: rows.iter().enumerate().map(|(i, r)| vec![(i + 1).to_string(), r.clone()]).collect(),
                notes: Vec::new(),
            });
        }
        out
    }
}
