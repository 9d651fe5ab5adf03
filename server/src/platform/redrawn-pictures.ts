import sharp, { type OutputInfo, type Sharp } from 'sharp'
import { ApiError } from './api-error.ts'
import { createLimiter } from './concurrency-limiter.ts'

/** Pictures that somebody sends are drawn anew before they are kept. */

/** A picture of more pixels is refused before it is unpacked, however few bytes it has. */
const MAX_PIXELS = 60_000_000
const DRAW_TIMEOUT_SECONDS = 10

/** A picture of many pixels keeps a core for a second and some hundred megabytes: one at a time. */
export const drawingLimiter = createLimiter({ concurrency: 1, maxWaiting: 20 })

export type DrawnPicture = { data: Buffer; info: OutputInfo }

/**
 * Draws a picture anew, the right way up and as `shaped` says: nothing of the file but its pixels comes in, and no place it
 * was taken at. Refuses `invalid_image`, and `service_unavailable` when too many wait.
 */
export async function redraw(bytes: Buffer, transform: (picture: Sharp) => Sharp): Promise<DrawnPicture> {
  if (!isPicture(bytes)) throw invalidPictureError()
  return drawingLimiter.pass(() =>
    transform(sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 }).autoOrient())
      .timeout({ seconds: DRAW_TIMEOUT_SECONDS })
      .toBuffer({ resolveWithObject: true })
      .catch(() => {
        throw invalidPictureError()
      }),
  )
}

/** The middle of a picture as a square of so many pixels each way, as WebP. */
export const squarePicture = (side: number) => (picture: Sharp) =>
  picture.resize(side, side, { fit: 'cover', position: 'centre' }).webp({ quality: 86 })

/** The whole picture, at most so many pixels wide and high. */
export const fitWithin = (side: number) => (picture: Sharp) =>
  picture.resize(side, side, { fit: 'inside', withoutEnlargement: true })

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)

/** By how they begin, whatever the file is called. SVG is none of them: it is a program, not a picture. */
const isPicture = (bytes: Buffer): boolean =>
  ascii(bytes, 0, 3) === '\xff\xd8\xff' ||
  ascii(bytes, 0, 4) === '\x89PNG' ||
  ascii(bytes, 0, 4) === 'GIF8' ||
  (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') ||
  ['ftypavif', 'ftypavis'].includes(ascii(bytes, 4, 12))

const invalidPictureError = () =>
  new ApiError(
    'invalid_image',
    'This picture can’t be read. Upload a JPEG, PNG, WebP, AVIF or GIF of up to 60 megapixels.',
  )
