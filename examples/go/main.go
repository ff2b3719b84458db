// Judges the request on standard input: go run . 127.0.0.1:50051 < ../grpcurl/judge.json
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protojson"

	evidencegate "example.com/ask/gen/evidencegate/v1"
)

func main() {
	connection := must(grpc.NewClient(os.Args[1], grpc.WithTransportCredentials(insecure.NewCredentials())))
	defer connection.Close()
	request := &evidencegate.JudgeRequest{}
	if err := protojson.Unmarshal(must(io.ReadAll(os.Stdin)), request); err != nil {
		log.Fatal(err)
	}
	deadline, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	answer := must(evidencegate.NewVerifierClient(connection).Judge(deadline, request))
	fmt.Println(answer.Evaluation.Verdict, answer.Evaluation.Route)
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
