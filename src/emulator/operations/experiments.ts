import { invalidField } from "../http/http-error.js";
import { json, type OutgoingResponse } from "../http/outgoing.js";
import { freshIdentifier, instant } from "../emulator.js";
import { presentExperiment } from "../presenters/records.js";
import { fieldsOf } from "../state/records.js";
import type { Project } from "../state/state.js";
import { findOr404, type RequestContext } from "./context.js";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** POST experiment: creates a draft from a body in either version. */
export async function createExperiment({ emulator, project, body }: RequestContext): Promise<OutgoingResponse> {
  const { config = {} } = body;
  const id = freshIdentifier(emulator, (one) => project.studies.has(one));
  const now = instant(emulator);
  await emulator.store.commit([
    {
      set: "experiment",
      project: project.id,
      value: {
        id,
        name: text(body.name),
        type: text(body.type) || text(fieldsOf(config).type) || "pairwise_image",
        language: text(body.language) || "en",
        dataset_ids: datasetIds(project, body.datasets, "datasets"),
        training_dataset_ids: datasetIds(project, body.training_datasets, "training_datasets"),
        ...{ date_created: now, date_updated: now, config },
        ...{ title: text(body.title), question: text(body.question) },
        ...{ description: text(body.description), introduction: text(body.introduction) },
        version: typeof body.version === "number" ? body.version : 1,
      },
    },
  ]);
  return json(201, presentExperiment(findOr404(project.studies, id, "experiment"), emulator.settings.apiVersion));
}

/** References by identifier, or by position among the project's datasets, from 1. */
function datasetIds(project: Project, references: unknown, field: string): string[] {
  if (!Array.isArray(references)) return [];
  const inOrder = [...project.datasets.keys()];
  return references.map((reference: unknown, index) => {
    const name = String(reference);
    const id = project.datasets.has(name) ? name : /^\d+$/.test(name) ? inOrder[Number(name) - 1] : undefined;
    if (id === undefined) throw invalidField(`${field}.${index}`, "names no dataset of this project");
    return id;
  });
}
