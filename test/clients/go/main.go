package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"pay/payments"
)

func main() {
	url, key, code := os.Args[1], os.Args[2], os.Args[3]
	withKey := payments.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	})
	client, err := payments.NewClientWithResponses(url, withKey)
	if err != nil {
		panic(err)
	}
	lastName := "Lima"
	pay := func(value float32, prefer string) *payments.StartPixPayoutResponse {
		body := payments.PixPayoutBody{PartnerCode: code, Value: value, FirstName: "Ana", LastName: &lastName,
			Document: "52998224725", Pix: "ana.lima@example.com"}
		answer, err := client.StartPixPayoutWithResponse(context.Background(), &payments.StartPixPayoutParams{Prefer: &prefer}, body)
		if err != nil {
			panic(err)
		}
		return answer
	}
	started := pay(150.5, "wait=10")
	repeated := pay(150.5, "wait=0")
	conflict := pay(1, "wait=0").ApplicationproblemJSON409
	invalid := pay(-1, "wait=0").ApplicationproblemJSON400
	fmt.Println(started.JSON201.Attempts[0].Number, repeated.StatusCode(), conflict.Type, (*invalid.Errors)[0].Field)
}
