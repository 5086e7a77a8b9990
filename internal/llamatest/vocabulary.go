package llamatest

import (
	_ "embed"
	"fmt"
	"strings"
)

// Ids of the tokens that every scripted model has at the same place.
const (
	unknownID = 0
	beginID   = 1
	endID     = 2
	byteID    = 3 // the token of byte c is byteID+c
)

// directToken, at the end of a prompt, asks a thinking model to answer without
// thinking; the chat template adds it when thinking is switched off.
const directToken = "<|direct|>"

// controlTokens mark turns. None of them is a text that llama.cpp takes for an
// end of generation.
var controlTokens = []string{"<|system|>", "<|user|>", "<|assistant|>", "<|tool|>", "<|turn|>", directToken}

// merges are byte-pair merges learnt from English prose, the earliest first,
// with _ for the space mark. They make a prompt cost about as many tokens as
// with a real model: with byte tokens alone an English document would cost four
// times as many, and one meant for 24k tokens would not fit into 32k.
//
//go:embed merges.txt
var merges string

// letters are single characters that would otherwise cost a token for each of
// their bytes; the space mark is the one that counts.
const letters = spaceMark + "’‘“”–—…−×°£€éèêëàâáíïóôöúüäñçß"

// baseVocabulary returns the tokens of every scripted model: the specials, the
// 256 bytes, the turn markers, then merges and letters. Their order is their priority,
// since the writer scores a token by its id. Texts in taken are left out: they
// are pieces of the reply and have ids of their own.
func baseVocabulary(taken map[string]bool) []token {
	vocab := []token{{"<unk>", tokenUnknown}, {"<s>", tokenControl}, {"</s>", tokenControl}}
	for c := range 256 {
		vocab = append(vocab, token{fmt.Sprintf("<0x%02X>", c), tokenByte})
	}
	for _, text := range controlTokens {
		vocab = append(vocab, token{text, tokenControl})
	}
	words := strings.Fields(strings.ReplaceAll(merges, "_", spaceMark))
	for _, text := range append(words, strings.Split(letters, "")...) {
		if !taken[text] {
			vocab = append(vocab, token{text, tokenNormal})
		}
	}
	return vocab
}
