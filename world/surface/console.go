package surface

import "net/http"

const policy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func (v *Server) console(w http.ResponseWriter, r *http.Request)      { http.NotFound(w, r) }
func (v *Server) evidenceList(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }
