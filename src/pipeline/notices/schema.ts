import { Type, type Static } from "typebox";
import { settings } from "../../platform/index.js";

/** How a notice is sent: by a program (`command`) or to an address (`url`), one of them. */
export const noticeSchema = (description: string) =>
  Type.Object(
    {
      command: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), {
          minItems: 1,
          description:
            "Program and arguments, run without a shell in the folder of this file. It receives the run's record as JSON on standard input.",
        }),
      ),
      url: Type.Optional(Type.String({ description: "Address that receives the run's record as JSON, by POST." })),
      form: Type.Optional(
        Type.Unsafe<"record" | "slack">({
          type: "string",
          enum: ["record", "slack"],
          description:
            'What the address receives: the record (the default), or {"text": …}, which Slack and others show.',
        }),
      ),
      timeout: Type.Optional(Type.Unsafe<number>(settings.notice_timeout)),
      attempts: Type.Optional(Type.Unsafe<number>(settings.notice_attempts)),
    },
    { additionalProperties: false, description },
  );

export type NoticeInput = Static<ReturnType<typeof noticeSchema>>;
