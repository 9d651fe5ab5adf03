import { catalogue } from '@dubplate/contract'
import { IconBasketFilled, IconPlaylistAdd, IconPlus } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { formatBpmRange } from '../format/format.ts'
import { format } from '../format/message.ts'
import { toggleCrate, useLibrary } from '../library/library.ts'
import { enqueue } from '../library/playPlaylist.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { toQueueEntries } from '../player/queue.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { BlendAnnouncer, BlendButton, BlendHint, BlendRing, BlendText, useBlendText } from './Blend.tsx'
import { KeyBadge } from './KeyBadge.tsx'
import css from './MixesWith.module.css'
import { KEY_RELATIONS, tempoChange } from './mixDescription.ts'
import { SongLine } from './SongLine.tsx'
import * as texts from './texts.ts'
import { useBlendHold } from './useBlendHold.ts'

/** Songs that mix with a song, with a heading; for the right column. */
export const MixesWith = ({ song }: { song: catalogue.Song }) => (
  <section aria-label={format(texts.mixesWellWithTitle, { title: song.title })}>
    <h2 className={css.mixHead}>{format(texts.mixesWellWithTitle, { title: song.title })}</h2>
    <MixList song={song} rows={5} />
  </section>
)

/**
 * Songs that mix well after this one, best first. The list stays as it is while those of another song load; space for
 * `rows` rows is reserved from the start.
 */
export function MixList({ song, rows }: { song: catalogue.Song; rows: number }) {
  const { data, error, isPlaceholderData, refetch } = useApiQuery(
    catalogue.getSimilarSongs,
    { entity_id: song.entity_id },
    { keepPrevious: true },
  )
  const songs = data?.songs
  const { list, handlers, toggle } = useBlendHold(song, songs)
  return (
    <div className={css.mixes} style={{ '--rows': rows } as CSSProperties}>
      {error && !data && (
        <InlineError error={error} title={texts.couldntLoadCompatibleSongsInline} retry={() => void refetch()} />
      )}
      {songs?.length === 0 && !isPlaceholderData && (
        <p className={css.noMixes}>
          {song.song_key || song.min_bpm ? texts.noCompatibleSongsFound : texts.thisSongHasNoKey}
        </p>
      )}
      {songs && songs.length > 0 && <BlendHint />}
      <ul
        ref={list}
        className={css.mixList}
        aria-busy={(!songs && !error) || isPlaceholderData || undefined}
        {...handlers}
      >
        {songs?.map((each) => (
          <MixRow key={each.entity_id} song={each} list={songs} onBlend={toggle} />
        ))}
      </ul>
      <BlendAnnouncer songs={songs ?? []} />
    </div>
  )
}

type MixRowProps = { song: catalogue.MixingSong; list: catalogue.Song[]; onBlend: (songId: number) => void }

/** A song that mixes; holding it plays the blend. */
function MixRow({ song, list, onBlend }: MixRowProps) {
  const blend = useBlendText(song.entity_id)
  return (
    <SongLine
      song={song}
      list={list}
      row={{ 'data-blend': song.entity_id, 'data-blend-text': blend ? '' : undefined, className: css.blendable }}
      overlay={<BlendRing song={song} />}
      status={blend && <BlendText {...blend} />}
    >
      <MixDescription song={song} />
      <SaveButtons song={song} onBlend={onBlend} />
    </SongLine>
  )
}

function MixDescription({ song }: { song: catalogue.MixingSong }) {
  const { tempo, tempo_change_percent, key } = song.mix
  const change = tempoChange(tempo, tempo_change_percent)
  const relation = key ? KEY_RELATIONS[key].meaning : undefined
  return (
    <>
      <span className={`${css.mixBpm} num`}>{formatBpmRange(song.min_bpm, song.max_bpm)}</span>
      <span className={`${css.mixPitch} num`} title={change?.meaning}>
        <span aria-hidden>{change?.text}</span>
        <span className="sr">{change?.meaning}</span>
      </span>
      <span title={relation}>
        <KeyBadge songKey={song.song_key} mixes={!!key} />
        <span className="sr">{relation}</span>
      </span>
    </>
  )
}

function SaveButtons({ song, onBlend }: { song: catalogue.Song; onBlend: (songId: number) => void }) {
  const inCrate = useLibrary(({ crateSongs }) => crateSongs.has(song.entity_id))
  return (
    <span className={css.save} data-no-hold>
      <BlendButton song={song} onToggle={onBlend} />
      <IconButton
        label={format(texts.addToQueueLabel, { title: song.title })}
        onClick={() => enqueue(toQueueEntries([song]))}
      >
        <IconPlaylistAdd size={17} />
      </IconButton>
      <IconButton
        label={format(inCrate ? texts.removeFromCrateLabel : texts.addToCrateLabel, { title: song.title })}
        data-active={inCrate || undefined}
        onClick={() => void toggleCrate(song)}
      >
        {inCrate ? <IconBasketFilled size={17} /> : <IconPlus size={17} />}
      </IconButton>
    </span>
  )
}
