/**
 * Calls evidencegate. {@link io.evidencegate.client.EvidenceGateClient} is where to begin; requests and answers are the messages that
 * are generated from the protos, in {@code io.evidencegate.v1}.
 */
package io.evidencegate.client;
