/** Files in YAML that a person writes: their values with lines, and their schemas. */
export { fileSchema, pathOf, refuseFile } from "./schema.js";
export { parsed, yamlSource, type ValuePath, type YamlSource } from "./source.js";
