import { count, defineFault } from "./fault.js";

export const delay = defineFault({
  kind: "delay",
  fields: { ms: count },
  request: ({ ms }, { clock }) => clock.sleep(ms),
});
