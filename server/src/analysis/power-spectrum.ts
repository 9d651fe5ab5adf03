import { hann, RealFft } from './fft.ts'

/**
 * The power of the bins 0 to size / 2 of a frame of `size` samples, weighted with a Hann window: (size a / 4)² for a
 * sine of amplitude a. The next call overwrites the result.
 */
export type PowerSpectrum = (frame: Float32Array) => Float32Array

/** Creates the function for frames of `size` samples, a power of two. */
export type CreatePowerSpectrum = (size: number) => PowerSpectrum

export const createPowerSpectrum: CreatePowerSpectrum = (size) => {
  const fft = new RealFft(size)
  const window = hann(size)
  const windowed = new Float32Array(size)
  const powers = new Float32Array(size / 2 + 1)
  return (frame) => {
    for (let i = 0; i < size; i++) windowed[i] = frame[i]! * window[i]!
    const { re, im } = fft.forward(windowed)
    for (let bin = 0; bin <= size / 2; bin++) powers[bin] = re[bin]! * re[bin]! + im[bin]! * im[bin]!
    return powers
  }
}
