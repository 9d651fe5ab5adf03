/**
 * Weights of the ranker of metrical levels: each feature's weight, and the mean and deviation it is normalised by.
 * Fitted as a softmax over the candidates of 138 files of known tempo (rendered songs, loops, game soundtracks, metal),
 * then adapted to 176 synthesised pieces of eleven rhythms (seeds 1 and 3 of bench/labelled-music.ts) with a squared
 * penalty of 0.1 on every change.
 */
export const TEMPO_WEIGHTS = [
  { feature: 'log_tempo', weight: 0.5804, mean: -0.1885, deviation: 0.4799 },
  {
    feature: 'log_tempo_squared',
    weight: -0.3849,
    mean: 0.2658,
    deviation: 0.2703,
  },
  { feature: 'above_164', weight: -0.0608, mean: 0.0172, deviation: 0.0543 },
  { feature: 'below_88', weight: -0.3146, mean: 0.0939, deviation: 0.1613 },
  { feature: 'comb', weight: 0.7013, mean: 0.286, deviation: 0.1984 },
  { feature: 'beat', weight: 0.1153, mean: 0.0868, deviation: 0.2698 },
  { feature: 'two_beats', weight: 1.1103, mean: 0.1867, deviation: 0.3181 },
  { feature: 'four_beats', weight: 0.6245, mean: 0.3424, deviation: 0.3163 },
  { feature: 'half_beat', weight: 0.0622, mean: 0.0452, deviation: 0.2184 },
  { feature: 'quarter_beat', weight: -0.4881, mean: 0.0114, deviation: 0.1663 },
  { feature: 'third_beat', weight: -0.0547, mean: 0.012, deviation: 0.1636 },
  { feature: 'dotted_beat', weight: 0.612, mean: 0.16, deviation: 0.298 },
  { feature: 'dotted_eighth', weight: 0.3305, mean: 0.0953, deviation: 0.2574 },
  { feature: 'low_beat', weight: 0.3961, mean: 0.067, deviation: 0.2313 },
  { feature: 'low_two_beats', weight: -0.2322, mean: 0.14, deviation: 0.2807 },
  { feature: 'low_four_beats', weight: 1.1568, mean: 0.2658, deviation: 0.309 },
  { feature: 'mid_beat', weight: -0.5132, mean: 0.0785, deviation: 0.2485 },
  { feature: 'mid_two_beats', weight: -0.1917, mean: 0.1699, deviation: 0.2951 },
  {
    feature: 'mid_half_beat',
    weight: -0.0344,
    mean: 0.0392,
    deviation: 0.1997,
  },
  { feature: 'high_beat', weight: 0.327, mean: 0.0947, deviation: 0.2641 },
  { feature: 'high_half_beat', weight: 0.0675, mean: 0.0474, deviation: 0.2081 },
  {
    feature: 'high_quarter_beat',
    weight: 0.097,
    mean: 0.0181,
    deviation: 0.1614,
  },
  { feature: 'mid_four_beats', weight: 0.3154, mean: 0.3098, deviation: 0.3002 },
  { feature: 'three_beats', weight: 0.3122, mean: 0.2587, deviation: 0.3158 },
] as const

export type TempoFeature = (typeof TEMPO_WEIGHTS)[number]['feature']
