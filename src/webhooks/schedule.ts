const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Wait before attempt 1, 2, … of a delivery; there are as many attempts as entries. */
export const attemptDelaysMs: readonly number[] = [
  0,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
  4 * hourMs,
];

/** So many failed deliveries in a row disable a receiver. */
export const failuresToDisable = 5;
