//! Layers of knowledge over the map: supply and its lines, control, weather, forts, the enemy's reach.

use crate::map::Fort;
use crate::state::{Pause, Pos, Supplied};
use crate::supply::{Army, State};
use crate::units::Nation;
use game::{Eyes, Overlay};
use hex::{Hex, HexSet};
use table::Side;

impl Pos {
    /// A layer over the map.
    pub fn layer(&self, eyes: Eyes, name: &str) -> Option<Overlay> {
        let lexicon = &self.data.lexicon;
        let mut o = Overlay::default();
        let m = &self.data.map;
        match name {
            "supply" => {
                let sup = self.fresh_supply();
                let both = &sup.german & &sup.soviet;
                for (class, set, why) in [
                    ("german", &sup.german - &both, "German supply reaches here (9.3)"),
                    ("soviet", &sup.soviet - &both, "Soviet supply reaches here (9.2)"),
                    ("both", both, "both sides' supply reaches here"),
                ] {
                    o.key(class, why);
                    o.tint(lexicon, &set, class, why);
                }
                self.supply_lines(eyes, &sup, &mut o);
            }
            "control" => {
                o.key("german", "places that the Germans hold (3.9)");
                o.key("soviet", "places that the Soviets hold (3.9)");
                for h in &m.held {
                    let class = if self.s.german_held.contains(h) { "german" } else { "soviet" };
                    o.tint(lexicon, [h], class, &format!("{} VP", m.vp[h.ix()]));
                }
            }
            "weather" => {
                for (z, w) in self.s.weather.into_iter().enumerate() {
                    let (class, word) = (format!("{w:?}"), self.weather_word(w));
                    o.key(&class, word);
                    let zone = m.land.iter().filter(|&h| usize::from(m.south_weather.contains(h)) == z);
                    o.tint(lexicon, zone, &class, word);
                }
            }
            "forts" => {
                for (class, why) in [
                    ("fort", "fortification, 1L (14.27)"),
                    ("heavy", "heavy fortification, 2L (14.28)"),
                    ("stalin", "Stalin Line, +1 (14.30)"),
                    ("down", "not complete, aborted or destroyed"),
                ] {
                    o.key(class, why);
                }
                for h in &m.forts {
                    let class = match self.intact(h) {
                        Fort::Fort => "fort",
                        Fort::Heavy => "heavy",
                        Fort::Stalin => "stalin",
                        Fort::None => "down",
                    };
                    o.tint(lexicon, [h], class, "");
                }
            }
            "gas" => {
                o.key("east", "east of the GAS line: attenuated supply (9.6)");
                if self.s.pause != Pause::Done {
                    o.tint(lexicon, &(&m.gas_east & &m.land), "east", "");
                }
            }
            "reach" => self.reach_layer(eyes, &mut o),
            _ => return None,
        }
        Some(o)
    }

    /// Where the enemy's visible units could go next turn, by the factor that shows on them.
    fn reach_layer(&self, eyes: Eyes, o: &mut Overlay) {
        let own = match eyes {
            Eyes::Side(s) => s,
            _ => self.asked().unwrap_or(Side::One),
        };
        let foe = own.foe();
        o.key("reach", "an enemy stack's top unit can get here in its next move");
        let mut near = hex::HexSet::empty();
        let mut probe = self.clone();
        probe.s.hand.clear();
        probe.check_supply(Side::One);
        probe.check_supply(Side::Two);
        for h in self.s.stacks.occupied(foe) {
            let Some(u) = self.s.stacks.top(h) else { continue };
            probe.s.hand = vec![u];
            probe.s.used[u.ix()] = 0;
            probe.s.flags[u.ix()] = 0;
            let m = probe.mover();
            probe.each_reached(&m, |n| {
                near.insert(n.hex);
            });
        }
        o.tint(&self.data.lexicon, &near, "reach", "");
    }

    /// The lines that stacks trace (9.4), each as far as it joins one drawn before; and where the lines of those out of supply
    /// are cut. Goes by top units, which all may see.
    fn supply_lines(&self, eyes: Eyes, sup: &Supplied, o: &mut Overlay) {
        let lexicon = &self.data.lexicon;
        let names = |line: &[Hex]| line.iter().map(|h| lexicon.hex(*h)).collect::<Vec<_>>();
        o.key("out", "units out of supply (9.7), and the way to where their line is cut");
        o.key("block", "what cuts a line (9.4, 14.29)");
        let armies = [Nation::German, Nation::Romanian, Nation::Hungarian].map(Army::Axis);
        for army in armies.into_iter().chain([Army::Soviet]) {
            let (mut lines, mut cut) = (HexSet::empty(), HexSet::empty());
            let side = if army == Army::Soviet { Side::Two } else { Side::One };
            for h in self.s.stacks.occupied(side) {
                let Some(u) = self.s.stacks.top(h).filter(|&u| self.army_of(u) == army) else { continue };
                match self.state_with(sup, u) {
                    State::Out => cut.insert(h),
                    // Supplied by air or through a port: there is no line to draw.
                    _ => lines.insert(h),
                };
            }
            let class = if side == Side::One { "german" } else { "soviet" };
            o.paths.extend(self.lines_from(army, &lines).iter().map(|l| (names(l), class.to_string())));
            for (at, way) in self.cuts(army, &cut) {
                let Some(&block) = way.last() else {
                    o.tint(lexicon, [at], "out", "out of supply: no way leads to a source (9.4)");
                    continue;
                };
                let what = if self.enemy_at(side, block) { "enemy units" } else { "an intact fort" };
                let place = self.data.map.called(block);
                o.tint(lexicon, [at], "out", &format!("out of supply: {what} at {place} cut the line (9.4)"));
                o.tint(lexicon, [block], "block", &format!("cuts the line of {}", lexicon.hex(at)));
                let mut whole = vec![at];
                whole.extend(way);
                o.paths.push((names(&whole), "out".into()));
            }
        }
        if let Some(h) = self.hand_hex()
            && let Some(&u) = self.s.hand.first()
            && eyes.sees(self.info(u).side)
            && let Some(line) = self.line_of_supply(self.army_of(u), h)
        {
            o.paths.push((names(&line), "line".into()));
            o.key("line", "the line of the units in hand (9.4)");
        }
    }
}
