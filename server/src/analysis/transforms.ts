import { type CreateComplexTransform, createComplexTransform } from './fft.ts'
import { type CreatePowerSpectrum, createPowerSpectrum } from './power-spectrum.ts'

/** The Fourier transforms that measurements share: in TypeScript, or the faster ones of dsp.wasm. */
export type Transforms = { createSpectrum: CreatePowerSpectrum; createTransform: CreateComplexTransform }

export const scalarTransforms: Transforms = {
  createSpectrum: createPowerSpectrum,
  createTransform: createComplexTransform,
}
