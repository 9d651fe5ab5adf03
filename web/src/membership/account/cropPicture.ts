import * as texts from '../texts.ts'

/** The maximum side of the uploaded square in px; the server makes its own sizes from it. */
const MAX_PIXELS = 1024
const QUALITY = 0.9

type Square = { x: number; y: number; width: number; height: number }

/** The side of the uploaded square in px: never larger than in the original. */
export const outputSize = ({ width, height }: Pick<Square, 'width' | 'height'>): number =>
  Math.max(1, Math.min(MAX_PIXELS, Math.round(Math.min(width, height))))

/**
 * Crops a square (in px of the upright picture) and resolves with it as WebP, or JPEG if the browser cannot encode
 * WebP. Camera metadata such as the location is removed. Throws with a message for the user if the file cannot be read.
 */
export async function cropPicture(file: Blob, square: Square): Promise<Blob> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw new Error(texts.couldntReadThisPictureChoose)
  })
  const side = outputSize(square)
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  if (!context) throw new Error(texts.yourBrowserCantCropPictures)
  context.imageSmoothingQuality = 'high'
  context.fillStyle = '#fff'
  context.fillRect(0, 0, side, side)
  context.drawImage(picture, square.x, square.y, square.width, square.height, 0, 0, side, side)
  picture.close()
  return (await toBlob(canvas, 'image/webp')) ?? (await toBlob(canvas, 'image/jpeg')) ?? throwCropFailed()
}

/** Undefined if the browser cannot encode this type: it returns a PNG then. */
const toBlob = (canvas: HTMLCanvasElement, type: string): Promise<Blob | undefined> =>
  new Promise((resolve) => canvas.toBlob((blob) => resolve(blob?.type === type ? blob : undefined), type, QUALITY))

function throwCropFailed(): never {
  throw new Error(texts.couldntSaveCroppedPicture)
}
