package run

import "strings"

// probeWord makes a word of fourteen letters that stands in no text.
func probeWord(random uint64) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for range 7 {
		b.WriteByte(consonants[random%uint64(len(consonants))])
		random /= uint64(len(consonants))
		b.WriteByte(vowels[random%uint64(len(vowels))])
		random /= uint64(len(vowels))
	}
	return b.String()
}

// probePrompt is a prompt of at least size bytes, and of at most one sentence more where size is larger than its frame: plain
// prose, always the same, between two words.
func probePrompt(head, tail string, size int) string {
	first := "The first word to remember is: " + head + "\n\nA long text about a market town follows. It has nothing to do with the task. After it stands a second word to remember.\n\n"
	last := "\n\nThe second word to remember is: " + tail + "\n\nThe task: write the first word to remember and then the second word to remember, on one line, and nothing else."
	var b strings.Builder
	b.Grow(size + 300)
	b.WriteString(first)
	for i := 0; b.Len()+len(last) < size; i++ {
		if i > 0 && i%6 == 0 {
			b.WriteString("\n\n")
		} else if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(fillerSentence(i))
	}
	b.WriteString(last)
	return b.String()
}

// The parts of the filler's sentences. Their numbers have no common factor, so the sentences do not come round again for a
// long while: some servers take a text that repeats itself for a fault.
var (
	fillerWhen  = []string{"In the morning", "Toward noon", "On most days", "After the rain", "Before the bells", "In a dry summer", "Late in the week"}
	fillerWho   = []string{"the baker from the corner", "a porter with two carts", "the keeper of the bridge", "an old carpenter", "the woman who sold candles", "a clerk of the council", "the boy from the mill", "a trader in salt", "the widow by the well", "a tinker", "the miller"}
	fillerDid   = []string{"carried flour up the long stairs", "counted the barrels behind the hall", "mended the gate of the lower yard", "spoke about the price of rope", "waited for the boats to come in", "swept the stones before the door", "painted a board in green and white", "wrote a letter to the next town", "looked for a lost key", "set out the tables", "fed the grey horse", "measured the new cloth", "lit the lamps on the quay"}
	fillerWhile = []string{"while the children played near the fountain", "and nobody took much notice", "because the road was still wet", "as had been the custom for years", "although the wind was cold"}
)

func fillerSentence(i int) string {
	return fillerWhen[i%len(fillerWhen)] + " " + fillerWho[i%len(fillerWho)] + " " + fillerDid[i%len(fillerDid)] + " " + fillerWhile[i%len(fillerWhile)] + "."
}
