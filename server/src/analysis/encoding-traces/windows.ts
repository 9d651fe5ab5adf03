/** The sine window of AAC (ISO/IEC 14496-3, 4.6.11.3.2). */
export function sineWindow(size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, n) => Math.sin((Math.PI / size) * (n + 0.5)))
}

/** The power-complementary window of Vorbis (Vorbis I specification, 4.3.1). */
export function vorbisWindow(size: number): Float64Array {
  return sineWindow(size).map((value) => Math.sin((Math.PI / 2) * value * value))
}

/** The Kaiser-Bessel-derived window of AAC's long blocks, α = 4 (ISO/IEC 14496-3, 4.6.11.3.2). */
export function kaiserBesselWindow(size: number): Float64Array {
  const half = size / 2
  const kaiser = Float64Array.from({ length: half + 1 }, (_, n) =>
    besselI0(Math.PI * 4 * Math.sqrt(1 - ((2 * n) / half - 1) ** 2)),
  )
  const total = kaiser.reduce((sum, value) => sum + value, 0)
  const window = new Float64Array(size)
  let sum = 0
  for (let n = 0; n < half; n++) {
    sum += kaiser[n]!
    window[n] = Math.sqrt(sum / total)
    window[size - 1 - n] = window[n]!
  }
  return window
}

/** The modified Bessel function of the first kind and order 0, by its power series. */
function besselI0(x: number): number {
  let sum = 1
  for (let k = 1, term = 1; term > 1e-12 * sum; k++) {
    term *= (x / 2 / k) ** 2
    sum += term
  }
  return sum
}
