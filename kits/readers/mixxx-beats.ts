/** The positions of beats in a `BeatMap-1.0` of Mixxx, in frames: protocol buffers `repeated Beat { int32 frame = 1 }`. */
export const beatFrames = (data: Buffer): number[] =>
  readMessage(data).map(({ value }) => (Buffer.isBuffer(value) ? frameOf(readMessage(value)) : Number.NaN))

const frameOf = (fields: ProtobufField[]) => {
  const frame = fields.find(({ number }) => number === 1)?.value ?? 0n
  return typeof frame === 'bigint' ? Number(BigInt.asIntN(64, frame)) : Number.NaN
}

type ProtobufField = { number: number; value: bigint | Buffer }

const VARINT = 0
const LENGTH_DELIMITED = 2

function readMessage(data: Buffer): ProtobufField[] {
  const fields: ProtobufField[] = []
  let at = 0
  const readVarint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = data[at++]
      if (byte === undefined) throw new Error('A number ends too early.')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < data.length) {
    const tag = Number(readVarint())
    const type = tag & 7
    if (type !== VARINT && type !== LENGTH_DELIMITED) throw new Error(`Unexpected type ${type} in a list of beats.`)
    if (type === VARINT) fields.push({ number: tag >> 3, value: readVarint() })
    else {
      const length = Number(readVarint())
      fields.push({ number: tag >> 3, value: data.subarray(at, at + length) })
      at += length
    }
  }
  return fields
}
