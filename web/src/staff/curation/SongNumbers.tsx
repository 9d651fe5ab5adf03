import type { catalogue } from '@dubplate/contract'
import { KeyBadge } from '../../catalogue/KeyBadge.tsx'
import { formatBpmRange } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import css from './Composer.module.css'
import * as texts from './texts.ts'
import { type Transition, transitionTo } from './transition.ts'

/** The BPM and the key of a song, each with its change from the previous song. */
export function SongNumbers({ song, previous }: { song: catalogue.Song; previous?: catalogue.Song | undefined }) {
  const { tempo, key } = previous ? transitionTo(song, previous) : {}
  return (
    <span className={css.numbers}>
      <span className="num" title={tempo && format(texts.tempoChangeFromPreviousSong, { meaning: tempo.meaning })}>
        {formatBpmRange(song.min_bpm, song.max_bpm)}
        <Change change={tempo} />
      </span>
      <span title={key && format(texts.keyChangeFromPreviousSong, { meaning: key.meaning })}>
        <KeyBadge songKey={song.song_key} />
        <Change change={key} />
      </span>
    </span>
  )
}

/** An abbreviation on screen, the full words for screen readers. */
const Change = ({ change }: { change: Transition['key'] }) =>
  change && (
    <small data-fits={change.fits}>
      <span aria-hidden>{change.text}</span>
      <span className="sr">{format(change.fits ? texts.goodMix : texts.notAGoodMix, { meaning: change.meaning })}</span>
    </small>
  )
