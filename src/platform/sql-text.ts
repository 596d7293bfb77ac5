/** A text as an SQL literal. */
export const sqlText = (value: string) => `'${value.replaceAll("'", "''")}'`;
