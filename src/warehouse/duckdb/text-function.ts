import { DuckDBScalarFunction, VARCHAR } from "./api.js";

/** A function of two texts, computed here; null if one of them is. */
export function textFunction(name: string, compute: (a: string, b: string) => string): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name,
    parameterTypes: [VARCHAR, VARCHAR],
    returnType: VARCHAR,
    specialHandling: true,
    mainFunction: (_, input, output) => {
      const [a, b] = [input.getColumnVector(0), input.getColumnVector(1)];
      for (let i = 0; i < input.rowCount; i++) {
        const [first, second] = [a.getItem(i), b.getItem(i)];
        output.setItem(i, typeof first === "string" && typeof second === "string" ? compute(first, second) : null);
      }
      output.flush();
    },
  });
}
