//! From the globe to a flat sheet and back: Lambert's azimuthal equal-area projection, then a grid's affine fit.

use serde::Deserialize;

const RADIUS_KM: f64 = 6371.0088;

/// A point on the flat map, x to the right and y downwards, in hexes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Spot {
    /// The point at (x, y).
    pub const fn new(x: f64, y: f64) -> Spot {
        Spot { x, y }
    }

    /// How far another point is.
    pub fn distance(self, other: Spot) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// A place on the globe, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geo {
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lon: f64,
}

impl Geo {
    /// The great-circle distance in kilometres.
    pub fn km(self, other: Geo) -> f64 {
        let (a, b) = (self.lat.to_radians(), other.lat.to_radians());
        let h = ((b - a) / 2.0).sin().powi(2)
            + a.cos() * b.cos() * ((other.lon - self.lon).to_radians() / 2.0).sin().powi(2);
        2.0 * RADIUS_KM * h.sqrt().asin()
    }
}

/// A projection and the affine map that lays a game's grid on it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fit {
    /// Centre of the projection, degrees north.
    pub lat0: f64,
    /// Centre of the projection, degrees east.
    pub lon0: f64,
    /// x = a E + b N + tx, with E and N in kilometres.
    pub a: f64,
    /// See `a`.
    pub b: f64,
    /// See `a`.
    pub tx: f64,
    /// y = c E + d N + ty.
    pub c: f64,
    /// See `c`.
    pub d: f64,
    /// See `c`.
    pub ty: f64,
}

impl Fit {
    /// Where a place lies before the warp.
    pub fn spot(&self, at: Geo) -> Spot {
        let (lat, lon, lat0) =
            (at.lat.to_radians(), (at.lon - self.lon0).to_radians(), self.lat0.to_radians());
        let k = (2.0 / (1.0 + lat0.sin() * lat.sin() + lat0.cos() * lat.cos() * lon.cos())).sqrt();
        let e = RADIUS_KM * k * lat.cos() * lon.sin();
        let n = RADIUS_KM * k * (lat0.cos() * lat.sin() - lat0.sin() * lat.cos() * lon.cos());
        Spot::new(self.a * e + self.b * n + self.tx, self.c * e + self.d * n + self.ty)
    }

    /// The place that lies at a spot, before the warp.
    pub fn geo(&self, spot: Spot) -> Geo {
        let (u, v) = (spot.x - self.tx, spot.y - self.ty);
        let det = self.a * self.d - self.b * self.c;
        let (e, n) =
            ((self.d * u - self.b * v) / det / RADIUS_KM, (self.a * v - self.c * u) / det / RADIUS_KM);
        let lat0 = self.lat0.to_radians();
        let rho = e.hypot(n);
        if rho == 0.0 {
            return Geo { lat: self.lat0, lon: self.lon0 };
        }
        let c = 2.0 * (rho / 2.0).min(1.0).asin();
        let lat = (c.cos() * lat0.sin() + n * c.sin() * lat0.cos() / rho).clamp(-1.0, 1.0).asin();
        let lon = (e * c.sin()).atan2(rho * lat0.cos() * c.cos() - n * lat0.sin() * c.sin());
        Geo { lat: lat.to_degrees(), lon: self.lon0 + lon.to_degrees() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_projection_and_its_inverse_agree() {
        let fit =
            Fit { lat0: 51.0, lon0: 32.0, a: 0.0263, b: 0.0095, tx: 29.0, c: 0.0095, d: -0.0263, ty: 28.0 };
        for (lat, lon) in [(59.9, 30.3), (44.6, 33.5), (51.0, 32.0), (55.7, 52.0), (41.0, 20.0)] {
            let back = fit.geo(fit.spot(Geo { lat, lon }));
            assert!(
                (back.lat - lat).abs() < 1e-9 && (back.lon - lon).abs() < 1e-9,
                "{lat} {lon} came back as {back:?}"
            );
        }
    }
}
