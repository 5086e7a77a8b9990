package realism

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strconv"
	"sync"
)

//go:embed edition/standard.json
var edition []byte

// Embedded gives the edition of the standard that ships inside: the published keys and numbers, explained in our words.
func Embedded() *Standard { return embedded() }

var embedded = sync.OnceValue(func() *Standard {
	s, err := ParseStandard("embedded", edition)
	if err != nil {
		panic("the embedded standard: " + err.Error())
	}
	return s
})

// phrasing are the SHA-256s of the published sentences behind keys whose value is prose. What such a key means here is what
// these sentences, or our own in the edition, say; a standard that words one otherwise asks for something that no check knows.
var phrasing = map[string]string{
	"scope":                                  "cc64ccddbd36b940084b05ddcdee2b985e1bb41da9b4a0d39af9adb883e46be8",
	"definition":                             "f496dc7219a1e483761d94f09d54fb59223c4bc985f96669684cbfb67ec4c1c9",
	"principle":                              "4a609b435826145d6c73e04cf3204d078186a877f907c99768d441bbf107da1f",
	"workflow.structuralCloneGate.rationale": "43a54bb2f08e37fe15db0423dcf2a0a8dd8f2df4b45c145a1b49c719100d1e7f",
	"reasoningChain.hopClasses.H1":           "9f2e46a2ec0279195f317df1d7643ee5163b01cd7bffe270f79e18dbedf4017b",
	"reasoningChain.hopClasses.H2":           "7f526f4c354648355653e13125853fa03a5f65e9f76c8362b49c6c09d5cca318",
	"reasoningChain.hopClasses.H3":           "cd9e1dbadeff6a429873cbb7b0618b52576cfd4bee9a03ad10d5f3d15a914e04",
	"reasoningChain.hopClasses.H4":           "6fb3574250c7ccf9d482f2233f221dbf9a56b6b432b43346d2280f32568449a6",
	"reasoningChain.hopClasses.H5":           "e8f54e216c9977960eddabb91a6c47de2fe816485aba20fe224c5ab8cb40458b",
	"reasoningChain.hopClasses.H6":           "3b1ac3dfc38d98427125840ff93e3254f86af848055f01b54d50e107e7f9a85c",
	"reasoningChain.hopClasses.H7":           "10040bd000738ad8fef27e4c2ab3f8c38d1d3fdd4578e71f4e86a73c4a628262",
	"reasoningChain.hopClasses.H8":           "bfaf953d09f83ec6b1399bc4b609ec228601174cfa06e9a5dd91303b74bca9ab",
	"reasoningChain.hopClasses.H9":           "d19fc98bcfa736330699869a922cd7769c7aece9a3b06bfc02658a97a84b1567",
	"reasoningChain.hopClasses.H10":          "71ded35b2e236bc4ed044445bfe47d63508be80a1ebf4940ec80c0e41e5b5974",
	"reasoningChain.hopClasses.H11":          "373c015fba54af73f3b16f992d44d9247b19fce3fb33996c93461b25539bf3e7",
	"reasoningChain.hopClasses.H12":          "8075827d51e391d3774efa2ba479716043c91b2145f17152dc0175f4c24e4689",
	"reasoningChain.hopClasses.H13":          "6d36da1508aad07508b2bac088e1d36f01c605382ba62fcde5db44cea7ed6e5c",
	"workflow.causalConstraintsGraded#0":     "f2bb3c80881e01fc654d5944758cce96639605c0ed958b61966e1ea6a00f3faf",
	"workflow.causalConstraintsGraded#1":     "e63e83e490fb330b23eb87545b5b6eda2ba5d4f7999a33766271b936fd511936",
	"workflow.causalConstraintsGraded#2":     "4c2c9904c7397ac951a4bf7b01aa4746a0502ccd71be9277eb3dfac0e1af3a47",
	"workflow.causalConstraintsGraded#3":     "031fd88cd60c4e0faf4d97459021c88edb11ccf1257b3b8795c99cce6081848e",
}

// KnownWording says whether a key's prose is the published one or the edition's, so that a check of that key measures what
// it asks. Of a list, key carries the place of the text: workflow.causalConstraintsGraded#2.
func KnownWording(key, text string) bool {
	sum := sha256.Sum256([]byte(text))
	if want, ok := phrasing[key]; ok && want == hex.EncodeToString(sum[:]) {
		return true
	}
	for _, l := range Embedded().Leaves {
		switch v := l.Value.(type) {
		case string:
			if l.Key == key {
				return v == text
			}
		case []string:
			for i, s := range v {
				if l.Key+"#"+strconv.Itoa(i) == key {
					return s == text
				}
			}
		}
	}
	return false
}

type schema struct {
	types map[string]string
	order []string
}

var published = sync.OnceValue(func() schema {
	r, err := flatten(edition)
	if err != nil {
		panic("the embedded standard: " + err.Error())
	}
	s := schema{types: map[string]string{}}
	for _, l := range r {
		s.types[l.Key] = typeName(l.Value)
		s.order = append(s.order, l.Key)
	}
	return s
})

// leafTypes gives the type of every key of the schema, as typeName words it.
func leafTypes() map[string]string { return published().types }

// leafOrder gives the keys of the schema in the published order.
func leafOrder() []string { return published().order }
