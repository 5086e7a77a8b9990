package cli

import (
	"github.com/spf13/cobra"
)

func newWorld(p *Process) *cobra.Command {
	c := &cobra.Command{
		Use: "world", Short: "Serve an agent task's world, and work in one that is served",
		Long: `assay world serve BENCH/TASK shows a task's world to an agent by MCP, REST and web pages, and records one episode
whichever of them is used. The other commands speak to a world that is served: --url and --token, or $ASSAY_URL and
$ASSAY_TOKEN, are what serve printed as api and token.
` + exitHelp,
	}
	c.AddCommand(newWorldServe(p), newWorldList(p), newWorldSchema(p), newWorldCall(p), newWorldEvents(p), newWorldReset(p))
	return c
}
