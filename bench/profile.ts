import { join } from "node:path";
import Table from "cli-table3";
import { auditSnapshot } from "../src/audit/audit.js";
import { auditedModels, publishedModels } from "../src/audit/lake.js";
import { readSnapshot } from "../src/lake/index.js";
import { allKernels, defaultConventions } from "../src/metrics/index.js";
import {
  modelsOnDemand,
  openWarehouse,
  modelsOfChoice,
  writeTables,
  type Warehouse,
} from "../src/warehouse/index.js";
import { exportLake } from "./exported-lake.js";
import { inFolder, isSmall } from "./whole-process.js";

interface Step {
  readonly step: string;
  cpuMs: number;
  wallMs: number;
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Runs `work` and adds what it took to the step of that name. */
async function timed<T>(
  steps: Map<string, Step>,
  step: string,
  work: () => Promise<T>,
): Promise<T> {
  const [cpu, wall] = [cpuMs(), performance.now()];
  const result = await work();
  const own = steps.get(step) ?? { step, cpuMs: 0, wallMs: 0 };
  steps.set(step, {
    step,
    cpuMs: own.cpuMs + cpuMs() - cpu,
    wallMs: own.wallMs + performance.now() - wall,
  });
  return result;
}

/** An engine that notes each model: its SQL, or for a kernel its query and what follows before the engine works again. */
function watched(warehouse: Warehouse, steps: Map<string, Step>): Warehouse {
  let kernel: { name: string; cpu: number; wall: number } | null = null;
  const noteKernel = (): void => {
    if (kernel === null) return;
    const step = `${kernel.name}, kernel`;
    steps.set(step, { step, cpuMs: cpuMs() - kernel.cpu, wallMs: performance.now() - kernel.wall });
    kernel = null;
  };
  return {
    ...warehouse,
    createModel(model) {
      noteKernel();
      return timed(steps, model.name, () => warehouse.createModel(model));
    },
    async columns(query) {
      if (typeof query === "string") return warehouse.columns(query);
      noteKernel();
      const name = query.kernel ?? "?";
      const columns = await timed(steps, `${name}, input of the kernel`, () =>
        warehouse.columns(query),
      );
      kernel = { name, cpu: cpuMs(), wall: performance.now() };
      return columns;
    },
    writeTable(name, types, columns) {
      noteKernel();
      return timed(steps, `${name}, written`, () => warehouse.writeTable(name, types, columns));
    },
  };
}

function printExpensive(
  print: (text: string) => void,
  task: string,
  steps: Map<string, Step>,
): void {
  const total = [...steps.values()].reduce((sum, step) => sum + step.cpuMs, 0);
  const head = [`${task}: ${(total / 1000).toFixed(1)} s of CPU`, "CPU ms", "ms"];
  const table = new Table({ head, colAligns: ["left", "right", "right"], style: { head: [] } });
  const expensive = [...steps.values()].sort((x, y) => y.cpuMs - x.cpuMs).slice(0, 10);
  for (const { step, cpuMs: cpu, wallMs } of expensive)
    table.push([step, cpu.toFixed(0), wallMs.toFixed(0)]);
  print(table.toString());
}

/** The ten most expensive steps of `transform`, without and with the statistics, and of an audit in which every number agrees. */
export async function benchProfile(print: (text: string) => void): Promise<void> {
  // In one thread, so that the time of each step is its own.
  for (const kernel of Object.values(await allKernels())) Object.assign(kernel, { slow: [] });
  await inFolder(async (lake) => {
    const { project } = await exportLake(lake, { ratings: isSmall ? 200 : 2_000_000 });
    const opened = await readSnapshot(lake, project);
    for (const task of ["transform", "transform --statistics", "audit"] as const) {
      const steps = new Map<string, Step>();
      const warehouse = await openWarehouse({ sources: opened.tables });
      const engine = watched(warehouse, steps);
      if (task !== "audit") {
        const hasStatistics = task !== "transform";
        const { written } = await modelsOfChoice(defaultConventions, "usual", hasStatistics);
        const make = await modelsOnDemand(engine, defaultConventions);
        await engine.setConventions(defaultConventions);
        await make(written.map(({ name }) => name));
        const groups = [{ key: "all", experiments: [] }];
        await timed(steps, "writing the tables", () =>
          writeTables(warehouse, written, groups, join(lake, "derived")),
        );
      } else {
        const make = await modelsOnDemand(engine, defaultConventions);
        await make(publishedModels);
        const snapshot = { id: opened.id, created_at: "", unsettled: new Map<string, string>() };
        await auditSnapshot(warehouse, snapshot, defaultConventions, {}, async (kinds, work) => {
          await make(auditedModels(kinds));
          await work(warehouse, () => true);
        });
        await timed(steps, "comparing", () =>
          auditSnapshot(warehouse, snapshot, defaultConventions),
        );
      }
      warehouse.close();
      printExpensive(print, task, steps);
    }
  });
}
