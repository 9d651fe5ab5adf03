import type { OutputInfo, Sharp } from 'sharp'
import { ApiError } from './api-error.ts'
import { createLimiter } from './concurrency-limiter.ts'
import { loadSharp } from './load-sharp.ts'

/** Uploaded pictures are re-encoded before they are stored. */

/** A picture with more pixels is rejected before it is decoded, however few bytes it has. */
const MAX_PIXELS = 60_000_000
const DRAW_TIMEOUT_SECONDS = 10

/** A picture with many pixels uses a core for a second and some hundred megabytes: one at a time. */
export const drawingLimiter = createLimiter({ concurrency: 1, maxWaiting: 20 })

export type DrawnPicture = { data: Buffer; info: OutputInfo }

/**
 * Re-encodes a picture, rotated upright and changed by `transform`: only its pixels are kept, no metadata such as its
 * location. Throws `invalid_image`, and `service_unavailable` if too many are waiting.
 */
export async function redraw(bytes: Buffer, transform: (picture: Sharp) => Sharp): Promise<DrawnPicture> {
  if (!isPicture(bytes)) throw invalidPictureError()
  return drawingLimiter.pass(() =>
    transform(loadSharp()(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 }).autoOrient())
      .timeout({ seconds: DRAW_TIMEOUT_SECONDS })
      .toBuffer({ resolveWithObject: true })
      .catch(() => {
        throw invalidPictureError()
      }),
  )
}

/** Crops the centre of a picture to a square with this side in pixels, as WebP. */
export const squarePicture = (side: number) => (picture: Sharp) =>
  picture.resize(side, side, { fit: 'cover', position: 'centre' }).webp({ quality: 86 })

/** Scales the whole picture to at most this width and height. */
export const fitWithin = (side: number) => (picture: Sharp) =>
  picture.resize(side, side, { fit: 'inside', withoutEnlargement: true })

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)

/** Detects the format from the first bytes, not the file name. SVG is not accepted because it can contain scripts. */
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
