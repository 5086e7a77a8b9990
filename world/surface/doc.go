// Package surface lets agents and people reach a session of a world: by MCP (streamable HTTP and stdio), by a REST interface
// with an OpenAPI document, by web pages that need no scripts, and by evidence files. All of them end in Session.Call, so
// that an episode spread over several of them is one trace.
//
// A surface knows what is mounted for the agent and nothing else: neither a contract nor a staged fault can be reached from
// here, since a session hands out neither.
package surface
