import type { FastifyInstance } from 'fastify'
import type { Sharp } from 'sharp'
import type { AppContext } from '../app-context.ts'
import { deletePicture, readDerived } from '../catalogue/pictures.ts'
import { deletePictureIfUnused } from '../membership/member-pictures.ts'
import { ApiError } from '../platform/api-error.ts'
import { loadSharp } from '../platform/load-sharp.ts'
import { fitWithin, redraw } from '../platform/redrawn-pictures.ts'
import { NotStoredError } from '../platform/storage.ts'

const SIDE_PIXELS = 1024
const MIN_SIDE = 64
export const MAX_LOGO_BYTES = 5 * 1024 * 1024

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 }
/** Background of a maskable icon: the page colour in dark mode. */
const ICON_BACKGROUND = '#0c0d10'

/**
 * Re-encodes a picture as PNG, rotated upright and at most 1024 pixels wide and high, and stores it: only its pixels
 * are kept, including transparency. SVG is rejected because scripts in it would run on the pool's origin. Returns its
 * SHA-256 in hex. Throws `invalid_image` and `image_too_small`.
 */
export async function storeLogo({ storage }: Pick<AppContext, 'storage'>, bytes: Buffer): Promise<string> {
  const { data, info } = await redraw(bytes, (picture) =>
    fitWithin(SIDE_PIXELS)(picture).toColourspace('srgb').png({ compressionLevel: 9 }),
  )
  if (Math.min(info.width, info.height) < MIN_SIDE) {
    throw new ApiError('image_too_small', `The picture must be at least ${MIN_SIDE} × ${MIN_SIDE} pixels.`)
  }
  const { sha256 } = await storage.putBytes('images', data)
  return sha256
}

/** Deletes a former logo, unless it is the logo again or used elsewhere. */
export async function deleteLogoIfUnused(ctx: AppContext, sha256: string | undefined): Promise<void> {
  if (!sha256) return
  const [stillUsed] = await ctx.sql`
    select 1 where exists (select 1 from setting where picture_sha256 = decode(${sha256}, 'hex'))
      or exists (select 1 from merchandise where picture_sha256 = decode(${sha256}, 'hex'))`
  if (!stillUsed) await deletePictureIfUnused({ ...ctx, deletePicture: (one) => deletePicture(ctx, one) }, sha256)
}

const squareIcon = (side: number) => (logo: Sharp) =>
  logo.resize(side, side, { fit: 'contain', background: TRANSPARENT })

/** The shapes of the logo, by the end of their URL. */
const SHAPES: Record<string, (logo: Sharp) => Sharp> = {
  // Header and emails: the original proportions.
  wide: (logo) => logo.resize(480, 96, { fit: 'inside', withoutEnlargement: true }),
  64: squareIcon(64),
  180: (logo) =>
    squareIcon(140)(logo)
      .extend({ top: 20, bottom: 20, left: 20, right: 20, background: ICON_BACKGROUND })
      .flatten({ background: ICON_BACKGROUND }),
  192: squareIcon(192),
  512: squareIcon(512),
  // All that matters is within the central four fifths (https://www.w3.org/TR/appmanifest/#icon-masks).
  maskable: (logo) =>
    squareIcon(368)(logo)
      .extend({ top: 72, bottom: 72, left: 72, right: 72, background: ICON_BACKGROUND })
      .flatten({ background: ICON_BACKGROUND }),
}

/** GET /logo/SHA-256/SHAPE.png: the pool's logo, cacheable without limit. Only the current logo is served. */
export function serveLogo(app: FastifyInstance, ctx: AppContext): void {
  app.get('/logo/:sha256/:shape.png', async (request, reply) => {
    const { sha256, shape } = request.params as { sha256: string; shape: string }
    const draw = Object.hasOwn(SHAPES, shape) ? SHAPES[shape] : undefined
    if (!draw || !/^[0-9a-f]{64}$/.test(sha256)) throw pictureNotFoundError()
    // Another process may have received the change first.
    if (sha256 !== ctx.settings.logo) await ctx.settings.renew()
    if (sha256 !== ctx.settings.logo) throw pictureNotFoundError()
    const bytes = await readDerived(ctx, `${sha256}-logo-${shape}.png`, async () =>
      draw(loadSharp()(await readOriginal(ctx, sha256)))
        .png({ compressionLevel: 9 })
        .toBuffer(),
    )
    return reply.type('image/png').header('cache-control', 'public, max-age=31536000, immutable').send(bytes)
  })
}

const pictureNotFoundError = () => new ApiError('file_unavailable', 'Picture not found.')

async function readOriginal({ storage }: AppContext, sha256: string): Promise<Buffer> {
  try {
    return await storage.readAll('images', sha256)
  } catch (error) {
    throw error instanceof NotStoredError ? pictureNotFoundError() : error
  }
}
