/** A reader may close the pipe early (`recount query … | head`): that is not an error. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

/**
 * Exports may hold personal data: only the owner and the group may read what Recount and its engine
 * write.
 */
process.umask(0o027);

// Imported here, so that no chunk is part of this file, which waits.
const { main, watchProcess } = await import("./commands/main.js");

watchProcess();

process.exitCode = await main(process.argv.slice(2));
