// Package llamatest gives tests a real model server: llama.cpp with its real
// tokenizer, context and sampler, serving models whose answers a test chooses.
//
// A scripted model is a llama-architecture GGUF file of about 1 MB, written
// by [WriteGGUF] without any dependency. Its attention and feed-forward
// outputs are zero, so the state of a position is nothing but the embedding of
// its token, and the output matrix is a table "after token a comes token b".
// Every token that a prompt can hold shares one embedding, "start"; the pieces
// of the reply have one each. Whatever is asked, the server samples the reply
// piece by piece and then the end token. Counts, limits, streaming and errors
// are the server's own.
//
// [Start] writes the models of a test, runs the shim in server/ on two free
// loopback ports and stops it at cleanup. One port answers as llama.cpp's own
// server (chat with schemas, tools and thinking, /props, /tokenize,
// /apply-template), the other as Ollama's native interface (chat, tags, show,
// ps, version) of a version that a test may choose. The forms of the replies are
// written after those servers; what is in them is the engine's. Ollama's answers
// were held against the true 0.17.4 with the same models, which [Modelfile]
// makes for it.
//
// A schema is followed in the order in which its properties stand in the
// request; encoding/json sorts the keys of maps.
//
// The shim needs node and the npm packages installed by server/install.sh; where
// they are missing the test is skipped with the reason, or fails when
// [RequireEnv] is set to 1, as CI does.
package llamatest
