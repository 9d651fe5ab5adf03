/**
 * Weights of the features of bar-candidates.ts, in their order. Fitted on the training seeds of two generators, the demo
 * synthesiser and General MIDI arrangements (122 songs, each starting at a random position): conditional logit, ridge
 * 0.005. bench/RESULTS.md reports songs that were not used for fitting.
 */
export const BAR_WEIGHTS: readonly number[] = [
  // Position in the beat, compared with half and quarter beats away: onsets of all, low, mid and high bands.
  ...[0.468, 0.1, 0.449, 0.328, 0.245, 0.371, 0.363, 0.015, 0.306, 0.765, 0.309, 0.772],
  // The same for changes of harmony and of bass.
  ...[0.031, 0.111],
  // Low onsets on the sixteenths of the bar.
  ...[
    1.001, -0.427, -0.553, 0.12, -0.39, -0.265, 0.342, -0.292, -0.535, -0.18, 0.39, 0.411, -0.062, -0.397, -0.519,
    -0.128,
  ],
  // Middle onsets.
  ...[
    0.493, -0.472, -0.354, 0.574, -0.306, -0.343, 0.447, -0.506, -0.432, -0.288, 0.466, 0.283, 0.32, -0.261, -0.024,
    -0.047,
  ],
  // High onsets.
  ...[
    -0.146, -0.639, 0.174, 0.39, 0.654, -0.624, 0.216, -0.008, -0.259, -0.312, 0.447, 0.449, 0.741, -0.419, 0.477,
    0.196,
  ],
  // Changes of harmony on the four beats, and between them.
  ...[1.605, -0.189, -0.931, -1.137, -0.01],
  // Changes of bass.
  ...[1.39, -0.175, -0.64, -0.757, -0.026],
  // Changes of the whole sound on the four beats, a sixteenth off and an eighth off the downbeat.
  ...[1.38, -0.247, -0.233, -0.265, 0.895, -0.216],
  // The same at one bar of eight, and of four; music that begins here after silence.
  ...[1.274, 0.893, 1.61],
]
