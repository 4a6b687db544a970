// Package store keeps things.
package store

import "fmt"

import (
	"os"
	str "strings"
	_ "embed"
)

// Limit bounds the store. It is small.
const Limit = 3

const (
	// First of all.
	First = iota
	second
)

var (
	Default, other = 1, 2
	handler        = func() {}
)

var _ fmt.Stringer = (*Stack[int])(nil)

// Stack holds items.
type Stack[T any] struct {
	items []T
	A, B  int
	fmt.Stringer
}

type Alias = int

type (
	// ID names one.
	ID   string
	Pair struct{ left, right int }
)

// Sizer tells sizes.
type Sizer interface {
	Size() int
	fmt.Stringer
}

type Number interface {
	~int | ~float64
}

//go:noinline
// Push adds one.
func (s *Stack[T]) Push(v T) {
	const local = 1
	var x = 2
	helper := func(a int) int { return a }
	if x > 1 {
		helper(x)
	}
	switch x {
	case 1:
		fmt.Println("func Fake() {}")
	default:
		return
	}
}

func (s Stack[T]) Len() int { return len(s.items) }

func (Stack[T]) reset() {}

/*
func CommentedOut() {}
*/

func Map[T, U any](
	in []T,
	f func(T) U,
) []U {
	return nil
}

func torn(a int {
	if a > 1 {

// After the break.
func After() string {
	return `func Raw() {}`
}
