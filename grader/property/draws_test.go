package property_test

import (
	"testing"

	"forgetmenot/grader/property"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawn are the first programs of a property.
func drawn(c *property.Checker, prop *property.Property, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = c.Program(prop, i).String()
	}
	return out
}

func TestTheDefaults(t *testing.T) {
	c := property.NewChecker(property.Options{})
	require.EqualValues(t, 1, c.Seed())
	require.Equal(t, 100, c.Cases())
	c = property.NewChecker(property.Options{Seed: 7, Cases: 3})
	require.EqualValues(t, 7, c.Seed())
	require.Equal(t, 3, c.Cases())
	require.Equal(t, drawn(property.NewChecker(property.Options{}), counter(), 20), drawn(property.NewChecker(property.Options{Seed: 1}), counter(), 20))
}

func TestProgramsDependOnSeedIDAndNumberOnly(t *testing.T) {
	other := counter()
	other.ID = "other"
	want := drawn(property.NewChecker(property.Options{Seed: 9}), counter(), 60)

	t.Run("not on the other properties", func(t *testing.T) {
		c := property.NewChecker(property.Options{Seed: 9})
		drawn(c, other, 33)
		require.Equal(t, want, drawn(c, counter(), 60))
	})
	t.Run("not on the number of cases", func(t *testing.T) {
		require.Equal(t, want, drawn(property.NewChecker(property.Options{Seed: 9, Cases: 7, ShrinkRuns: 3}), counter(), 60))
	})
	t.Run("not on which is asked for first", func(t *testing.T) {
		c, prop := property.NewChecker(property.Options{Seed: 9}), counter()
		require.Equal(t, want[59], c.Program(prop, 59).String())
		require.Equal(t, want, drawn(c, prop, 60))
		require.Same(t, c.Program(prop, 5), c.Program(prop, 5))
	})
	t.Run("but on the seed", func(t *testing.T) {
		require.NotEqual(t, want, drawn(property.NewChecker(property.Options{Seed: 10}), counter(), 60))
		require.NotEqual(t, want, drawn(property.NewChecker(property.Options{Seed: 9 << 56}), counter(), 60))
	})
	t.Run("and on the id", func(t *testing.T) {
		require.NotEqual(t, want, drawn(property.NewChecker(property.Options{Seed: 9}), other, 60))
	})
	t.Run("so that cases differ", func(t *testing.T) {
		different := map[string]bool{}
		for _, s := range want {
			different[s] = true
		}
		require.Greater(t, len(different), 40)
	})
}

func TestSizesAreCounted(t *testing.T) {
	var sizes []property.Size
	prop := counter()
	prop.Draw = func(t *rapid.T, size property.Size) *property.Program {
		sizes = append(sizes, size)
		return drawCounter(t, size)
	}
	property.NewChecker(property.Options{}).Program(prop, 199)
	var at [3][]int
	for i, s := range sizes {
		at[s] = append(at[s], i)
	}
	require.Len(t, sizes, 200)
	require.Equal(t, []int{50, 150}, at[property.Large])
	require.Equal(t, []int{5, 25, 45, 65, 85, 105, 125, 145, 165, 185}, at[property.Medium])
}
