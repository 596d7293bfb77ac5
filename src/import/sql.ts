// The statements of `sql/import/`.
import { statement } from "../platform/index.js";

export const importSql = (name: string, parts?: Readonly<Record<string, string>>) =>
  statement(`import/${name}`, parts);
