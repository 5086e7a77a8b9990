// Command kyureki prints the Kairos premise of the Japanese lunisolar calendar: new moons and solar terms as tables in
// Japanese time, and the numbers of the lunar months. Nothing but the arguments of its code decides what it prints.
//
//	go run ./kairos/kyureki > examples/kairos/kyureki.kairos
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// The years whose months are numbered.
const firstYear, lastYear = 2020, 2035

func main() {
	w := bufio.NewWriter(os.Stdout)
	fmt.Fprint(w, program())
	if err := w.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// program gives the text of the premise.
func program() string {
	c := calendar(firstYear, lastYear)
	var b strings.Builder
	b.WriteString(heading)
	covering := fmt.Sprintf("%s..%s", c.months[0].start, c.last)

	moons := make([]string, len(c.months))
	days := make([]string, len(c.months))
	numbers := make([]string, len(c.months))
	names := make([]string, len(c.months))
	for i, m := range c.months {
		moons[i], days[i], numbers[i] = m.moon.String(), m.start.String(), fmt.Sprint(m.number)
		names[i] = `"` + monthName(m.number, m.leap) + `"`
	}
	list(&b, "newMoons", moons, 6, covering)
	b.WriteString("\n  # The days of the new moons, and of all 24 terms: what months and periods begin with.\n")
	list(&b, "newMoonDays", days, 10, covering)
	list(&b, "solarTermDays", c.termDays(), 10, covering)
	b.WriteString("\n  # The terms at which the sun's longitude is a multiple of 30 degrees, and those between them.\n")
	list(&b, "principalTerms", texts(c.principal), 6, covering)
	list(&b, "sectionalTerms", texts(c.sectional), 6, covering)
	b.WriteString("\n  # The numbers of the months by the rule above. A leap month has the number of the one before it.\n")
	list(&b, "monthNumbers", numbers, 24, "")
	list(&b, "monthNames", names, 8, "")
	b.WriteString(definitions)
	return b.String()
}

// list writes NAME = [...], some elements to the line.
func list(b *strings.Builder, name string, elems []string, perLine int, covering string) {
	fmt.Fprintf(b, "  %s = [\n", name)
	for i := 0; i < len(elems); i += perLine {
		end := min(i+perLine, len(elems))
		b.WriteString("    " + strings.Join(elems[i:end], ", "))
		if end < len(elems) {
			b.WriteString(",")
		}
		b.WriteString("\n")
	}
	b.WriteString("  ]")
	if covering != "" {
		b.WriteString(" covering: " + covering)
	}
	b.WriteString("\n")
}

func texts(minutes []minute) []string {
	out := make([]string, len(minutes))
	for i, m := range minutes {
		out[i] = m.String()
	}
	return out
}

// monthName writes a month's number in Japanese.
func monthName(number int, leap bool) string {
	names := [...]string{"一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"}
	if leap {
		return "閏" + names[number-1] + "月"
	}
	return names[number-1] + "月"
}

const heading = `# The Japanese lunisolar calendar (kyureki), 2020 to 2035.
#
# A month begins on the day of a new moon, in Japanese time. The month in which the sun reaches the winter solstice is the
# eleventh. Where thirteen months begin from one such month up to the next, the first of them in which the sun reaches no
# multiple of 30 degrees is a leap month: it takes the number of the month before it.
#
# In 2033 and 2034 three months are without such a term, and the old rule of 1844, by which equinoxes and solstices all fix
# their months, cannot be kept. There is no authority to ask. The rule above makes the month from 2033-12-22 a leap
# eleventh month, which is also what is mostly recommended.
#
# The tables are computed by kairos/kyureki (new moons by the series of Meeus, solar terms by the largest terms of VSOP87,
# 69.2 s between uniform time and UTC) and agree to the minute with the almanacs of 2025 to 2027, or miss it by one; where
# they miss it, the almanac's minute stands here. After 2027 expect an error of a minute at most. No new moon within these
# years comes so close to midnight that this could move a month. The term of 2030-02-18T23:59 is a few seconds from it: an
# almanac may put it on the 19th, in the same month.
#
# To use it, put your own text behind it:
#
#   @Kyureki
#   lunarDate(8, 15)

premise Kyureki = Gregorian with {
  tz: "Asia/Tokyo"
  source: "computed; minutes of 2025 to 2027 as in the almanac"
  asof: "the almanac of 2027"

`

const definitions = `
  # Months from new moon to new moon. lunarMonth(d) is a number, lunarMonthName(d) a name. The data may reach further than an
  # evaluation has days, so that months may be empty.
  lunarMonth      = day |> segmentBy(newMoonDays, edges: drop, empties: keep, labels: monthNumbers)
  lunarMonthName  = day |> segmentBy(newMoonDays, edges: drop, empties: keep, labels: monthNames)
  lunarDayNo      = d => ordinalIn(day, lunarMonth, d)
  inLeapMonth     = d => lunarMonthName(d) != plainNames[lunarMonth(d) - 1]
  plainNames      = ["一月", "二月", "三月", "四月", "五月", "六月", "七月", "八月", "九月", "十月", "十一月", "十二月"]

  # The n-th day of the m-th month of every year; of the month itself, not of a leap month of its number.
  lunarDate(m, n) = lunarMonth |> filter(d => lunarMonth(d) == m and lunarDayNo(d) == n and not inLeapMonth(d))
  lunarNewYear    = lunarDate(1, 1)

  # What the rule for leap months looks at: the months without a principal term.
  monthsWithoutTerm = lunarMonth |> first |> filter(d => not coincides(principalTerms, lunarMonth, d))

  # The 24 solar terms as periods: solarTerm(d) is the name of the one that began last.
  solarTerm = day |> segmentBy(solarTermDays, edges: drop, empties: keep, labels: cycle [
    小寒, 大寒, 立春, 雨水, 啓蟄, 春分, 清明, 穀雨, 立夏, 小満, 芒種, 夏至,
    小暑, 大暑, 立秋, 処暑, 白露, 秋分, 寒露, 霜降, 立冬, 小雪, 大雪, 冬至
  ] anchor: 2020-01-06)

  # Rokuyo, the six days: they go round within a month and begin anew with each.
  rokuyoNames = ["大安", "赤口", "先勝", "友引", "先負", "仏滅"]
  rokuyo      = d => rokuyoNames[(lunarMonth(d) + lunarDayNo(d)) mod 6]
}
`
