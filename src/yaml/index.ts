/** Files in YAML that a person writes: their values with lines, and their schemas. */
export { fileSchema, refuseFile, textSchema } from "./schema.js";
export { parsedYaml, yamlSource, type YamlSource } from "./source.js";
