import { expect, test } from "vitest";
import { describeModels } from "./describe-models.js";
import { modelPlan } from "../../src/warehouse/index.js";

test("docs/models.md says what the headers of sql/ say (vitest -u writes it anew)", async () => {
  await expect(describeModels(await modelPlan())).toMatchFileSnapshot("../../docs/models.md");
});
