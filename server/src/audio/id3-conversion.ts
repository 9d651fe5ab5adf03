import type { Id3Frame, RawFrame } from './id3-frames.ts'
import { decodeText, decodeValues, encodeStrings, splitAtTerminator } from './id3-text.ts'

/** Names of ID3v2.2 frames in 2.3 (id3v2-00 section 4 and id3v2.3.0 section 4). Its pictures have another layout. */
const VERSION_2_NAMES: Record<string, string> = {
  ...{ TT1: 'TIT1', TT2: 'TIT2', TT3: 'TIT3', TP1: 'TPE1', TP2: 'TPE2', TP3: 'TPE3', TP4: 'TPE4', TCM: 'TCOM' },
  ...{ TXT: 'TEXT', TLA: 'TLAN', TCO: 'TCON', TAL: 'TALB', TPA: 'TPOS', TRK: 'TRCK', TRC: 'TSRC', TYE: 'TYER' },
  ...{ TMT: 'TMED', TBP: 'TBPM', TCR: 'TCOP', TPB: 'TPUB', TEN: 'TENC', TSS: 'TSSE', TOF: 'TOFN', TOT: 'TOAL' },
  ...{ TOA: 'TOPE', TOL: 'TOLY', TOR: 'TORY', TKE: 'TKEY', TDY: 'TDLY', TCP: 'TCMP', TXX: 'TXXX', COM: 'COMM' },
  ...{ ULT: 'USLT', GEO: 'GEOB', UFI: 'UFID', CNT: 'PCNT', POP: 'POPM', MCI: 'MCDI', IPL: 'IPLS', WXX: 'WXXX' },
  ...{ WAF: 'WOAF', WAR: 'WOAR', WAS: 'WOAS', WCM: 'WCOM', WCP: 'WCOP', WPB: 'WPUB', GP1: 'GRP1' },
}

/** Frames of ID3v2.4 that 2.3 does not know (id3v2.4.0-changes section 4), and those that nest 2.4 frames. */
const ONLY_VERSION_4 = new Set(
  'ASPI EQU2 RVA2 SEEK SIGN TDEN TDOR TDRC TDRL TDTG TIPL TMCL TMOO TPRO TSOA TSOP TSOT TSST CHAP CTOC'.split(' '),
)

/** The frame in the form of ID3v2.3, or null when 2.3 has no such frame. */
export function toVersion3(frame: RawFrame): Id3Frame | null {
  if (frame.version === 3) return { id: frame.id, bytes: frame.bytes }
  if (frame.version === 2) {
    const id = VERSION_2_NAMES[frame.id]
    return id ? { id, bytes: frame.bytes } : null
  }
  if (ONLY_VERSION_4.has(frame.id)) return null
  const bytes = convertVersion4(frame)
  return bytes && { id: frame.id, bytes }
}

function convertVersion4({ id, bytes }: RawFrame): Buffer | null {
  if (id === 'TXXX') return convertUserText(bytes)
  if (id.startsWith('T')) return convertText(bytes)
  if (id === 'COMM' || id === 'USLT') return convertComment(bytes)
  const encoding = bytes[0] ?? 0
  if (id === 'GEOB') return encoding < 2 ? bytes : convertObject(bytes)
  if (id === 'WXXX') return encoding < 2 ? bytes : convertLink(bytes)
  // Text further inside: kept only in the encodings both versions know.
  if (['APIC', 'COMR', 'OWNE', 'SYLT', 'USER'].includes(id)) return encoding < 2 ? bytes : null
  return bytes
}

/** Several values are separated by zeros in 2.4 and by a slash in 2.3. */
function convertText(bytes: Buffer): Buffer {
  const { encoding, parts } = encodeStrings([decodeValues(bytes[0] ?? 0, bytes.subarray(1)).join('/')])
  return Buffer.concat([encoding, ...parts])
}

function convertUserText(bytes: Buffer): Buffer {
  const from = bytes[0] ?? 0
  const [name, value] = splitAtTerminator(from, bytes.subarray(1))
  return joinPair(Buffer.alloc(0), decodeText(from, name), decodeValues(from, value).join('/'))
}

function convertComment(bytes: Buffer): Buffer {
  const from = bytes[0] ?? 0
  const [description, text] = splitAtTerminator(from, bytes.subarray(4))
  return joinPair(bytes.subarray(1, 4), decodeText(from, description), decodeValues(from, text).join('/'))
}

function convertLink(bytes: Buffer): Buffer {
  const from = bytes[0] ?? 0
  const [description, address] = splitAtTerminator(from, bytes.subarray(1))
  const { encoding, parts, terminator } = encodeStrings([decodeText(from, description)])
  return Buffer.concat([encoding, ...parts, terminator, address])
}

function convertObject(bytes: Buffer): Buffer {
  const from = bytes[0] ?? 0
  const [mime, afterMime] = splitAtTerminator(0, bytes.subarray(1))
  const [fileName, afterName] = splitAtTerminator(from, afterMime)
  const [description, object] = splitAtTerminator(from, afterName)
  const texts = encodeStrings([decodeText(from, fileName), decodeText(from, description)])
  const [name, about] = texts.parts as [Buffer, Buffer]
  const { encoding, terminator } = texts
  return Buffer.concat([encoding, mime, Buffer.alloc(1), name, terminator, about, terminator, object])
}

function joinPair(before: Buffer, first: string, second: string): Buffer {
  const texts = encodeStrings([first, second])
  const [name, value] = texts.parts as [Buffer, Buffer]
  return Buffer.concat([texts.encoding, before, name, texts.terminator, value])
}
