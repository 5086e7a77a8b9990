package surface_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// TestReferenceByREST does the example's whole task with plain requests.
func TestReferenceByREST(t *testing.T) {
	s := serve(t, files(t, nil))
	for i, st := range reference(t) {
		r := s.do("POST", "/api/v1/tools/"+st.Tool, string(st.Args))
		if r.status != 200 {
			t.Fatalf("step %d, %s: %d %s", i+1, st.Tool, r.status, r.body)
		}
	}
	mustPass(t, s.judge())
	for _, c := range s.calls() {
		if !strings.HasPrefix(c, "rest:") {
			t.Errorf("the call %s is not of rest", c)
		}
	}
}

// TestRoutes goes through the addresses, each with what it answers and what it leaves in the log.
func TestRoutes(t *testing.T) {
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string // in the body
		event              string // tool status, "" for none
		allow              string
	}{
		{"GET", "/api/v1", "", 200, `"openapi":"/api/v1/openapi.json"`, "", ""},
		{"GET", "/api/v1/", "", 200, `"episode":"test"`, "", ""},
		{"POST", "/api/v1", "", 405, "method_not_allowed", "", "GET"},
		{"GET", "/api/v1/tools", "", 200, `"name":"slips.bookings.create"`, "", ""},
		{"GET", "/api/v1/tools/files.read", "", 200, `"required":["file_id"]`, "", ""},
		{"GET", "/api/v1/tools/nope", "", 404, "unknown_tool", "", ""},
		{"DELETE", "/api/v1/tools/files.read", "", 405, "method_not_allowed", "", "GET, POST"},
		{"POST", "/api/v1/tools/files.read", `{"file_id":"SPEC-4"}`, 200, `"ropes_per_drum":4`, "files.read ok", ""},
		{"POST", "/api/v1/tools/files.read", `{"file_id":"SPEC-9"}`, 422, "There is no file SPEC-9.", "files.read refused", ""},
		{"POST", "/api/v1/tools/files.read", `{"file_id":4}`, 400, "invalid_arguments", "files.read rejected", ""},
		{"POST", "/api/v1/tools/files.read", `{"file_id":"a","file_id":"b"}`, 400, "no name twice", "files.read rejected", ""},
		{"POST", "/api/v1/tools/files.read", `{`, 400, "not a JSON object", "files.read rejected", ""},
		{"POST", "/api/v1/tools/files.reed", `{}`, 404, "unknown_tool", "files.reed rejected", ""},
		{"GET", "/api/v1/maint/orders?query=217", "", 200, `"total":1`, "maint.orders.search ok", ""},
		{"GET", "/api/v1/stores/lots?part=RP-12&limit=1&status=&cursor=", "", 200, `"total":3`, "stores.lots.list ok", ""},
		{"GET", "/api/v1/stores/lots?part=RP-12&limit=many", "", 400, "limit: got string, want integer", "stores.lots.list rejected", ""},
		{"GET", "/api/v1/stores/lots?part=RP-12&colour=red", "", 400, "known: part, status, limit, cursor", "stores.lots.list rejected", ""},
		{"GET", "/api/v1/stores/lots?part=RP-12&part=RP-13", "", 400, "part: got array, want string", "stores.lots.list rejected", ""},
		{"GET", "/api/v1/stores/lots", "", 400, "missing property 'part'", "stores.lots.list rejected", ""},
		{"GET", "/api/v1/stores/lots/list?part=RP-12", "", 200, "LT-8", "stores.lots.list ok", ""},
		{"POST", "/api/v1/stores/lots", "{}", 405, "method_not_allowed", "", "GET"},
		{"GET", "/api/v1/maint/orders/MO-31", "", 200, `"drums":3`, "maint.orders.get ok", ""},
		{"GET", "/api/v1/maint/orders/MO%2F31", "", 404, "There is no order MO/31.", "maint.orders.get refused", ""},
		{"GET", "/api/v1/maint/orders/get?order_no=MO-1", "", 422, "There is no order MO-1.", "maint.orders.get refused", ""},
		{"PUT", "/api/v1/maint/orders/MO-31", "{}", 405, "method_not_allowed", "", "GET"},
		{"GET", "/api/v1/files/read?file_id=SPEC-4", "", 200, `"file_id":"SPEC-4"`, "files.read ok", ""},
		{"POST", "/api/v1/files/read", `{"file_id":"SPEC-4"}`, 405, "method_not_allowed", "", "GET"},
		{"HEAD", "/api/v1/files/read?file_id=SPEC-4", "", 405, "", "", "GET"},
		{"POST", "/api/v1/slips/bookings", `{"slip":"SLIP-2","day":"2034-05-16","vessel":"217"}`, 200, "BK-0001", "slips.bookings.create ok", ""},
		{"POST", "/api/v1/slips/bookings/create", `{"slip":"SLIP-9","day":"2034-05-16","vessel":"217"}`, 422, "not_found", "slips.bookings.create refused", ""},
		{"GET", "/api/v1/slips/bookings/create", "", 405, "method_not_allowed", "", "POST"},
		{"GET", "/api/v1/slips/bookings", "", 405, "method_not_allowed", "", "POST"},
		{"GET", "/api/v1/slips/berths", "", 404, "unknown_tool", "slips.berths rejected", ""},
		{"GET", "/api/v1/a/b/c/d", "", 404, "not_found", "", ""},
		{"GET", "/api/v1/slips", "", 404, "not_found", "", ""},
		{"GET", "/api/v2", "", 404, "not_found", "", ""},
		{"GET", "/api/v1/task", "", 200, `"task":"ferry-217"`, "assay.context ok", ""},
		{"POST", "/api/v1/task", "", 405, "method_not_allowed", "", "GET"},
		{"GET", "/api/v1/submit", "", 405, "method_not_allowed", "", "POST"},
		{"POST", "/api/v1/submit", `{"gap":5}`, 400, "missing properties", "assay.submit_answer rejected", ""},
		{"GET", "/api/v1/events", "", 200, `{"events":[]}`, "", ""},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			s := serve(t, files(t, nil))
			r := s.do(c.method, c.path, c.body)
			if r.status != c.status || !strings.Contains(r.body, c.want) || r.header.Get("Allow") != c.allow {
				t.Errorf("%d %q Allow %q, want %d %q Allow %q", r.status, r.body, r.header.Get("Allow"), c.status, c.want, c.allow)
			}
			var got []string
			for _, e := range s.session.Events() {
				got = append(got, e.Tool+" "+string(e.Status))
			}
			if strings.Join(got, ",") != c.event {
				t.Errorf("the log holds %v, want %q", got, c.event)
			}
		})
	}
}

