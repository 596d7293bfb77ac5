import { invalidField } from "../http/http-error.js";
import { json, type OutgoingResponse } from "../http/outgoing.js";
import { freshIdentifier, instant } from "../emulator.js";
import { presentExperiment } from "../presenters/records.js";
import { fieldsOf } from "../state/records.js";
import type { Project } from "../state/state.js";
import { findOr404, type Filled, type RequestContext } from "./context.js";

/** POST experiment: creates a draft from a body in either version. */
export async function createExperiment(context: RequestContext): Promise<OutgoingResponse> {
  const { emulator, project } = context;
  const {
    name,
    language,
    config,
    datasets,
    training_datasets,
    version = 1,
    ...own
  } = context.body as Filled<"experiment_create">;
  // The older shape has neither a type nor texts.
  const {
    type = typeIn(config),
    title = "",
    question = "",
    description = "",
    introduction = "",
  } = own as Partial<typeof own>;
  const id = freshIdentifier(emulator, (one) => project.studies.has(one));
  const now = instant(emulator);
  await emulator.store.commit([
    {
      set: "experiment",
      project: project.id,
      value: {
        id,
        ...{ name, type, language, config, version, title, question, description, introduction },
        dataset_ids: datasetIds(project, datasets, "datasets"),
        training_dataset_ids: datasetIds(project, training_datasets, "training_datasets"),
        ...{ date_created: now, date_updated: now },
      },
    },
  ]);
  return json(201, presentExperiment(findOr404(project.studies, id, "experiment"), emulator.settings.apiVersion));
}

/** The type of an experiment that was created in the older shape. */
function typeIn(config: unknown): string {
  const { type } = fieldsOf(config);
  return typeof type === "string" ? type : "pairwise_image";
}

/** References by identifier, or by position among the project's datasets, from 1. */
function datasetIds(project: Project, references: readonly (string | number)[], field: string): string[] {
  const inOrder = [...project.datasets.keys()];
  return references.map((reference, index) => {
    const name = String(reference);
    const id = project.datasets.has(name) ? name : /^\d+$/.test(name) ? inOrder[Number(name) - 1] : undefined;
    if (id === undefined) throw invalidField(`${field}.${index}`, "names no dataset of this project");
    return id;
  });
}
