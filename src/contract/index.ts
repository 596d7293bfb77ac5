/** The study service's interface as data. */
export { pathOf, pathParameters, type ArgumentsOf, type ResponseOf } from "./arguments.js";
export { bodies, bodyEncodings, type BodyEncoding, type BodyName, type BodyOf } from "./bodies.js";
export { columnsOf, looksSecret, secretFields, secretName, secretNameInJson, type Column } from "./columns.js";
export { checkIdentifier, identifierPattern, isIdentifier } from "./identifier.js";
export { openapi } from "./openapi.js";
export {
  isOperationName,
  operation,
  operationNames,
  operationNamesIn,
  operations,
  uploadDataset,
  type Operation,
  type OperationName,
} from "./operations.js";
export { metaFlags, placeField, treatmentOf } from "./persons.js";
export { queryParameters, type QueryName } from "./queries.js";
export { records, type RecordName, type RecordOf } from "./records.js";
export { Enum, type Treatment } from "./schema.js";
export { columnTypes, partColumns, reportedExperimentId, tableColumns, unitOf } from "./table-columns.js";
export {
  defaultTables,
  embeddedIn,
  isReadTwice,
  isRequired,
  isOfExperiment,
  isSingleRecord,
  isTableName,
  lakeTable,
  lakeTables,
  ownParameter,
  parentTables,
  sourceTables,
  tableNames,
  type LakeTable,
  type Scope,
  type TableName,
} from "./tables.js";
export { apiVersions, defaultApiVersion, type ApiVersion } from "./versions.js";
export { publishedLists, webhookEvents, type PublishedList } from "./vocabulary.js";