// TestStagedFault is 503 once, and the same call succeeds then.
func TestStagedFault(t *testing.T) {
	s := serve(t, richer(t))
	r := s.do("GET", "/api/v1/stores/lots?part=RP-12", "")
	if r.status != 503 || r.header.Get("Retry-After") != "1" || !strings.Contains(r.body, `"retryable":true`) {
		t.Errorf("%d %v %s", r.status, r.header, r.body)
	}
	if r := s.do("GET", "/api/v1/stores/lots?part=RP-12", ""); r.status != 200 {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// TestOwnEvents shows the agent its calls without what the store says of them, and records nothing.
func TestOwnEvents(t *testing.T) {
	s := serve(t, files(t, nil))
	s.do("POST", "/api/v1/slips/bookings", `{"slip":"SLIP-2","day":"2034-05-16","vessel":"217"}`, "Assay-Surface", "cli")
	var got struct{ Events []map[string]any }
	if err := json.Unmarshal([]byte(s.do("GET", "/api/v1/events", "").body), &got); err != nil || len(got.Events) != 1 {
		t.Fatalf("%v %v", got, err)
	}
	e := got.Events[0]
	if e["tool"] != "slips.bookings.create" || e["surface"] != "cli" || e["status"] != "ok" || e["result"].(map[string]any)["booking_id"] != "BK-0001" {
		t.Errorf("%v", e)
	}
	for _, k := range []string{"effect", "hash", "prev", "actor"} {
		if _, ok := e[k]; ok {
			t.Errorf("an agent is shown %s", k)
		}
	}
	s.wantCalls("cli:slips.bookings.create")
}

// TestOpenAPI holds the document against the server: every operation in it is answered, and every tool is in it.
func TestOpenAPI(t *testing.T) {
	s := serve(t, richer(t))
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			OperationID string `json:"operationId"`
			Parameters  []struct{ Name, In string }
			Responses   map[string]any
		}
	}
	r := s.do("GET", "/api/v1/openapi.json", "")
	if err := json.Unmarshal([]byte(r.body), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.OpenAPI != "3.1.0" {
		t.Errorf("the version is %q", doc.OpenAPI)
	}
	ids := map[string]bool{}
	for path, ops := range doc.Paths {
		for method, op := range ops {
			if ids[op.OperationID] {
				t.Errorf("the id %q stands twice", op.OperationID)
			}
			ids[op.OperationID] = true
			if len(op.Responses) == 0 {
				t.Errorf("%s %s gives nothing", method, path)
			}
			at := path
			for _, p := range op.Parameters {
				if (p.In == "path") != strings.Contains(path, "{"+p.Name+"}") {
					t.Errorf("%s: the parameter %s is in %s", path, p.Name, p.In)
				}
				value := "x"
				if p.Name == "name" {
					value = "files.read"
				}
				at = strings.ReplaceAll(at, "{"+p.Name+"}", url.PathEscape(value))
			}
			got := s.do(strings.ToUpper(method), at, "{}")
			if got.status == 405 || got.status == 404 && !strings.Contains(got.body, `"code":"not_found"`) {
				t.Errorf("%s %s is in the document and answers %d %s", method, at, got.status, got.body)
			}
		}
	}
	for _, tool := range s.session.Tools() {
		if !ids[tool.Name] {
			t.Errorf("%s is not in the document", tool.Name)
		}
	}
}
