package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// answer is what the mock answers and every generated item wants.
const answer = "ANSWER: 42"

const manifest = `id: speed
version: "1"
title: Generated items for measuring the engine
shape: prompt
licence: Apache-2.0
attribution: generated
families:
  - {id: sums, title: Sums, quota: %d}
protocol:
  temperature: 0
  top_p: 1
  repeats: 1
  pass_rule: all
  context: 4096
  default_posture: plain
  postures:
    plain: {thinking: off, max_output: 64, timeout: 60s}
`

const item = `id: %[1]s
family: sums
basis: exact
prompt: |
  %[2]s
rules:
  - answer: {number: 42}
controls:
  accept:
    - answer: "ANSWER: 42"
    - answer: "It is forty-two.\nANSWER: 42.0"
  reject:
    - {answer: "ANSWER: 43", breaks: answer}
    - {answer: "ANSWER: 41", breaks: answer}
    - {answer: "42", breaks: answer}
    - {answer: "ANSWER: 42 apples", breaks: answer}
`

func prompt(i int) string {
	return fmt.Sprintf("Question %d: what is %d minus %d? End with a line of the form ANSWER: N, N being the number.", i, i+42, i)
}

func gen(args []string) error {
	f := flag.NewFlagSet("gen", flag.ExitOnError)
	n := f.Int("n", 1000, "items")
	out := f.String("o", "", "folder")
	url := f.String("url", "http://127.0.0.1:8080/v1", "the mock's address, for the promptfoo configuration")
	concurrency := f.Int("c", 8, "concurrency, for the promptfoo configuration")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *out == "" {
		return fmt.Errorf("gen: -o is missing")
	}
	return generate(*out, *n, *url, *concurrency)
}

func generate(dir string, n int, url string, concurrency int) error {
	items := filepath.Join(dir, "bench", "items")
	if err := os.MkdirAll(items, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "bench", "bench.yaml"), fmt.Appendf(nil, manifest, n), 0o644); err != nil {
		return err
	}
	requests, err := os.Create(filepath.Join(dir, "requests.jsonl"))
	if err != nil {
		return err
	}
	defer requests.Close()
	foo, err := os.Create(filepath.Join(dir, "promptfoo.yaml"))
	if err != nil {
		return err
	}
	defer foo.Close()
	rw, fw := bufio.NewWriter(requests), bufio.NewWriter(foo)
	fmt.Fprintf(fw, "prompts: ['{{q}}']\nproviders:\n  - id: openai:chat:mock\n    config: {apiBaseUrl: %q, apiKey: none, temperature: 0, max_tokens: 64}\nevaluateOptions: {maxConcurrency: %d}\ntests:\n", url, concurrency)
	for i := range n {
		id := fmt.Sprintf("q%06d", i)
		if err := os.WriteFile(filepath.Join(items, id+".yaml"), fmt.Appendf(nil, item, id, prompt(i)), 0o644); err != nil {
			return err
		}
		body, err := json.Marshal(map[string]any{"model": "mock", "temperature": 0, "top_p": 1, "max_tokens": 64,
			"messages": []map[string]string{{"role": "user", "content": prompt(i) + "\n"}}})
		if err != nil {
			return err
		}
		rw.Write(append(body, '\n'))
		fmt.Fprintf(fw, "  - vars: {q: %q}\n    assert: [{type: equals, value: %q}]\n", prompt(i), answer)
	}
	if err := rw.Flush(); err != nil {
		return err
	}
	return fw.Flush()
}
