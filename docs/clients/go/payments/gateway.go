package payments

import (
	"cmp"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
)

// Gateway sends a request, its body as CSV, and reads what is answered.
func Gateway(method, path string, body io.Reader, into any) {
	gateway := cmp.Or(os.Getenv("GATEWAY_URL"), "http://127.0.0.1:8080")
	request := Must(http.NewRequest(method, gateway+path, body))
	request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
	request.Header.Set("Content-Type", "text/csv")
	response := Must(http.DefaultClient.Do(request))
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		log.Fatal(string(Must(io.ReadAll(response.Body))))
	}
	Check(json.NewDecoder(response.Body).Decode(into))
}
