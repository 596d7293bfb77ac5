export {
  effectsOf,
  gainOf,
  mayClose,
  passWork,
  spreadOf,
  subtract,
  weightedSquares,
  weightsOf,
  type Effects,
} from "./effects.js";
export { influenceOf } from "./influence-of.js";
export { isClosed, type Events, type Gap, type Influence } from "./influence.js";
export { eventsOf, eventsOfUnit, someOf, unitsOf, type UnitName, type Units } from "./units.js";
