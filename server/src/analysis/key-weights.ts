import type { KeyEvidence } from './key-evidence.ts'

/**
 * Weights of the evidence in key-evidence.ts, from the tonic upwards: 12 pitch classes, or 12 major and 12 minor triads.
 * Fitted on 266 generated songs of known key (144 of bench/labelled-music.ts, 56 demo songs, 66 General MIDI
 * arrangements; conditional logit, ridge 0.0005), then mixed with the key profiles, 3 : 1: alone, the fitted weights lose
 * 11 points against the profiles on music that people composed, mixed 4. Divided by 1.25, so that nine of ten keys with a
 * confidence of 0.6 or more are right. bench/RESULTS.md reports songs that were not used for fitting.
 */
type EvidenceWeights = { [kind in keyof KeyEvidence]: readonly number[] }

const MAJOR: EvidenceWeights = {
  chroma: [-0.029, 0.07, -0.371, -0.636, 0.21, -0.502, -0.364, -0.132, -0.298, 2.248, -1.599, -0.317],
  evenChroma: [-0.895, 0.073, -0.634, 0.03, -0.118, -0.172, 0.047, -0.209, -0.168, 2.135, -0.918, -0.045],
  bass: [0.584, 0.093, -0.245, -0.34, -0.441, 0.881, 0.342, -0.062, -0.308, 0.224, -0.164, -0.17],
  barBass: [0.503, -0.538, -0.275, 0.273, -0.21, 0.37, 0.01, 0.395, 0.315, 0.056, -0.484, -0.022],
  phraseBass: [1.044, -0.681, 1.032, 0.218, -0.369, -0.151, 0.028, 0.176, 0.372, -0.525, 0.038, -0.794],
  barTriads: [
    0.559, 0.111, -0.082, 0.048, 0.11, -0.53, -0.279, -0.018, 0.123, 0.688, 0.262, -0.002, 0.568, 0.016, -0.449, -0.112,
    -0.365, -0.195, -0.152, -0.964, 0.007, 0.389, 0.437, 0.224,
  ],
  phraseTriads: [
    0.078, 0.098, 1.446, 0.051, 0.146, -0.703, -0.542, -0.74, 0.073, 0.461, 1.12, -0.214, -0.286, 0.033, -0.126, -0.069,
    -1.107, 0.024, -0.211, 0.25, 0.016, -0.094, 0.542, 0.175,
  ],
}

const MINOR: EvidenceWeights = {
  chroma: [-1.275, 0.028, 0.104, 0.031, 0.115, 0.865, 0.037, 0.315, 0.721, -0.344, 1.084, 0.055],
  evenChroma: [-1.237, -0.164, -0.235, 0.569, 0.069, 0.856, 0.071, 0.559, 0.236, -0.718, 1.1, -0.214],
  bass: [0.327, -0.25, -0.3, 0.56, -0.43, 0.495, -0.013, -0.143, -0.718, 0.336, -0.555, 0.298],
  barBass: [0.031, -0.514, -0.217, 0.091, 0.216, 1.052, -0.167, -0.298, -0.172, 0.539, -0.465, -0.489],
  phraseBass: [0.615, -0.174, 0.6, -0.947, 0.316, -0.11, -0.218, -0.068, 0.291, 0.52, -0.477, -0.732],
  barTriads: [
    -0.245, -0.651, -0.252, 0.063, -0.132, -1.418, 0.19, -0.093, 0.037, 0.349, 1.461, -0.296, 0.615, -0.321, -0.535,
    0.06, 0.09, 1.448, 0.317, -0.266, -0.342, 0.042, -0.334, -0.176,
  ],
  phraseTriads: [
    0.44, -0.473, -0.001, -1.188, -0.064, -1.236, 0.233, -0.535, 0.505, 0.666, 0.61, -0.196, 1.857, -0.382, -0.59,
    -0.191, 0.111, 0.294, 0.149, -0.18, -0.27, 0.148, -0.255, 0.098,
  ],
}

export const KEY_WEIGHTS = { major: MAJOR, minor: MINOR, likeness: 1.567, isMinor: -0.352 }
