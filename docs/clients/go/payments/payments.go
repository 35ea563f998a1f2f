// Package payments connects to Temporal as the payments' workers do.
package payments

import (
	"cmp"
	"log/slog"
	"net/http"
	"os"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
)

// State is what the examples read of a payout's state; the JSON Schema payout-state has all of it.
type State struct {
	Status    string
	Attention *string
	Value     float64
	Attempts  []struct{ Status string }
}

// Connect has payloads encrypted and decrypted by the codec endpoint, so that no key is needed here.
func Connect() client.Client {
	codec := converter.RemoteDataConverterOptions{
		Endpoint: os.Getenv("CODEC_ENDPOINT"),
		ModifyRequest: func(request *http.Request) error {
			if auth := os.Getenv("CODEC_AUTH"); auth != "" {
				request.Header.Set("Authorization", auth)
			}
			return nil
		},
	}
	return Must(client.Dial(client.Options{
		HostPort:      cmp.Or(os.Getenv("TEMPORAL_ADDRESS"), "127.0.0.1:7233"),
		Namespace:     cmp.Or(os.Getenv("TEMPORAL_NAMESPACE"), "default"),
		Logger:        log.NewStructuredLogger(slog.Default()),
		DataConverter: converter.NewRemoteDataConverter(converter.GetDefaultDataConverter(), codec),
	}))
}
