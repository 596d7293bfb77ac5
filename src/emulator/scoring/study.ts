/** The parts of a study that scoring uses: the raw answers, in the field names of the interface. */
export interface ScoredRating {
  score: number | null;
  stimulus: string;
  stimulus_id: number | string;
  dimension: string;
  rater_id: number | string;
  is_training: boolean;
  is_correct: boolean | null;
}

export interface ScoredSlate {
  id: number;
  session_id: string;
  job_id: string;
  date_updated: string;
  ratings: readonly ScoredRating[];
}

export interface ScoredSession {
  id: string;
  job_id: string;
  date_created: string;
  date_completed: string | null;
}

export interface ScoredStudy {
  sessions: readonly ScoredSession[];
  slates: readonly ScoredSlate[];
}

/** One published row: the item under `stimulus`, then the fields of its kind. Null: not defined for so few ratings. */
export type ScoreRow = { stimulus: string } & Record<string, string | number | null>;
