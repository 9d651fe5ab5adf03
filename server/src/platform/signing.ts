import { createHmac, timingSafeEqual } from 'node:crypto'
import { ApiError } from './api-error.ts'

/** Signs and verifies short-lived URLs. A signature covers every value and the expiry time. */
export type Signing = {
  /** Returns the signed values as one text for a URL: values, expiry in epoch seconds, HMAC-SHA256. */
  sign(purpose: string, values: readonly (string | number)[], endsAt: Date): string
  /** Returns the values. Throws `invalid_link` or `link_expired`. */
  open(purpose: string, signed: string, now: Date): string[]
}

export function createSigning(secret: string): Signing {
  const mac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url')
  return {
    sign: (purpose, values, endsAt) => {
      const text = [...values, Math.floor(endsAt.getTime() / 1000)].join('.')
      return `${text}.${mac(`${purpose}:${text}`)}`
    },
    open: (purpose, signed, now) => {
      const cut = signed.lastIndexOf('.')
      const text = signed.slice(0, Math.max(0, cut))
      const receivedMac = Buffer.from(signed.slice(cut + 1))
      const expectedMac = Buffer.from(mac(`${purpose}:${text}`))
      if (receivedMac.length !== expectedMac.length || !timingSafeEqual(receivedMac, expectedMac)) {
        throw new ApiError(
          'invalid_link',
          'This link is incomplete or has been modified. Copy the whole link and try again.',
        )
      }
      const values = text.split('.')
      const endsAt = Number(values.pop())
      if (now.getTime() / 1000 > endsAt) throw new ApiError('link_expired', 'This link has expired.')
      return values
    },
  }
}
