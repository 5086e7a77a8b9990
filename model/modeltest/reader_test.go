package modeltest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// readers are the least that a client of each wire must insist on: they say whether a body is a reply that has an end, in
// whatever way it ended.
var readers = map[Wire]func(body []byte) error{
	WireChat: func(body []byte) error {
		var r struct {
			Error   jsontext.Value `json:"error"`
			Choices []struct {
				Error   jsontext.Value `json:"error"`
				Finish  string         `json:"finish_reason"`
				Message *struct {
					Content *string          `json:"content"`
					Refusal string           `json:"refusal"`
					Calls   []jsontext.Value `json:"tool_calls"`
				} `json:"message"`
			} `json:"choices"`
		}
		if err := json.Unmarshal(body, &r); err != nil {
			return err
		}
		if isThere(r.Error) || len(r.Choices) != 1 || isThere(r.Choices[0].Error) || r.Choices[0].Message == nil {
			return errors.New("no choice with a message")
		}
		if c := r.Choices[0]; c.Finish == "" || c.Finish == "error" || c.Message.Content == nil && c.Message.Refusal == "" && len(c.Message.Calls) == 0 {
			return errors.New("no end or no content")
		}
		return nil
	},
	WireOllama: func(body []byte) error {
		d := jsontext.NewDecoder(bytes.NewReader(body))
		for n := 1; ; n++ {
			var r struct {
				Error   jsontext.Value `json:"error"`
				Done    *bool          `json:"done"`
				Reason  string         `json:"done_reason"`
				Message *struct {
					Content *string `json:"content"`
				} `json:"message"`
			}
			if err := json.UnmarshalDecode(d, &r); err != nil {
				return err
			}
			if isThere(r.Error) || r.Done == nil || r.Message == nil || r.Message.Content == nil {
				return errors.New("no record of a reply")
			}
			switch {
			case *r.Done && (r.Reason == "" || r.Reason == "load" || r.Reason == "unload"):
				return errors.New("no end")
			case *r.Done:
				if _, err := d.ReadToken(); err != io.EOF {
					return fmt.Errorf("after the end: %v", err)
				}
				return nil
			case d.PeekKind() == jsontext.KindInvalid: // nothing follows
				if streamed := body[len(body)-1] == '\n'; !streamed && n == 1 || streamed && n > 30 {
					return nil // put together, or cut by the guard against repetition
				}
				return errors.New("no final record")
			}
		}
	},
	WireAnthropic: func(body []byte) error {
		var r struct {
			Type    string           `json:"type"`
			Content []jsontext.Value `json:"content"`
			Stop    string           `json:"stop_reason"`
		}
		if err := json.Unmarshal(body, &r); err != nil {
			return err
		}
		if r.Type != "message" || r.Content == nil || r.Stop == "" {
			return errors.New("no message with an end")
		}
		calls := 0
		for _, v := range r.Content {
			var b struct{ Type, Text, Thinking, Data, ID, Name string }
			if v.Kind() != '{' || json.Unmarshal(v, &b, json.MatchCaseInsensitiveNames(true)) != nil {
				return errors.New("no block")
			}
			switch b.Type {
			case "text", "thinking", "redacted_thinking":
			case "tool_use":
				if calls++; b.ID == "" || b.Name == "" {
					return errors.New("no name")
				}
			default:
				return errors.New("a block of another type")
			}
		}
		if r.Stop == "tool_use" && calls == 0 {
			return errors.New("no call")
		}
		return nil
	},
	WireGemini: func(body []byte) error {
		var r struct {
			Error    jsontext.Value `json:"error"`
			Feedback struct {
				Reason string `json:"blockReason"`
			} `json:"promptFeedback"`
			Candidates []*struct {
				Finish  string `json:"finishReason"`
				Content struct {
					Parts []struct {
						Text *string
						Call *struct{ Name string } `json:"functionCall"`
					} `json:"parts"`
				} `json:"content"`
			} `json:"candidates"`
		}
		if err := json.Unmarshal(body, &r, json.MatchCaseInsensitiveNames(true)); err != nil {
			return err
		}
		switch {
		case isThere(r.Error):
			return errors.New("an error")
		case r.Feedback.Reason != "" && len(r.Candidates) == 0:
			return nil
		case len(r.Candidates) != 1 || r.Candidates[0] == nil || r.Candidates[0].Finish == "":
			return errors.New("no candidate with an end")
		}
		for _, p := range r.Candidates[0].Content.Parts {
			if p.Text == nil && (p.Call == nil || p.Call.Name == "") {
				return errors.New("a part that is neither text nor call")
			}
		}
		return nil
	},
	WireResponses: func(body []byte) error {
		var r struct {
			Error      jsontext.Value
			Status     string
			Incomplete struct{ Reason string } `json:"incomplete_details"`
			Output     []jsontext.Value
		}
		if err := json.Unmarshal(body, &r, json.MatchCaseInsensitiveNames(true)); err != nil {
			return err
		}
		if isThere(r.Error) || r.Output == nil || strings.Contains(",failed,in_progress,queued,,", ","+r.Status+",") || r.Status == "incomplete" && r.Incomplete.Reason == "" {
			return errors.New("no response with an end")
		}
		for _, v := range r.Output {
			var it struct {
				Type, Name string
				Content    []struct{ Type, Text, Refusal string }
			}
			if v.Kind() != '{' || json.Unmarshal(v, &it, json.MatchCaseInsensitiveNames(true)) != nil || it.Type == "" || it.Type == "function_call" && it.Name == "" {
				return errors.New("no item")
			}
			for _, p := range it.Content {
				if p.Type != "output_text" && p.Type != "refusal" {
					return errors.New("a part of another type")
				}
			}
		}
		return nil
	},
}
