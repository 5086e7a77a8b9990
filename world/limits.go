package world

import (
	"time"

	"github.com/assaybench/assay/price"
)

// Limits bound an episode. They are the bench's, the same for every task, and never follow from a reference's length.
// Zero is no limit.
type Limits struct {
	Turns  int           `json:"turns"`  // replies of the model
	Calls  int           `json:"calls"`  // of tools
	Tokens int64         `json:"tokens"` // prompt and output of all replies, as the server counted them
	Time   time.Duration `json:"time"`   // of model and world together
	Cost   price.Amount  `json:"cost"`   // of all replies, by the price file of whoever runs; not held where a model has no price
	// Currency is what Cost is in, such as USD; "" without one.
	Currency string `json:"currency"`
}
