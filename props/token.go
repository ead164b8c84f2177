package props

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"strings"
)

// What a token names.
const (
	domainInstance = 1 // one instance of a deterministic check
	domainConfirm  = 2 // the confirmation run on one instance of a randomised check
	domainWhole    = 3 // a part of a check that has no instance: it is run again
)

// tokenVersion heads every token; it changes when the meaning of the bytes does.
const tokenVersion = "v2"

// token names one piece of evidence so that it can be evaluated again: "v2:<claim>:<payload>".
type token struct {
	claim   string
	index   int
	domain  uint64
	what    string
	seed    uint64
	tier    Tier
	alpha   float64
	tests   int // slots among which alpha is divided
	rank    int // of the instance among those confirmed
	choices []float64
}

func (e *execution) token(what string, domain uint64, choices []float64) string {
	return e.ranked(what, domain, 0, choices)
}

func (e *execution) ranked(what string, domain uint64, rank int, choices []float64) string {
	t := token{e.claim, e.index, domain, what, e.cfg.Seed, e.cfg.Tier, e.cfg.Alpha,
		Slots(e.cfg.Tests), rank, choices}
	return t.String()
}

// String writes the token. Numbers are written as their exact bits, byte-reversed so that round
// ones are short.
func (t *token) String() string {
	b := binary.AppendUvarint(nil, uint64(t.index))
	b = binary.AppendUvarint(b, t.domain)
	b = binary.AppendUvarint(b, t.seed)
	b = append(b, byte(t.tier))
	b = appendFloat(b, t.alpha)
	b = binary.AppendUvarint(b, uint64(bits.Len(uint(t.tests))))
	b = binary.AppendUvarint(b, uint64(t.rank))
	b = binary.AppendUvarint(b, uint64(len(t.what)))
	b = append(b, t.what...)
	b = binary.AppendUvarint(b, uint64(len(t.choices)))
	for _, v := range t.choices {
		b = appendFloat(b, v)
	}
	sum := crc32.ChecksumIEEE(append([]byte(t.claim), b...))
	b = append(b, byte(sum), byte(sum>>8), byte(sum>>16))
	return tokenVersion + ":" + t.claim + ":" + base64.RawURLEncoding.EncodeToString(b)
}

func appendFloat(b []byte, v float64) []byte {
	return binary.AppendUvarint(b, bits.ReverseBytes64(math.Float64bits(v)))
}

// fits reports whether the choices of the token are those that the check has made of them.
func (t *token) fits(drawn []Choice) error {
	if len(drawn) != len(t.choices) {
		return fmt.Errorf(
			"props: the replay token holds %d choices, the check makes %d: it belongs to another version "+
				"of the claim", len(t.choices), len(drawn))
	}
	for i := range drawn {
		if c := &drawn[i]; c.Value != t.choices[i] {
			return fmt.Errorf(
				"props: the replay token holds %v for %q, which admits [%v, %v]: it belongs to another "+
					"version of the claim",
				t.choices[i], c.Name, c.Lo, c.Hi)
		}
	}
	return nil
}

var errKind = errors.New(
	"props: the replay token belongs to a check of another kind: to another version of the claim")

var errToken = errors.New("props: the replay token is damaged or incomplete")

// parseToken reads what String wrote.
func parseToken(s string) (*token, error) {
	s = strings.Join(strings.Fields(s), "") // a document breaks tokens into lines
	version, rest, _ := strings.Cut(s, ":")
	i := strings.LastIndexByte(rest, ':')
	if i < 0 {
		return nil, fmt.Errorf(
			"props: %.60q is not a replay token of the form %s:<claim>:<payload>", s, tokenVersion)
	}
	if version != tokenVersion {
		return nil, fmt.Errorf("props: the replay token has version %.10q, this program reads %s",
			version, tokenVersion)
	}
	t := &token{claim: rest[:i]}
	b, err := base64.RawURLEncoding.DecodeString(rest[i+1:])
	if err != nil || len(b) < 3 {
		return nil, errToken
	}
	body, tail := b[:len(b)-3], b[len(b)-3:]
	sum := crc32.ChecksumIEEE(append([]byte(t.claim), body...))
	if byte(sum) != tail[0] || byte(sum>>8) != tail[1] || byte(sum>>16) != tail[2] {
		return nil, errToken
	}
	r := reader{b: body}
	t.index = r.count(1 << 20)
	t.domain = r.uvarint()
	t.seed = r.uvarint()
	t.tier = Tier(r.count(int(Deep)))
	t.alpha = r.float()
	if k := r.count(bits.Len(mostTests)); k > 0 {
		t.tests = 1 << (k - 1)
	}
	t.rank = r.count(mostTests)
	t.what = string(r.bytes(r.count(len(body))))
	n := r.count(len(body))
	for range n {
		t.choices = append(t.choices, r.float())
	}
	if r.bad || len(r.b) != 0 || t.domain < domainInstance || t.domain > domainWhole {
		return nil, errToken
	}
	return t, nil
}

// reader takes numbers off a payload; after the first failure everything it returns is zero.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) count(most int) int {
	v := r.uvarint()
	if v > uint64(most) {
		r.bad = true
		return 0
	}
	return int(v)
}

func (r *reader) float() float64 { return math.Float64frombits(bits.ReverseBytes64(r.uvarint())) }

func (r *reader) bytes(n int) []byte {
	if n > len(r.b) {
		r.bad = true
		return nil
	}
	s := r.b[:n]
	r.b = r.b[n:]
	return s
}
