/** Plots as SVG. The plotting library is loaded when the first one is drawn. */
export { boardPlot } from "./board.js";
export { historyPlot } from "./history.js";
export { identityPlot } from "./identity.js";
export { dropOutPlot, raterPlot } from "./raters.js";
export { scorePlot } from "./scores.js";
