-- Two ratings of a comparison; is_right says which side each was on.
select
  * exclude (item, score, dimension, covariates),
  unnest(item) as item,
  unnest(score) as score,
  unnest(dimension) as dimension,
  -- Of the left item less those of the right one.
  unnest([covariates, null]) as covariates,
  unnest([false, true]) as is_right
from ($rows)
