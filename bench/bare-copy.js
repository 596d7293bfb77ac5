// The least that an import takes: the cells of a file of text as Parquet.
const [csv, parquet] = process.argv.slice(2);
const { openWarehouse } = await import(new URL("../.bench/warehouse/index.js", import.meta.url));

const warehouse = await openWarehouse({ sources: {} });
await warehouse.all(`copy (from read_csv('${csv}')) to '${parquet}' (format parquet)`);
warehouse.close();
