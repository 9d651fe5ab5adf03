import { camelot, parseKey } from '@dubplate/contract'
import type { CSSProperties } from 'react'
import { format } from '../format/message.ts'
import { usePreferences } from '../platform/preferences.ts'
import css from './KeyBadge.module.css'
import { formatKey, inEveryNotation, keyHue } from './mixing.ts'
import * as texts from './texts.ts'

/** The key of a song in its colour on the Camelot wheel; filled when the key is compatible with the playing song. */
export function KeyBadge({ songKey, mixes = false }: { songKey: string | null; mixes?: boolean }) {
  const notation = usePreferences((preferences) => preferences.notation)
  const key = parseKey(songKey ?? '')
  if (!key) return <span className={css.noKey}>{songKey || '–'}</span>
  return (
    <span
      className={css.badge}
      data-mixes={mixes || undefined}
      data-minor={camelot(key).endsWith('A') || undefined}
      style={{ '--h': keyHue(key) } as CSSProperties}
      title={
        mixes ? format(texts.keyCompatibleWithTheCurrentSong, { keys: inEveryNotation(key) }) : inEveryNotation(key)
      }
    >
      {formatKey(key, notation)}
      {mixes && <span className="sr"> {texts.compatibleWithTheCurrentSong}</span>}
    </span>
  )
}
