/** The study service's interface as data. */
export {
  requestPath,
  pathParameters,
  type ArgumentsOf,
  type ResponseOf,
  isOperationName,
  operation,
  operationNames,
  operationNamesIn,
  operations,
  datasetUpload,
  type Operation,
  type OperationName,
  queryParameters,
  type QueryName,
} from "./operations.js";
export { bodies, bodyEncodings, type BodyEncoding, type BodyName, type BodyOf } from "./bodies.js";
export {
  recordColumns,
  looksSecret,
  secretFields,
  secretName,
  secretNameInJson,
  namingColumns,
  type Column,
  columnTypes,
  type NamingColumn,
  partColumns,
  reportedExperimentId,
  tableColumns,
  unitOf,
} from "./columns.js";
export { openapi } from "./openapi.js";
export {
  covariatesField,
  metaFlags,
  placeField,
  promptField,
  rightField,
  treatmentOf,
  weightField,
} from "./persons.js";
export { records, type RecordName, type RecordOf } from "./records.js";
export {
  Enum,
  type Treatment,
  apiVersions,
  checkIdentifier,
  fileNamePattern,
  identifierPattern,
  isIdentifier,
  defaultApiVersion,
  type ApiVersion,
  publishedLists,
  webhookEvents,
  type PublishedList,
} from "./schema.js";
export {
  defaultTables,
  embeddedIn,
  isReadTwice,
  isRequired,
  isOfExperiment,
  isPublished,
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
export { isSummary, summaryRow, truths } from "./spellings.js";
