package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/assaybench/assay/contention"
	"github.com/assaybench/assay/internal/doctor"
)

// illReport is one in which everything occurs, and some texts are long or hostile.
func illReport() *doctor.Report {
	r := &doctor.Report{
		Program:     doctor.Program{Finding: doctor.Finding{State: doctor.OK, Say: "v1.2.3, go1.26.8, linux/amd64"}},
		CPUs:        doctor.CPUs{Finding: doctor.Finding{State: doctor.OK, Say: "64, of which this program may use 8"}},
		Memory:      doctor.Memory{Finding: doctor.Finding{State: doctor.Missing, Say: "not known here: there is no /proc on darwin"}},
		Accelerator: doctor.Accelerator{Finding: doctor.Finding{State: doctor.OK, Say: "NVIDIA RTX 6000 Ada, 48.0 GiB; NVIDIA RTX 6000 Ada, 48.0 GiB"}, List: []contention.AcceleratorLoad{}},
		Sandbox: doctor.Sandbox{Finding: doctor.Finding{State: doctor.Missing, Say: "none: bwrap: not installed; landlock: the kernel offers Landlock ABI 0, 3 is needed",
			Do: "install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap), or use Linux 6.2 or newer with Landlock enabled"}},
		Python:    doctor.Python{Finding: doctor.Finding{State: doctor.NotAsked, Say: "it is used inside the sandbox alone"}},
		Disk:      doctor.Disk{Finding: doctor.Finding{State: doctor.OK, Say: "12.3 GiB free, where .assay is"}},
		Database:  doctor.Database{Finding: doctor.Finding{State: doctor.OK, Say: "3 runs in .assay/assay.db, schema 2"}},
		Prices:    doctor.Prices{Finding: doctor.Finding{State: doctor.OK, Say: "15 models in USD as of 2026-11-30"}},
		Providers: []doctor.Provider{{Name: "gemini", Finding: doctor.Finding{State: doctor.Missing, Say: "GEMINI_API_KEY or GOOGLE_API_KEY is not set; https://generativelanguage.googleapis.com/v1beta (default)", Do: "set GEMINI_API_KEY or GOOGLE_API_KEY, or name a server of your own: --model gemini/NAME@http://HOST:PORT"}}},
	}
	for i := range 15 {
		r.Prices.Models = append(r.Prices.Models, fmt.Sprintf("anthropic/model-%02d", i))
	}
	s := doctor.Server{Provider: "ollama", Address: "http://127.0.0.1:11434", AddressFrom: "default", Total: 15, Finding: doctor.Finding{State: doctor.OK, Say: "Ollama 0.31.7, 15 models"}}
	for i := range 15 {
		m := doctor.Model{Name: fmt.Sprintf("gemma4:%db", i), Digest: "6577803aa9a036369e481d648a2baebb381ebc6e897f2bb9a766a2aa7bfbc1cf", Context: 131072, Bytes: 17_000_000_000}
		switch i {
		case 1:
			m.Name, m.Loaded = "hf.co/somebody/A-Model-With-A-Very-Long-Name-Instruct-GGUF:Q4_K_M", 8192
		case 2:
			m.Name, m.Remote, m.Bytes = "\x1b[31m二つ\u202e", "https://ollama.com", 0
		}
		s.Models = append(s.Models, m)
	}
	r.Servers = []doctor.Server{s,
		{Provider: "openai", Address: "http://127.0.0.1:8080/v1", AddressFrom: "usual port of llama.cpp", Finding: doctor.Finding{State: doctor.Missing, Say: "nothing listens there", Do: "start it: llama-server -m FILE.gguf (--server openai@URL looks at another address)"}},
		{Provider: "openai", Address: "http://127.0.0.1:8000/v1", AddressFrom: "usual port of vLLM", Total: 1, Models: []doctor.Model{{Name: "alone"}}, Finding: doctor.Finding{State: doctor.OK, Say: "vLLM 0.14.2, 1 model"}},
		{Provider: "anthropic", Address: "https://api.anthropic.com", AddressFrom: "default", Finding: doctor.Finding{State: doctor.NotAsked, Say: "it is not on this machine", Do: "assay doctor --online asks"}},
	}
	return r
}

// TestDoctorPage prints the report for terminals of two widths, and for a pipe, and holds it against what it was when
// somebody looked at it.
func TestDoctorPage(t *testing.T) {
	for _, width := range []int{0, 80, 120} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			var out bytes.Buffer
			p := &Process{Stdout: &out, Width: width}
			p.printDoctor(illReport())
			for line := range strings.Lines(out.String()) {
				line = strings.TrimSuffix(line, "\n")
				if n := text.StringWidthWithoutEscSequences(line); width > 0 && n > width {
					t.Errorf("%d columns: %s", n, line)
				}
				if strings.HasSuffix(line, " ") || strings.ContainsAny(line, "\x1b\u202e\r") {
					t.Errorf("unfit: %q", line)
				}
			}
			golden := filepath.Join("testdata", fmt.Sprintf("doctor-%d.txt", width))
			if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
				if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(want, out.Bytes()) {
				t.Errorf("the page is\n%s\nwant\n%s", out.String(), want)
			}
		})
	}
}
