//! Set-ups read from files.

use crate::data::boxes;
use crate::state::Pos;
use crate::units::{Comes, Nation};
use hex::Hex;
use table::{Place, Side, Unit};
use text::{Faults, Tsv, count};

impl Pos {
    /// Reads a set-up of one side from a file.
    pub fn read_set_up(&mut self, side: Side, file: &str, faults: &mut Faults) {
        let data = self.data.clone();
        let grid = data.map.grid();
        if side == Side::Two {
            let Some(t) = Tsv::read(&data.files, file, &["pool", "count", "hex"], &[], faults) else {
                return;
            };
            for row in t.rows() {
                let Some(h) = grid.find(row.get("hex")).filter(|h| data.map.land.contains(*h)) else {
                    row.fault(faults, format!("'{}' is no hex for a unit", row.get("hex")));
                    continue;
                };
                let Some(count) = row.parse::<usize>("count", "a number", faults) else { continue };
                let zone = if data.map.interior.contains(h) { Comes::Interior } else { Comes::Frontier };
                let pool = row.get("pool");
                let free: Vec<Unit> = self
                    .tray(Side::Two)
                    .into_iter()
                    .filter(|&u| {
                        let i = &data.units.of[u.ix()];
                        i.comes == zone
                            && data.units.pools.get(usize::from(i.pool)).is_some_and(|p| p.name == pool)
                    })
                    .take(count)
                    .collect();
                if free.len() < count {
                    row.fault(faults, format!("only {} {pool} are left for that zone", free.len()));
                }
                for u in free {
                    self.set_down(u, h);
                }
                if let Some(i) = self.why_overfull(&self.load_of(self.at(h)), h) {
                    row.fault(faults, i.to_string());
                }
            }
            let left = self.tray(Side::Two);
            if !left.is_empty() {
                faults.add(&t.file, None, format!("{} Soviet units are not placed", left.len()));
            }
            for interior in [false, true] {
                let owed = self.strictures(interior, None).owed;
                if owed.units > 0 {
                    let names: Vec<String> = owed.hexes.iter().take(8).map(|h| data.map.called(h)).collect();
                    let rule = if interior { "3.4" } else { "3.3" };
                    let (units, hexes) = (count(owed.units, "unit"), names.join(", "));
                    let what = format!("rule {rule} still needs {units}, for one at {hexes}");
                    faults.add(&t.file, None, what);
                }
            }
            return;
        }
        let Some(t) = Tsv::read(&data.files, file, &["unit", "hex"], &[], faults) else { return };
        for row in t.rows() {
            let Some(&u) = data.units.by_code.get(row.get("unit")) else {
                row.fault(faults, format!("'{}' is no unit", row.get("unit")));
                continue;
            };
            let at = row.get("hex");
            let place = match (grid.find(at), data.lexicon.find_box(at)) {
                (Some(h), _) => Place::Hex(h),
                (None, Some(b)) => Place::Box(b),
                _ => {
                    row.fault(faults, format!("'{at}' is neither a hex nor a box"));
                    continue;
                }
            };
            if let Some(i) = self.air_index(u) {
                self.s.air[i] = place.hex().unwrap_or(Hex::NONE);
                continue;
            }
            if self.s.stacks.place(u) != Place::Box(boxes::TRAY) {
                row.fault(faults, format!("{} is not a starting unit, or is placed twice", row.get("unit")));
                continue;
            }
            let (set, into) = self.german_places(u);
            let ok = match place {
                Place::Hex(h) => set.contains(h),
                Place::Box(b) => into.contains(&Some(b)),
            };
            if !ok {
                row.fault(faults, format!("rule 3.7 does not let {} start in {at}", row.get("unit")));
                continue;
            }
            self.put(u, place);
            if let Place::Hex(h) = place
                && let Some(i) = self.why_overfull(&self.load_of(self.at(h)), h)
            {
                // In the beginners' game a battalion counts as much as a division (6.3): what is too much waits.
                if self.options.beginner {
                    self.into_box(u, into.into_iter().flatten().next().unwrap_or(boxes::OKH_SOUTH));
                } else {
                    row.fault(faults, i.to_string());
                }
            }
        }
        for u in self.tray(Side::One) {
            let south = self.nation(u) != Nation::German;
            self.into_box(u, if south { boxes::OKH_SOUTH } else { boxes::OKH_NORTH });
        }
    }
}
