/** A small chat service: a planner and an executor of one's own, and evidencegate in front of what the user reads. */
package io.evidencegate.sample;
