// The live example without the Go reference: the exercise's own solution answers in its place.
import * as solution from "../../../exercises/event-log/solution.js";
import type { EventLogFunctions } from "../../src/live.ts";

export const loadReference = (): Promise<EventLogFunctions> =>
  Promise.resolve(solution as unknown as EventLogFunctions);
