// Judges the request on standard input: node judge.js 127.0.0.1:50051 < ../grpcurl/judge.json
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const protos = fileURLToPath(new URL("../../protos", import.meta.url));
const asJson = { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true };
const definition = loadSync("evidencegate/v1/verifier.proto", { includeDirs: [protos], ...asJson });
const { Verifier } = grpc.loadPackageDefinition(definition).evidencegate.v1;
const verifier = new Verifier(process.argv[2], grpc.credentials.createInsecure());
verifier.Judge(JSON.parse(readFileSync(0, "utf8")), { deadline: Date.now() + 10_000 }, (error, answer) => {
  verifier.close();
  if (error) throw error;
  console.log(answer.evaluation.verdict, answer.evaluation.route);
});
