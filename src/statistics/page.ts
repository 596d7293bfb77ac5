/** What statistics say of the rankings of a page: how sure the first place is, and who agrees. */
import type { StatisticsQueries } from "../report/index.js";

export const pageQueries: StatisticsQueries = {
  standings: "statistics/page/standings",
  agreements: "statistics/page/agreements",
  ledger: "statistics/page/ledgers",
};
