/** A named piece of a WAD, the archive of Doom's data. */
type Lump = { name: string; bytes: Buffer }

const DIRECTORY_ENTRY_BYTES = 16
const MIDI_SIGNATURE = 'MThd'

/** The MIDI files in a WAD: a header with the number of lumps and the place of their directory, then the lumps. */
export function midiLumpsOf(wad: Buffer): Lump[] {
  const count = wad.readUInt32LE(4)
  const directory = wad.readUInt32LE(8)
  const lumps = Array.from({ length: count }, (_, n) => {
    const entry = directory + n * DIRECTORY_ENTRY_BYTES
    const from = wad.readUInt32LE(entry)
    return {
      name: wad.toString('latin1', entry + 8, entry + DIRECTORY_ENTRY_BYTES).replace(/\0.*$/s, ''),
      bytes: wad.subarray(from, from + wad.readUInt32LE(entry + 4)),
    }
  })
  return lumps.filter(({ bytes }) => bytes.toString('latin1', 0, MIDI_SIGNATURE.length) === MIDI_SIGNATURE)
}
