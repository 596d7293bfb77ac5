/** The records as the service keeps them: the 0.8.3 shapes of docs/service-api.md. Older shapes are made on the way out. */
export interface Rating {
  score: number | null;
  rater_id: number;
  slate_id: number;
  session_id: string;
  job_id: string;
  stimulus_id: number;
  stimulus: string;
  dimension: string;
  is_training: boolean;
  meta: unknown;
  is_correct: boolean | null;
}

export interface Slate {
  id: number;
  rater_id: string;
  session_id: string;
  job_id: string;
  ratings: Rating[];
  date_updated: string;
  meta: Record<string, unknown>;
  is_training: boolean;
}

export interface Rater {
  id: string;
  user: Record<string, unknown>;
  meta: unknown;
}

export interface Session {
  id: string;
  job_id: string;
  experiment_id: string;
  date_created: string;
  date_updated: string;
  date_completed: string | null;
  meta: unknown;
  rater: Rater;
}

export interface RaterPool {
  id: string;
  kind: number;
  name: string;
  label: string;
}

/** A job with all its fields; which of them leave depends on the operation and the version. */
export interface Job {
  id: string;
  experiment_id: string;
  num_sessions: number;
  num_comparisons: number;
  num_training: number;
  date_created: string;
  date_updated: string;
  date_launched: string | null;
  rater_pool: RaterPool;
  /** The integer reference by which the job body and the older shape name the pool. */
  pool: number;
  status: "draft" | "launched" | "completed";
  config: Record<string, unknown>;
  max_repetitions: number;
  min_rest_time: number;
}
