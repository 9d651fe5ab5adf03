import type { quality } from '@dubplate/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { formatDuration } from '../format/format.ts'
import { format } from '../format/message.ts'
import css from './Quality.module.css'
import type { Audience } from './sealTexts.ts'
import * as texts from './texts.ts'

const PLACES_SHOWN = 12
/** Played before the change, for comparison. */
const LEAD_SECONDS = 2

type Props = {
  comparisons: readonly quality.Comparison[]
  audience: Audience
  /** Plays a version from a second; without it, the places are only listed. */
  onPlay?: (songVersionId: number, seconds: number) => void
}

/** Whether there is anything to show to this audience. */
export const hasDifferences = ({ comparisons, audience }: Pick<Props, 'comparisons' | 'audience'>): boolean =>
  comparisons.some(({ places, is_same }) => (places && places.length > 0) || (is_same && audience !== 'member'))

/** Where Clean versions differ from Dirty ones; staff are also told when one sounds the same. */
export const VersionDifferences = ({ comparisons, audience, onPlay }: Props) => (
  <div className={css.differences}>
    {comparisons.map((comparison) => (
      <div key={comparison.clean.song_version_id} className={css.difference}>
        {comparison.places && comparison.places.length > 0 && (
          <Places comparison={comparison} places={comparison.places} onPlay={onPlay} />
        )}
        {comparison.is_same && audience !== 'member' && (
          <p data-warning>
            <IconAlertTriangle size={16} aria-hidden />
            {format(texts.sameAsDirty, {
              clean: comparison.clean.version_label,
              dirty: comparison.dirty.version_label,
            })}
          </p>
        )}
      </div>
    ))}
  </div>
)

type PlacesProps = {
  comparison: quality.Comparison
  places: readonly quality.ChangedPlace[]
  onPlay: Props['onPlay'] | undefined
}

function Places({ comparison: { clean, dirty }, places, onPlay }: PlacesProps) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? places : places.slice(0, PLACES_SHOWN)
  const names = { clean: clean.version_label, dirty: dirty.version_label }
  const text = format(texts.placesDiffer, { ...names, count: places.length })
  return (
    <>
      <p>{text}</p>
      <ul className={css.places} aria-label={text}>
        {shown.map(({ clean_from }) => (
          <li key={clean_from}>
            {onPlay ? (
              <button
                type="button"
                className="num"
                aria-label={format(texts.playFrom, { clean: names.clean, time: formatDuration(clean_from) })}
                onClick={() => onPlay(clean.song_version_id, Math.max(0, clean_from - LEAD_SECONDS))}
              >
                {formatDuration(clean_from)}
              </button>
            ) : (
              <span className="num">{formatDuration(clean_from)}</span>
            )}
          </li>
        ))}
        {shown.length < places.length && (
          <li>
            <button type="button" onClick={() => setWhole(true)}>
              {format(texts.showAllPlaces, { count: places.length })}
            </button>
          </li>
        )}
      </ul>
    </>
  )
}
