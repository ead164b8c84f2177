package props

import (
	"math"
	"strconv"
	"strings"
)

// Number writes a number for a reader, to the given significant digits and without trailing zeros:
// plainly from 1e-4 up to a million, and with a power of ten beyond, such as 1.886×10⁵⁶. What is
// not finite becomes a dash.
func Number(x float64, digits int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "–"
	}
	if a := math.Abs(x); a == 0 || a >= 1e-4 && a < 1e6 {
		mag := 0
		if a > 0 {
			mag = int(math.Floor(math.Log10(a)))
		}
		return minus(trimZeros(strconv.FormatFloat(x, 'f', max(digits-1-mag, 0), 64)))
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits-1, 64), "e")
	e, _ := strconv.Atoi(exponent)
	power := "10" + superscript.Replace(strconv.Itoa(e))
	switch mantissa = trimZeros(mantissa); mantissa {
	case "1":
		return power
	case "-1":
		return minus("-" + power)
	}
	return minus(mantissa) + "×" + power
}

// Raised writes a power so that no reader can take a part of the exponent for something that
// follows it: s^2, but s^(1/2), s^(−0.667) and s^(T−1).
func Raised(base, exponent string) string {
	for _, r := range exponent {
		if r < '0' || r > '9' {
			return base + "^(" + strings.ReplaceAll(exponent, "-", "−") + ")"
		}
	}
	return base + "^" + exponent
}

func trimZeros(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

var superscript = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
	"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")
