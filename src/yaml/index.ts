/** Files in YAML that a person writes. */
export { refuseFile, textSchema } from "./schema.js";
export { parsedYaml, yamlSource, type YamlSource } from "./source.js";
