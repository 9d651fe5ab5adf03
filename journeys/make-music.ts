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
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + data.length + marked.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(2, 22)
  head.writeUInt32LE(SAMPLE_RATE, 24)
  head.writeUInt32LE(SAMPLE_RATE * BYTES_PER_FRAME, 28)
  head.writeUInt16LE(BYTES_PER_FRAME, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data, marked])
}
