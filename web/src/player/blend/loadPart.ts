import type { catalogue } from '@dubplate/contract'
import { previewUrl } from '../../platform/media.ts'
import { useSession } from '../../platform/session.ts'
import type { DecodedPart } from './blendGraph.ts'
import { createPartCache } from './partCache.ts'

/** That of nearly all previews, so that decoding changes no sample; the context plays it at its own rate. */
const SAMPLE_RATE = 44_100

/** Keeps the beats of a part that ends with the blend from being cut off. */
const END_MARGIN_SECONDS = 1

const cache = createPartCache()

type LocatedPart = { url: string; from_seconds: number; name?: string }

/** Where the seconds of a song come from: of the clip that visitors hear, there is only one part. */
function locatePart(
  version: catalogue.Version,
  { from, to }: { from: number; to: number },
  clipStart: number,
): LocatedPart {
  const url = previewUrl(version)
  if (!useSession.getState().profile?.media_key) return { url, from_seconds: clipStart }
  const [first, last] = [Math.max(0, Math.floor(from)), Math.ceil(to + END_MARGIN_SECONDS)]
  return { url: `${url}&from=${first}&to=${last}`, from_seconds: first, name: `part-${first}-${last}` }
}

/** Loads and decodes some seconds of a song, a little more than requested. */
export function loadPart(
  version: catalogue.Version,
  range: { from: number; to: number },
  clipStart: number,
): Promise<DecodedPart> {
  const part = locatePart(version, range, clipStart)
  return cache.get(part.url, () => decodePart(part))
}

async function decodePart({ url, from_seconds, name }: LocatedPart): Promise<DecodedPart> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  // With a key that is no longer valid, the server sends the clip: other seconds of the song.
  if (name && !response.headers.get('etag')?.includes(name)) throw new Error(`${url} is not the requested part`)
  const bytes = await response.arrayBuffer()
  // An offline context decodes without a click on the page.
  return { samples: await new OfflineAudioContext(1, 1, SAMPLE_RATE).decodeAudioData(bytes), from_seconds }
}
