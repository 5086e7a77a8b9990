package sandbox

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// order is what Run tells the helper processes: a header of JSON with its
// length before it, then the files' bytes one after another, in one memfd.
type order struct {
	Tier  Tier
	Argv  [][]byte // bytes: a candidate's line need not be UTF-8
	Work  string   // the working folder
	Tmp   string   // TMPDIR
	Base  string   // landlock: the folder that holds both
	UID   int      // user and group to become before execution; 0: stay
	ABI   int      // landlock: the kernel's ABI
	Procs int      // value of RLIMIT_NPROC
	Agent bool     // an agent's: it has a network, an environment and room
	Env   [][]byte // of an agent
	Ports []string // addresses that the supervisor listens on
	Limits
	Files []orderFile
}

type orderFile struct {
	Path []byte // relative, '/' separated
	Size int64
}

// report is a line of JSON on the status pipe, from the helpers to Run.
type report struct {
	Started  bool          `json:",omitempty"` // the candidate is about to run
	Launched bool          `json:",omitempty"` // all that comes before it is done; what happens from here on is its own doing
	Fault    string        `json:",omitempty"` // our own or the machine's fault, in one line
	Missing  string        `json:",omitempty"` // the program that does not exist
	Ended    bool          `json:",omitempty"` // the candidate ended, the fields below count
	Exit     int           `json:",omitempty"`
	Stopped  string        `json:",omitempty"`
	Elapsed  time.Duration `json:",omitempty"`
}

// Descriptors of the helpers. The candidate gets 0 to 2 only.
const (
	fdOrder    = 3 + iota // memfd with the order
	fdStatus              // pipe for reports
	fdLifeline            // pipe that ends when Run or its process does
	fdLock                // landlock: keeps the box's folder locked; bwrap: the program itself
	fdNetwork             // of an agent: where its network's listeners are sent
	fdShown               // of an agent: the first of the files that bubblewrap shows it
)

// memfile makes an anonymous file in memory that nobody can change afterwards.
func memfile(name string, mode uint32, write func(io.Writer) error) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("sandbox: memfd_create: %w", err)
	}
	f := os.NewFile(uintptr(fd), name)
	fail := func(what string, err error) (*os.File, error) {
		f.Close()
		return nil, fmt.Errorf("sandbox: %s in memory: %s: %w", name, what, err)
	}
	if err := write(f); err != nil {
		return fail("write", err)
	}
	if err := unix.Fchmod(fd, mode); err != nil {
		return fail("chmod", err)
	}
	seals := unix.F_SEAL_SEAL | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_WRITE
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals); err != nil {
		return fail("seal", err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return fail("seek", err)
	}
	return f, nil
}

// writeOrder is the inverse of readOrder.
func writeOrder(o order, files map[string][]byte) (*os.File, error) {
	header, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("sandbox: order: %w", err)
	}
	return memfile("sandbox-order", 0o400, func(w io.Writer) error {
		length := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
		if _, err := w.Write(append(length, header...)); err != nil {
			return err
		}
		for _, f := range o.Files {
			if _, err := w.Write(files[string(f.Path)]); err != nil {
				return err
			}
		}
		return nil
	})
}

// readOrder reads the header; the files' bytes begin at the returned offset.
// It does not move the descriptor's position, which the helpers share.
func readOrder(r io.ReaderAt) (o order, data int64, err error) {
	var length [8]byte
	if _, err := r.ReadAt(length[:], 0); err != nil {
		return o, 0, fmt.Errorf("order: %w", err)
	}
	n := int64(binary.LittleEndian.Uint64(length[:]))
	if err := json.NewDecoder(io.NewSectionReader(r, 8, n)).Decode(&o); err != nil {
		return o, 0, fmt.Errorf("order: %w", err)
	}
	return o, 8 + n, nil
}

// send writes one report. One write of a short line into a pipe is atomic.
func send(status *os.File, r report) {
	if line, err := json.Marshal(r); err == nil {
		_, _ = status.Write(append(line, '\n')) // nobody left to tell
	}
}
