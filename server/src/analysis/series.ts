/** A growing list of numbers, four bytes each, so that a mix of two hours needs little memory. */
export class Series {
  #values = new Float32Array(16_384)
  #length = 0

  push(value: number): void {
    this.#reserve(1)
    this.#values[this.#length++] = value
  }

  pushAll(values: ArrayLike<number>): void {
    this.#reserve(values.length)
    this.#values.set(values, this.#length)
    this.#length += values.length
  }

  values(): Float32Array {
    return this.#values.subarray(0, this.#length)
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#values.length) return
    const longer = new Float32Array(Math.max(this.#length + count, this.#values.length * 2))
    longer.set(this.values())
    this.#values = longer
  }
}
