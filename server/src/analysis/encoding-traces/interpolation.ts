/** Points beyond the offsets of one frame that the polynomials need. */
export const POINTS_AROUND = 3

type Spectra = {
  /** Complex amplitudes Σ w(n) x(start + n) exp(−iθn), one row of points for each bin. */
  re: Float64Array
  im: Float64Array
  /** Numbers of the bins: θ = (number + ½)π/hop. */
  numbers: readonly number[]
  hop: number
  /** Samples from one point to the next, which divide `hop`. */
  step: number
}

/**
 * MDCT coefficients at every offset, from complex spectra at every `step`-th one. A bin is a narrow band around its
 * frequency θ: without the rotation by θ, its complex amplitude changes slowly with the offset and is interpolated by a
 * cubic polynomial. The first point is one step before offset 0.
 */
export function interpolateOffsets({ re, im, numbers, hop, step }: Spectra, out: Float32Array): void {
  const segments = hop / step
  const points = segments + POINTS_AROUND
  const each = 1 / step
  const cos = new Float64Array(step)
  const sin = new Float64Array(step)
  const real = new Float64Array(4)
  const imaginary = new Float64Array(4)
  numbers.forEach((number, bin) => {
    const theta = (Math.PI / hop) * (number + 0.5)
    for (let t = 0; t < step; t++) {
      cos[t] = Math.cos(theta * t)
      sin[t] = Math.sin(theta * t)
    }
    for (let segment = 0; segment < segments; segment++) {
      // X(o) = Re(exp(iθ(o − n₀)) D(o)), n₀ = (hop + 1)/2, D(o) = exp(−iθo) Σ w(n) x(o + n) exp(−iθn).
      for (let point = 0; point < 4; point++) {
        const phase = -theta * ((hop + 1) / 2 + (point - 1) * step)
        const [c, s] = [Math.cos(phase), Math.sin(phase)]
        const at = bin * points + segment + point
        real[point] = re[at]! * c - im[at]! * s
        imaginary[point] = re[at]! * s + im[at]! * c
      }
      const [r0, r1, r2, r3] = cubicThrough(real)
      const [i0, i1, i2, i3] = cubicThrough(imaginary)
      const to = bin * hop + segment * step
      for (let t = 0; t < step; t++) {
        const u = t * each
        const r = r0 + u * (r1 + u * (r2 + u * r3))
        const i = i0 + u * (i1 + u * (i2 + u * i3))
        out[to + t] = r * cos[t]! - i * sin[t]!
      }
    }
  })
}

/** Lagrange's polynomial through the values at −1, 0, 1 and 2: its coefficients from the constant on. */
function cubicThrough(values: Float64Array): [number, number, number, number] {
  const [a, b, c, d] = values as unknown as [number, number, number, number]
  return [b, c - b / 2 - a / 3 - d / 6, (a + c) / 2 - b, (b - c) / 2 + (d - a) / 6]
}
