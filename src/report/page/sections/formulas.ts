import type { Kind } from "../../../metrics/index.js";
import { html, type Html } from "../html.js";

interface Formula {
  readonly formula: Html;
  readonly source: string;
}

/** The definition of each kind (docs/metrics.md) and where it comes from. */
export const formulas: Readonly<Record<Kind, Formula>> = {
  win_loss: { formula: html`comparisons won, lost and tied`, source: "counts" },
  percent_chosen: { formula: html`100 · wins / n, with n = wins + losses + ties`, source: "share of comparisons" },
  percent_approved: { formula: html`100 · (ratings above 0) / n`, source: "share of ratings" },
  mean: {
    formula: html`x̄ = Σ x<sub>i</sub> / n`,
    source: "mean opinion score: ITU-T P.800.2 (2016); MUSHRA: ITU-R BS.1534-3 (2015)",
  },
  stats: {
    formula: html`s² = Σ (x<sub>i</sub> − x̄)² / (n − 1), s<sub>x̄</sub> = s / √n, interval x̄ ± t<sub>n−1</sub> s<sub
        >x̄</sub
      >`,
    source:
      "Student, The probable error of a mean, Biometrika 6 (1908); quartiles: Hyndman and Fan, The American Statistician 50 (1996)",
  },
  elo: {
    formula: html`E = 1 / (1 + base<sup>(R<sub>b</sub> − R<sub>a</sub>) / scale</sup>), R<sub>a</sub> ← R<sub>a</sub> +
      K (S − E)`,
    source: "Elo, The Rating of Chessplayers, Past and Present (1978)",
  },
  bayesian_elo: {
    formula: html`P(i beats j) = λ<sub>i</sub> / (λ<sub>i</sub> + λ<sub>j</sub>), λ<sub>i</sub> ~ Gamma(shape, rate);
      the mode of the posterior`,
    source: "Caron and Doucet, Efficient Bayesian inference for generalized Bradley–Terry models, JCGS 21 (2012)",
  },
};
