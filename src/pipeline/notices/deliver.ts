import { postJson, repeatedly, TransientFailure, type Network } from "../../client/index.js";
import { messageOf, settings, systemRandom, type Clock, type Log } from "../../platform/index.js";
import { noticeText } from "../../report/index.js";
import type { RunRecord } from "../record.js";
import type { NoticeInput } from "./schema.js";
import { runProgram } from "./program.js";

/** The record of the run that a notice is about. That of an earlier run lacks what `runs.jsonl` does not hold. */
export type NoticedRun = Partial<RunRecord> & Pick<RunRecord, "run" | "project" | "exit_code" | "error" | "numbers">;

interface Delivery {
  readonly clock: Clock;
  readonly log: Log;
  /** Folder in which commands run. */
  readonly folder: string;
  /** How webhooks are reached. */
  readonly network: () => Promise<Network>;
  /** Notes durably that an attempt begins, that it failed for certain, or that it succeeded. */
  readonly note: (state: "sending" | "due" | "sent") => Promise<void>;
}

const bodies = {
  record: (run: NoticedRun) => JSON.stringify(run),
  // Slack reads these three characters as markup.
  slack: (run: NoticedRun) =>
    JSON.stringify({
      text: noticeText(run).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    }),
};

/** Sends one notice, and repeats it while it fails. What fails in the end is a warning. */
export async function deliver(notice: NoticeInput, run: NoticedRun, delivery: Delivery): Promise<void> {
  const { clock, log, folder } = delivery;
  const { timeout = settings.notice_timeout.default, attempts = settings.notice_attempts.default } = notice;
  const timeoutMs = timeout * 1000;
  const send = async () => {
    if (notice.command !== undefined) return runProgram(notice.command, bodies.record(run), folder, timeoutMs);
    const { proxies, tls } = await delivery.network();
    // The client certificate is for the service only.
    const network = { ...(proxies && { proxies }), ...(tls?.ca && { tls: { ca: tls.ca } }) };
    const text = bodies[notice.form ?? "record"](run);
    return postJson(
      { url: notice.url ?? "", text, headers: { "idempotency-key": run.run }, timeoutMs, network },
      clock,
    );
  };
  const note = (state: "sending" | "due" | "sent") =>
    delivery.note(state).catch((error: unknown) => log.warn(`The notice could not be recorded: ${messageOf(error)}`));
  const once = async () => {
    await note("sending");
    try {
      await send();
    } catch (error) {
      await note("due");
      throw notice.command !== undefined ? new TransientFailure(messageOf(error), { cause: error }) : error;
    }
    await note("sent");
  };
  try {
    await repeatedly(once, { clock, random: systemRandom, attempts, totalMs: 60_000, baseMs: 500, capMs: 10_000 });
  } catch (error) {
    log.warn(`The notice of run ${run.run} was not delivered: ${messageOf(error)}`);
  }
}
