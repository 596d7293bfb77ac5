/** Preloaded by test/e2e/logs.long.test.ts: after the first line on standard error, Node warns and an error is thrown that nobody catches. */
const write = process.stderr.write.bind(process.stderr);
let isFirst = true;
process.stderr.write = (...all) => {
  if (isFirst) {
    isFirst = false;
    process.emitWarning("planted warning");
    setImmediate(() => {
      throw new Error("planted error");
    });
  }
  return write(...all);
};
