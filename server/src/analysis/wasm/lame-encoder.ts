import { loadWasm, type WasmExports } from './load-wasm.ts'

/**
 * LAME's settings: `quality` is -q (0 best, 9 fastest). With `vbr_quality`, -V (0 best, 9 smallest), the noise of each
 * frame is chosen as for variable bit rate. Without it, the file begins with LAME's own header.
 */
export type LameSettings = { channels: 1 | 2; sample_rate: number; kbps: number; vbr_quality?: number; quality: number }

const BAD_FILE_DESCRIPTOR = 8
const failed = () => BAD_FILE_DESCRIPTOR

/** What the C library imports. LAME writes only error messages, which are dropped. */
const WASI = {
  fd_close: failed,
  fd_seek: failed,
  fd_write: failed,
  proc_exit: (): never => {
    throw new Error('LAME stopped')
  },
}

/** LAME 3.100 as WebAssembly with SIMD: see README.md. One encoder encodes one file. */
export class LameEncoder {
  readonly #wasm: WasmExports
  readonly #channels: 1 | 2
  readonly #blockSamples: number

  /** Throws when the module cannot be loaded. */
  constructor({ channels, sample_rate, kbps, vbr_quality, quality }: LameSettings) {
    this.#wasm = loadWasm('lame', { wasi_snapshot_preview1: WASI })
    this.#channels = channels
    this.#wasm._initialize!()
    this.#blockSamples = this.#wasm.block_samples!()
    const status =
      vbr_quality === undefined
        ? this.#wasm.open_constant!(channels, sample_rate, kbps, quality)
        : this.#wasm.open!(channels, sample_rate, kbps, vbr_quality, quality)
    if (status < 0) throw new Error(`LAME rejected the settings (${status})`)
  }

  /** Takes any number of samples, one array per channel. The bytes are overwritten by the next call. */
  *encode(channels: Float32Array[]): Generator<Uint8Array> {
    const length = channels[0]!.length
    for (let from = 0; from < length; from += this.#blockSamples) {
      const to = Math.min(length, from + this.#blockSamples)
      for (let channel = 0; channel < this.#channels; channel++)
        this.#write(channel, channels[channel]!.subarray(from, to))
      yield this.#output(this.#wasm.encode!(to - from))
    }
  }

  /** The rest of the audio. The bytes are overwritten by the next call. */
  finish(): Uint8Array {
    return this.#output(this.#wasm.finish!())
  }

  /** LAME's header, which replaces the first frame of the file. Call it after {@link finish}. */
  infoFrame(): Uint8Array {
    return this.#output(this.#wasm.info_frame!())
  }

  /** The samples that were added before and after the audio. Call it after {@link finish}. */
  trims(): { delay: number; padding: number } {
    return { delay: this.#wasm.delay!(), padding: this.#wasm.padding!() }
  }

  #write(channel: number, samples: Float32Array): void {
    // LAME's memory may have moved since the last call.
    new Float32Array(this.#wasm.memory.buffer, this.#wasm.input!(channel), samples.length).set(samples)
  }

  #output(bytes: number): Uint8Array {
    if (bytes < 0) throw new Error(`LAME failed (${bytes})`)
    return new Uint8Array(this.#wasm.memory.buffer, this.#wasm.output!(), bytes)
  }
}
