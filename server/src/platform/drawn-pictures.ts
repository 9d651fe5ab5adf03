import sharp, { type OutputInfo, type Sharp } from 'sharp'
import { makeGate } from './gate.ts'
import { Refusal } from './refusal.ts'

/** Pictures that somebody sends are drawn anew before they are kept. */

/** A picture of more pixels is refused before it is unpacked, however few bytes it has. */
const LARGEST_PIXELS = 60_000_000
const DRAWN_WITHIN_SECONDS = 10

/** A picture of many pixels keeps a core for a second and some hundred megabytes: one at a time. */
export const drawingGate = makeGate({ atOnce: 1, mayWait: 20 })

export type Drawn = { data: Buffer; info: OutputInfo }

/**
 * Draws a picture anew, the right way up and as `shaped` says: nothing of the file but its pixels comes in, and no place it
 * was taken at. Refuses `invalid_image`, and `service_unavailable` when too many wait.
 */
export async function drawAnew(bytes: Buffer, shaped: (picture: Sharp) => Sharp): Promise<Drawn> {
  if (!isPicture(bytes)) throw notAPicture()
  return drawingGate.pass(() =>
    shaped(sharp(bytes, { limitInputPixels: LARGEST_PIXELS, failOn: 'error', pages: 1 }).autoOrient())
      .timeout({ seconds: DRAWN_WITHIN_SECONDS })
      .toBuffer({ resolveWithObject: true })
      .catch(() => {
        throw notAPicture()
      }),
  )
}

/** The middle of a picture as a square of so many pixels each way, as WebP. */
export const squareOf = (side: number) => (picture: Sharp) =>
  picture.resize(side, side, { fit: 'cover', position: 'centre' }).webp({ quality: 86 })

/** The whole picture, at most so many pixels wide and high. */
export const within = (side: number) => (picture: Sharp) =>
  picture.resize(side, side, { fit: 'inside', withoutEnlargement: true })

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)

/** By how they begin, whatever the file is called. SVG is none of them: it is a program, not a picture. */
const isPicture = (bytes: Buffer): boolean =>
  ascii(bytes, 0, 3) === '\xff\xd8\xff' ||
  ascii(bytes, 0, 4) === '\x89PNG' ||
  ascii(bytes, 0, 4) === 'GIF8' ||
  (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') ||
  ['ftypavif', 'ftypavis'].includes(ascii(bytes, 4, 12))

const notAPicture = () =>
  new Refusal(
    'invalid_image',
    'This picture can’t be read. Upload a JPEG, PNG, WebP, AVIF or GIF of up to 60 megapixels.',
  )
