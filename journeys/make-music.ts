import { type Recipe, renderBlocks, SAMPLE_RATE } from '@dubplate/demo/song'

type Music = Pick<Recipe, 'seed' | 'genre' | 'tonic' | 'mode' | 'bpm' | 'version'>

const BYTES_PER_FRAME = 4

/** A comment chunk after the audio data, which makes two files of the same music different. */
function makeMarkChunk(mark: string): Buffer {
  const text = mark.length % 2 === 0 ? mark : `${mark} `
  const size = (bytes: number) => {
    const field = Buffer.alloc(4)
    field.writeUInt32LE(bytes)
    return field
  }
  const comment = Buffer.concat([Buffer.from('INFOICMT'), size(text.length), Buffer.from(text)])
  return Buffer.concat([Buffer.from('LIST'), size(comment.length), comment])
}

/** The chunks of a WAV with 16-bit samples that come before the samples. Other chunks may follow the samples. */
function makeHeader(format: { rate: number; channels: number }, dataBytes: number, laterBytes = 0): Buffer {
  const { rate, channels } = format
  const frameBytes = channels * 2
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + dataBytes + laterBytes, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * frameBytes, 28)
  header.writeUInt16LE(frameBytes, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(dataBytes, 40)
  return header
}

/** Five seconds of a pulsing tone as a WAV of 22.05 kHz, mono: each pitch counts as another recording. */
export function makeTone(pitch_hz: number): Buffer {
  const [rate, seconds] = [22_050, 5]
  const data = Buffer.alloc(rate * seconds * 2)
  for (let n = 0; n < rate * seconds; n++) {
    const pulse = 0.5 + 0.5 * Math.sin((4 * Math.PI * n) / rate)
    data.writeInt16LE(Math.round(12_000 * pulse * Math.sin((2 * Math.PI * pitch_hz * n) / rate)), n * 2)
  }
  return Buffer.concat([makeHeader({ rate, channels: 1 }, data.length), data])
}

/**
 * Renders a recipe as a WAV of 44.1 kHz, 16 bit, stereo: about ten megabytes a minute.
 * @param mark ASCII text for the comment chunk
 */
export function makeWav(music: Music, mark = ''): Buffer {
  const blocks: Buffer[] = []
  for (const { left, right } of renderBlocks(music)) {
    const block = Buffer.alloc(left.length * BYTES_PER_FRAME)
    left.forEach((sample, n) => {
      block.writeInt16LE(Math.round(sample * 32_767), n * BYTES_PER_FRAME)
      block.writeInt16LE(Math.round((right[n] ?? 0) * 32_767), n * BYTES_PER_FRAME + 2)
    })
    blocks.push(block)
  }
  const data = Buffer.concat(blocks)
  const marked = mark ? makeMarkChunk(mark) : Buffer.alloc(0)
  return Buffer.concat([makeHeader({ rate: SAMPLE_RATE, channels: 2 }, data.length, marked.length), data, marked])
}
