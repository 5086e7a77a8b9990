package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
)

// client is the least that any harness must do: send each request, and append each reply to a file that is synced at the
// end.
func client(args []string) error {
	f := flag.NewFlagSet("client", flag.ExitOnError)
	url := f.String("url", "", "base address, such as http://127.0.0.1:8080/v1")
	requests := f.String("requests", "", "request bodies, one a line")
	out := f.String("o", "", "file for the replies")
	workers := f.Int("c", 8, "requests at once")
	if err := f.Parse(args); err != nil {
		return err
	}
	in, err := os.Open(*requests)
	if err != nil {
		return err
	}
	defer in.Close()
	file, err := os.Create(*out)
	if err != nil {
		return err
	}
	defer file.Close()
	hc := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: *workers}}
	bodies := make(chan []byte, *workers)
	var mu sync.Mutex
	var wg sync.WaitGroup
	var failed error
	for range *workers {
		wg.Go(func() {
			for body := range bodies {
				reply, err := send(hc, *url, body)
				mu.Lock()
				if err == nil {
					_, err = file.Write(append(reply, '\n'))
				}
				if err != nil && failed == nil {
					failed = err
				}
				mu.Unlock()
			}
		})
	}
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		bodies <- bytes.Clone(s.Bytes())
	}
	close(bodies)
	wg.Wait()
	if err := s.Err(); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	return file.Sync()
}

func send(hc *http.Client, url string, body []byte) ([]byte, error) {
	res, err := hc.Post(url+"/chat/completions", "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	reply, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %s", res.Status)
	}
	return reply, err
}
