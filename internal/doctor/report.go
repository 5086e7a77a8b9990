package doctor

import "github.com/assaybench/assay/contention"

// Kind stands in each report. It changes when the meaning of a member does.
const Kind = "doctor/1"

// State is how something stands.
type State string

// The states. What is missing is no fault: it may not be needed.
const (
	OK       State = "ok"
	Missing  State = "missing"
	NotAsked State = "not asked"
	Fault    State = "fault" // it is there, and does not do
)

// Finding is what was found of one thing: each a line for people, bounded and safe for a terminal.
type Finding struct {
	State State  `json:"state"`
	Say   string `json:"say"`
	Do    string `json:"do"` // what to do where something is missing or wrong, "" for nothing
}

// Report is everything that was found. Members are always there; numbers that are not known are 0 or null.
type Report struct {
	Kind        string      `json:"kind"`
	Program     Program     `json:"program"`
	CPUs        CPUs        `json:"cpus"`
	Memory      Memory      `json:"memory"`
	Accelerator Accelerator `json:"accelerator"`
	Sandbox     Sandbox     `json:"sandbox"`
	Python      Python      `json:"python"`
	Disk        Disk        `json:"disk"`
	Database    Database    `json:"database"`
	Prices      Prices      `json:"prices"`
	Providers   []Provider  `json:"providers"`
	Servers     []Server    `json:"servers"`
}

// Program is this program.
type Program struct {
	Finding
	Assay string `json:"assay"`
	Go    string `json:"go"`
	OS    string `json:"os"`
	Arch  string `json:"arch"`
}

// CPUs are the processors.
type CPUs struct {
	Finding
	Count  int `json:"count"`
	Usable int `json:"usable"` // by this program: a container may be given fewer
}

// Memory is in bytes. Available is what programs could still get without swapping.
type Memory struct {
	Finding
	Total     int64 `json:"total_bytes"`
	Available int64 `json:"available_bytes"`
}

// Accelerator is what nvidia-smi says.
type Accelerator struct {
	Finding
	List []contention.AcceleratorLoad `json:"list"`
}

// Sandbox is where answers that execute something are judged.
type Sandbox struct {
	Finding
	Tier string `json:"tier"` // as package sandbox names it, "" for none
}

// Python is the python3 inside the sandbox.
type Python struct {
	Finding
	Version string `json:"version"` // "" for none
}

// Disk is the place of .assay.
type Disk struct {
	Finding
	Folder   string `json:"folder"` // .assay, or the folder in which it would be made
	Free     *int64 `json:"free_bytes"`
	Writable *bool  `json:"writable"`
}

// Database is .assay/assay.db.
type Database struct {
	Finding
	File   string `json:"file"`
	Schema int64  `json:"schema"` // 0 where there is none, or it is not known
	Runs   int    `json:"runs"`
}

// Prices is .assay/prices.yaml.
type Prices struct {
	Finding
	File     string   `json:"file"`
	Currency string   `json:"currency"`
	AsOf     string   `json:"as_of"`
	Models   []string `json:"models"` // that have a price
}

// Provider is one of model.Providers.
type Provider struct {
	Finding
	Name        string   `json:"provider"`
	Needs       string   `json:"needs"`
	Keys        []string `json:"key_variables"` // that may hold the key, the first one set counts
	Key         string   `json:"key_found_in"`  // the variable that holds it, "" for none
	Address     string   `json:"address"`       // that is used where --model names none; "" without a server, or with a wrong one
	AddressFrom string   `json:"address_from"`  // "default", or the variable

	official bool // the address is the provider's own server
}

// Server is a model server that was asked, or could be.
type Server struct {
	Finding
	Provider    string  `json:"provider"`
	Address     string  `json:"address"`
	AddressFrom string  `json:"address_from"` // "default", a variable, "--server", "--ports", or whose usual port it is
	Software    string  `json:"software"`     // as the server says, "" where it does not
	Version     string  `json:"version"`
	Models      []Model `json:"models"`       // at most ListMost of them, in the server's order
	Total       int     `json:"models_total"` // all of them
}

// ListMost bounds the models of a server, and those with a price, in a report.
const ListMost = 1000

// Model is a model that a server holds.
type Model struct {
	Name    string `json:"name"`
	Digest  string `json:"digest"`         // "" where the server has none
	Context int64  `json:"context"`        // tokens that it can hold as the server says; 0 where it does not
	Loaded  int64  `json:"loaded_context"` // tokens that it holds as it is loaded now; 0: not loaded, or not known
	Bytes   int64  `json:"bytes"`          // as stored; 0 where not known
	Remote  string `json:"remote"`         // not "": this other machine answers behind the name
}
