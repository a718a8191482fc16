//! Writing SVG: numbers, paths, elements.

use std::fmt::Write;

/// A point in pixels, or in the coordinates of the grid before it is framed.
pub(super) type Pt = (f64, f64);

/// The point between two points.
pub(super) fn mid(a: Pt, b: Pt) -> Pt {
    ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0)
}

/// The point a share of the way from `a` to `b`.
pub(super) fn toward(a: Pt, b: Pt, share: f64) -> Pt {
    (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share)
}

/// The direction from `a` to `b`, of length 1.
pub(super) fn unit(a: Pt, b: Pt) -> Pt {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx.hypot(dy).max(1e-9);
    (dx / length, dy / length)
}

/// `p` moved along a direction.
pub(super) fn along(p: Pt, direction: Pt, by: f64) -> Pt {
    (p.0 + direction.0 * by, p.1 + direction.1 * by)
}

/// A quarter turn to the right, on the screen.
pub(super) fn right_of(direction: Pt) -> Pt {
    (-direction.1, direction.0)
}

/// A number with at most one decimal: a tenth of a pixel is finer than the eye.
pub(super) fn n(x: f64) -> String {
    let tenths = (x * 10.0).round() as i64;
    if tenths % 10 == 0 {
        return (tenths / 10).to_string();
    }
    let sign = if tenths < 0 { "-" } else { "" };
    format!("{sign}{}.{}", tenths.abs() / 10, tenths.abs() % 10)
}

/// The data of a path.
#[derive(Default, Clone)]
pub(super) struct Pen(pub String);

impl Pen {
    pub fn to(&mut self, p: Pt) -> &mut Pen {
        self.op('M', &[p])
    }

    pub fn line(&mut self, p: Pt) -> &mut Pen {
        self.op('L', &[p])
    }

    pub fn curve(&mut self, by: Pt, p: Pt) -> &mut Pen {
        self.op('Q', &[by, p])
    }

    pub fn close(&mut self) -> &mut Pen {
        self.0.push('Z');
        self
    }

    fn op(&mut self, letter: char, points: &[Pt]) -> &mut Pen {
        self.0.push(letter);
        for (i, p) in points.iter().enumerate() {
            if i > 0 {
                self.0.push(' ');
            }
            let _ = write!(self.0, "{} {}", n(p.0), n(p.1));
        }
        self
    }

    /// Straight lines through the points.
    pub fn lines(&mut self, points: &[Pt]) -> &mut Pen {
        for (i, &p) in points.iter().enumerate() {
            if i == 0 {
                self.to(p)
            } else {
                self.line(p)
            };
        }
        self
    }

    /// A closed shape.
    pub fn polygon(&mut self, points: &[Pt]) -> &mut Pen {
        self.lines(points).close()
    }

    /// A closed soft curve that the points pull at.
    pub fn soft_loop(&mut self, points: &[Pt]) -> &mut Pen {
        let Some(&last) = points.last().filter(|_| points.len() > 2) else { return self };
        self.to(mid(last, points[0]));
        for (i, &p) in points.iter().enumerate() {
            self.curve(p, mid(p, points[(i + 1) % points.len()]));
        }
        self.close()
    }

    /// A soft curve from the first point to the last that the others pull at.
    pub fn soft(&mut self, points: &[Pt]) -> &mut Pen {
        let [first, inner @ .., last] = points else { return self };
        self.to(*first);
        for (i, &p) in inner.iter().enumerate() {
            let next = inner.get(i + 1).map_or(*last, |&q| mid(p, q));
            self.curve(p, next);
        }
        if inner.is_empty() {
            self.line(*last);
        }
        self
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A path element, or nothing if the path is empty.
pub(super) fn path(out: &mut String, pen: &Pen, attributes: &str) {
    if !pen.is_empty() {
        let _ = writeln!(out, "<path d=\"{}\" {attributes}/>", pen.0);
    }
}

/// Text as it may stand in an element.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_at_most_one_decimal() {
        assert_eq!([n(1.0), n(-0.04), n(2.55), n(-3.16)], ["1", "0", "2.6", "-3.2"]);
        assert_eq!(n(-0.3), "-0.3");
    }

    #[test]
    fn a_soft_line_begins_and_ends_at_its_ends() {
        let mut pen = Pen::default();
        pen.soft(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0), (3.0, 0.0)]);
        assert_eq!(pen.0, "M0 0Q1 1 1.5 0.5Q2 0 3 0");
    }
}
