package chat

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"
)

// Limits on what is computed. They bound the result, too: it has no more digits than the expression.
const (
	maxExpression = 1000 // bytes
	maxDepth      = 100  // of parentheses and signs
)

// compute gives the exact value of an expression of decimal numbers, + - * / and parentheses. Its errors are for a model, or a person.
func compute(expression string) (*big.Rat, error) {
	if len(expression) > maxExpression {
		return nil, fmt.Errorf("the expression has %d bytes; %d are the most", len(expression), maxExpression)
	}
	if !utf8.ValidString(expression) {
		return nil, errors.New("the expression is not UTF-8")
	}
	p := &parser{text: []rune(expression)}
	v, err := p.sum()
	if err == nil && p.next() != 0 {
		err = p.unexpected()
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

// A parser reads an expression by recursive descent, and computes as it goes.
type parser struct {
	text  []rune
	at    int
	depth int
}

// next is the next rune that is no space, in the spelling of a keyboard; 0 at the end.
func (p *parser) next() rune {
	for p.at < len(p.text) && strings.ContainsRune(" \t\r\n\u00a0", p.text[p.at]) {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	switch r := p.text[p.at]; r {
	case '×', '·':
		return '*'
	case '÷':
		return '/'
	case '−':
		return '-'
	default:
		return r
	}
}

func (p *parser) unexpected() error {
	if p.next() == 0 {
		return errors.New("the expression ends too early: a number or a parenthesis is missing")
	}
	hint := ""
	switch r := p.text[p.at]; {
	case r == ',':
		hint = "; write 1000.5, with a point and nothing between thousands"
	case r == '^' || r == '%':
		hint = "; known are + - * / and parentheses"
	case r == ')':
		hint = "; nothing opened it"
	}
	return fmt.Errorf("%q at place %d is not expected%s", p.text[p.at], p.at+1, hint)
}

func (p *parser) sum() (*big.Rat, error) {
	v, err := p.product()
	for err == nil {
		operator := p.next()
		if operator != '+' && operator != '-' {
			return v, nil
		}
		p.at++
		var w *big.Rat
		if w, err = p.product(); err == nil {
			if operator == '-' {
				w.Neg(w)
			}
			v.Add(v, w)
		}
	}
	return nil, err
}

func (p *parser) product() (*big.Rat, error) {
	v, err := p.factor()
	for err == nil {
		operator := p.next()
		if operator != '*' && operator != '/' {
			return v, nil
		}
		p.at++
		var w *big.Rat
		w, err = p.factor()
		switch {
		case err != nil:
		case operator == '*':
			v.Mul(v, w)
		case w.Sign() == 0:
			err = errors.New("nothing can be divided by zero")
		default:
			v.Quo(v, w)
		}
	}
	return nil, err
}

func (p *parser) factor() (*big.Rat, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("more than %d parentheses and signs stand inside each other", maxDepth)
	}
	defer func() { p.depth-- }()
	switch r := p.next(); {
	case r == '+' || r == '-':
		p.at++
		v, err := p.factor()
		if err == nil && r == '-' {
			v.Neg(v)
		}
		return v, err
	case r == '(':
		p.at++
		v, err := p.sum()
		if err != nil {
			return nil, err
		}
		if p.next() != ')' {
			if p.next() == 0 {
				return nil, errors.New("a parenthesis is not closed")
			}
			return nil, p.unexpected()
		}
		p.at++
		return v, nil
	case r >= '0' && r <= '9' || r == '.':
		return p.number()
	}
	return nil, p.unexpected()
}

func (p *parser) number() (*big.Rat, error) {
	start := p.at
	for p.at < len(p.text) && (p.text[p.at] >= '0' && p.text[p.at] <= '9' || p.text[p.at] == '.') {
		p.at++
	}
	text := string(p.text[start:p.at])
	if strings.Count(text, ".") > 1 || text == "." {
		return nil, fmt.Errorf("%q at place %d is no number", text, start+1)
	}
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, fmt.Errorf("%q at place %d is no number", text, start+1)
	}
	return v, nil
}

// maxPlaces is how many decimal places are shown of a number that has an end; of any other a fraction says what it is.
const maxPlaces = 30

// written is a number as text: exact, and with about how much it is where that is hard to see.
func written(v *big.Rat) string {
	if v.IsInt() {
		return v.Num().String()
	}
	if places, exact := v.FloatPrec(); exact && places <= maxPlaces {
		return v.FloatString(places)
	}
	about := v.FloatString(12)
	if strings.Trim(about, "-0.") == "" { // too small for so few places
		about = new(big.Float).SetPrec(64).SetRat(v).Text('g', 12)
	}
	return v.RatString() + " (about " + about + ")"
}
