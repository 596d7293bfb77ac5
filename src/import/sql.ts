// The statements of `sql/import/`.
import { packageFile, readText } from "../platform/index.js";

/** @param parts SQL for each `$name` in it */
export async function importSql(
  name: string,
  parts: Readonly<Record<string, string>> = {},
): Promise<string> {
  const sql = await readText(packageFile(`sql/import/${name}.sql`));
  return sql.replaceAll(/\$([a-z_]+)/g, (_, part: string) => parts[part] ?? "");
}
