/** Files in YAML that a person writes: their values with lines, and their schemas. */
export { fileSchema, refuseFile, strict, textSchema } from "./schema.js";
export { parsed, yamlSource, type YamlSource } from "./source.js";
