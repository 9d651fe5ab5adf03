import { loadWasm, type WasmExports } from './load-wasm.ts'

const BAD_FILE_DESCRIPTOR = 8
const failed = () => BAD_FILE_DESCRIPTOR
/** What the C library imports. FAAD2 writes nothing here. */
const WASI = { fd_close: failed, fd_seek: failed, fd_write: failed }

/** The samples of one frame, one array per channel; none for the first frame. */
export type DecodedFrame = { channels: Float32Array[]; sample_rate: number }

/** FAAD2 as WebAssembly: see README.md. One decoder decodes one file. */
export class AacDecoder {
  readonly #wasm: WasmExports
  readonly #inputBytes: number
  #hasStopped = false

  /** Throws when the module cannot be loaded. */
  private constructor() {
    this.#wasm = loadWasm('faad', { wasi_snapshot_preview1: WASI })
    this.#wasm._initialize!()
    this.#inputBytes = this.#wasm.input_size!()
  }

  /** Takes the file's AudioSpecificConfig. Undefined when it is not valid; throws when the module cannot be loaded. */
  static open(config: Uint8Array): AacDecoder | undefined {
    const decoder = new AacDecoder()
    return decoder.#write(config) && decoder.#wasm.open!(config.length) >= 0 ? decoder : undefined
  }

  /** Decodes a frame. Undefined when it is damaged. */
  decode(frame: Uint8Array): DecodedFrame | undefined {
    if (this.#hasStopped || frame.length === 0 || !this.#write(frame)) return undefined
    try {
      const samples = this.#wasm.decode!(frame.length)
      return samples < 0 ? undefined : this.#read(samples)
    } catch {
      // The module has read or written outside its memory, and its state is unknown.
      this.#hasStopped = true
      return undefined
    }
  }

  #write(bytes: Uint8Array): boolean {
    if (bytes.length > this.#inputBytes) return false
    new Uint8Array(this.#wasm.memory.buffer, this.#wasm.input!(), bytes.length).set(bytes)
    return true
  }

  #read(samples: number): DecodedFrame {
    const count = this.#wasm.channels!()
    const sample_rate = this.#wasm.sample_rate!()
    if (samples === 0 || count === 0) return { channels: [], sample_rate }
    const length = samples / count
    const interleaved = new Float32Array(this.#wasm.memory.buffer, this.#wasm.output!(), samples)
    const channels = Array.from({ length: count }, (_, channel) => {
      const each = new Float32Array(length)
      for (let i = 0, at = channel; i < length; i++, at += count) each[i] = interleaved[at]!
      return each
    })
    return { channels, sample_rate }
  }
}
