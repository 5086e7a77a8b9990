package main

import "math"

// sine is sin of an angle in degrees.
func sine(degrees float64) float64 { return math.Sin(degrees * math.Pi / 180) }

// newMoon gives the k-th new moon since that of 6 January 2000 as a Julian day of uniform time (TT), by the series of Meeus,
// Astronomical Algorithms (2nd edition), chapter 49: a mean new moon and its periodic terms. It stays within 17 seconds
// of the full theory between 1980 and 2020, and is hardly worse for some decades more.
func newMoon(k float64) float64 {
	t := k / 1236.85
	e := 1 - 0.002516*t - 0.0000074*t*t
	sun := 2.5534 + 29.10535670*k - 0.0000014*t*t
	moon := 201.5643 + 385.81693528*k + 0.0107582*t*t + 0.00001238*t*t*t
	node := 160.7108 + 390.67050284*k - 0.0016118*t*t
	omega := 124.7746 - 1.56375588*k + 0.0020672*t*t

	jd := 2451550.09766 + 29.530588861*k + 0.00015437*t*t
	jd -= 0.00017 * sine(omega)
	for _, c := range moonTerms {
		a := c.size * sine(c.sun*sun+c.moon*moon+c.node*node)
		for n := c.sun; n != 0; n -= math.Copysign(1, n) { // each multiple of the sun's anomaly has a factor e, up to two
			if math.Abs(c.sun)-math.Abs(n) < 2 {
				a *= e
			}
		}
		jd += a
	}
	for i, c := range planetTerms {
		a := c.phase + c.rate*k
		if i == 0 {
			a -= 0.009173 * t * t
		}
		jd += c.size * sine(a)
	}
	return jd
}

// moonTerms are multiples of the anomalies of sun and moon and of the moon's distance from its node, with the days that the
// sine of their sum moves the new moon by.
var moonTerms = []struct{ size, sun, moon, node float64 }{
	{-0.40720, 0, 1, 0}, {0.17241, 1, 0, 0}, {0.01608, 0, 2, 0}, {0.01039, 0, 0, 2}, {0.00739, -1, 1, 0},
	{-0.00514, 1, 1, 0}, {0.00208, 2, 0, 0}, {-0.00111, 0, 1, -2}, {-0.00057, 0, 1, 2}, {0.00056, 1, 2, 0},
	{-0.00042, 0, 3, 0}, {0.00042, 1, 0, 2}, {0.00038, 1, 0, -2}, {-0.00024, -1, 2, 0}, {-0.00007, 2, 1, 0},
	{0.00004, 0, 2, -2}, {0.00004, 3, 0, 0}, {0.00003, 1, 1, -2}, {0.00003, 0, 2, 2}, {-0.00003, 1, 1, 2},
	{0.00003, -1, 1, 2}, {-0.00002, -1, 1, -2}, {-0.00002, 1, 3, 0}, {0.00002, 0, 4, 0},
}

// planetTerms are what the planets do to the new moon: phase and rate in degrees, size in days.
var planetTerms = []struct{ size, phase, rate float64 }{
	{0.000325, 299.77, 0.107408}, {0.000165, 251.88, 0.016321}, {0.000164, 251.83, 26.651886}, {0.000126, 349.42, 36.412478},
	{0.000110, 84.66, 18.206239}, {0.000062, 141.74, 53.303771}, {0.000060, 207.14, 2.453732}, {0.000056, 154.84, 7.306860},
	{0.000047, 34.52, 27.261239}, {0.000042, 207.19, 0.121824}, {0.000040, 291.34, 1.844379}, {0.000037, 161.72, 24.198154},
	{0.000035, 239.56, 25.513099}, {0.000023, 331.55, 3.592518},
}
