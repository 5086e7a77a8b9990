package store

import (
	"bytes"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/assaybench/assay/record"
)

func TestBombIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks 256 MB")
	}
	var bomb bytes.Buffer
	w, err := zstd.NewWriter(&bomb)
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<20)
	for range MaxTranscript>>20 + 1 {
		if _, err := w.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := unpack(bomb.Bytes()); err == nil {
		t.Errorf("%d bytes that unpack to more than %d were taken", bomb.Len(), MaxTranscript)
	}
}

func FuzzTranscriptRoundTrip(f *testing.F) {
	f.Add("answer", "thinking", "reason", []byte("body"))
	f.Add("caf\xe9", "\xff", "\x00", []byte{0xff, 0})
	f.Add("", "", "", []byte{})
	f.Fuzz(func(t *testing.T, answer, thinking, reason string, body []byte) {
		in := record.Transcript{Outcome: record.Answered, Answer: answer, Thinking: thinking, Reason: reason, Calls: []record.Exchange{{ResponseBody: body}}}
		try, err := NewTry(0, 1, in)
		if err != nil {
			t.Fatal(err)
		}
		out, err := unpack(try.body)
		if err != nil {
			t.Fatal(err)
		}
		if out.Answer != answer || out.Thinking != thinking || !bytes.Equal(out.Calls[0].ResponseBody, body) {
			t.Errorf("%q, %q, %q came back as %q, %q, %q", answer, thinking, body, out.Answer, out.Thinking, out.Calls[0].ResponseBody)
		}
		if try.AnswerBytes != int64(len(answer)) {
			t.Errorf("%d bytes counted of %d", try.AnswerBytes, len(answer))
		}
	})
}

// FuzzUnpack gives damaged bodies to the reader, which must refuse them and go on.
func FuzzUnpack(f *testing.F) {
	try, err := NewTry(0, 1, record.Transcript{Outcome: record.Answered, Answer: "an answer"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(try.body)
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd})
	f.Add(encoder().EncodeAll([]byte(`{"outcome":"answered"} tail`), nil))
	f.Fuzz(func(t *testing.T, body []byte) {
		tr, err := unpack(body)
		if err != nil {
			return
		}
		if _, err := NewTry(0, 1, tr); err != nil {
			t.Errorf("what was read cannot be written: %v", err)
		}
	})
}
