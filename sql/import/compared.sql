-- Two ratings of a comparison. Those of an item against itself name it: is_right tells them apart.
select
  * exclude (item, score, dimension, covariates),
  unnest(item) as item,
  unnest(score) as score,
  unnest(dimension) as dimension,
  -- Of the left item less those of the right one.
  unnest([covariates, null]) as covariates,
  unnest(case when item[1] = item[2] then [false, true] else [false, false] end) as is_right
from ($rows)
