/**
 * What the ranker of metrical levels has learned: each feature's weight, and the mean and deviation it is normalised by.
 * Fitted as a softmax over the candidates of 138 files of known tempo (rendered songs, loops, game soundtracks, metal).
 */
export const TEMPO_WEIGHTS = [
  { feature: 'log_tempo', weight: 0.5014167822731851, mean: -0.18851002792230373, deviation: 0.4798968694637066 },
  {
    feature: 'log_tempo_squared',
    weight: -0.37394364053065043,
    mean: 0.2658370359483332,
    deviation: 0.27031835832489964,
  },
  { feature: 'above_164', weight: -0.05319859707367495, mean: 0.017242119188180943, deviation: 0.05427808043368949 },
  { feature: 'below_88', weight: -0.2842610461496612, mean: 0.09390854295557031, deviation: 0.16133927402284665 },
  { feature: 'comb', weight: 0.4985738562130477, mean: 0.28595359407107324, deviation: 0.19840374534518573 },
  { feature: 'beat', weight: -0.017662973905405516, mean: 0.08679953060427788, deviation: 0.26978179750863523 },
  { feature: 'two_beats', weight: 0.9986681634555726, mean: 0.18665560813130339, deviation: 0.3180836478808728 },
  { feature: 'four_beats', weight: 0.40057781128769565, mean: 0.34240906020869766, deviation: 0.3163170881228335 },
  { feature: 'half_beat', weight: 0.12296042766244414, mean: 0.04521657644848716, deviation: 0.21836681442188213 },
  { feature: 'quarter_beat', weight: -0.378313874679775, mean: 0.011374835193278953, deviation: 0.1663214582472154 },
  { feature: 'third_beat', weight: -0.35681339685459224, mean: 0.012025643724375512, deviation: 0.16359153804812454 },
  { feature: 'dotted_beat', weight: 0.7468806829214893, mean: 0.16002614574740276, deviation: 0.29795162996938646 },
  { feature: 'dotted_eighth', weight: 0.2676898501387213, mean: 0.09526226593258146, deviation: 0.2574239368722654 },
  { feature: 'low_beat', weight: 0.42135094538693213, mean: 0.06701124448933177, deviation: 0.23127590132140557 },
  { feature: 'low_two_beats', weight: -0.17546303090930912, mean: 0.1399973735480273, deviation: 0.28066951988456795 },
  { feature: 'low_four_beats', weight: 0.6781939842004239, mean: 0.26577430944103664, deviation: 0.3089771837291449 },
  { feature: 'mid_beat', weight: -0.6311633548362359, mean: 0.07849184570560475, deviation: 0.24846976877784482 },
  { feature: 'mid_two_beats', weight: -0.36154829724523163, mean: 0.16992819423930583, deviation: 0.29514073862675616 },
  {
    feature: 'mid_half_beat',
    weight: -0.021581087625464745,
    mean: 0.03918119409802919,
    deviation: 0.19968496976270303,
  },
  { feature: 'high_beat', weight: 0.434062018019059, mean: 0.09471672358183846, deviation: 0.264121785685515 },
  { feature: 'high_half_beat', weight: 0.32210717541766093, mean: 0.04744847566565878, deviation: 0.20814471773875262 },
  {
    feature: 'high_quarter_beat',
    weight: 0.021579387778323966,
    mean: 0.018142300194374586,
    deviation: 0.16137223150466468,
  },
  { feature: 'mid_four_beats', weight: 0.08037317213382543, mean: 0.3098038198087874, deviation: 0.3002092282052806 },
  { feature: 'three_beats', weight: 0.3023628174997213, mean: 0.2587146775077903, deviation: 0.3157890073669025 },
] as const

export type TempoFeature = (typeof TEMPO_WEIGHTS)[number]['feature']
