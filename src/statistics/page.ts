/** What statistics say of the rankings of a page: how sure the first place is, and who agrees. */
import { namesInQueries, queryRows, type StatisticsOf } from "../report/index.js";

export const statisticsOf: StatisticsOf = async ({ warehouse, make, hasStatistics }, ids) => {
  if (!hasStatistics) return { standings: [], agreements: [], ledger: [] };
  await make(await namesInQueries("statistics/page"));
  return {
    standings: await queryRows(warehouse, "statistics/page/standings", ids),
    agreements: await queryRows(warehouse, "statistics/page/agreements", ids),
    ledger: await queryRows(warehouse, "statistics/page/ledgers", ids),
  };
};
