import { Type } from "../platform/index.js";

export const either = Type.Enum;
export const positive = Type.Number({ exclusiveMinimum: 0 });
export const seed = Type.Integer({ minimum: 0, maximum: 0xffffffff });
export const strict = { additionalProperties: false } as const;
