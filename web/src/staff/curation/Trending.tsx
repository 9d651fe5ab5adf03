import { type catalogue, type charts, trending } from '@dubplate/contract'
import { IconPin, IconTrendingUp } from '@tabler/icons-react'
import { useState } from 'react'
import { SongLine } from '../../catalogue/SongLine.tsx'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import lists from '../Lists.module.css'
import { momentInWords } from '../moments.ts'
import composer from './Composer.module.css'
import { PinForm, type Pinning } from './PinForm.tsx'
import { pinSong, unpinSong } from './programme.ts'
import { SongFinder } from './SongFinder.tsx'
import css from './Trending.module.css'
import * as texts from './texts.ts'

type Pin = trending.Pin

/** Trending 30: how it is calculated, what members see, and the pinned songs. */
export function Trending() {
  const { data, error, refetch } = useApiQuery(trending.getTrending, {})
  const [pinning, setPinning] = useState<Pinning>()
  if (error && !data) return <ErrorState error={error} subject={texts.trendingSongs} retry={() => void refetch()} />
  if (!data)
    return (
      <div className={`${lists.bone} ${lists.tall}`} aria-busy role="status" aria-label={texts.loadingTrendingSongs} />
    )
  const { shown, computed, pins } = data
  const choose = ({ entity_id, title }: Pick<catalogue.Song, 'entity_id' | 'title'>) =>
    setPinning(pinningOf(entity_id, title, pins))
  return (
    <>
      <Pins pins={pins} onChange={(pin) => choose(pin)} />
      {pinning && <PinForm key={pinning.entity_id} pinning={pinning} onClose={() => setPinning(undefined)} />}
      <div className={css.sides}>
        <section className={css.side}>
          <SectionHead title={texts.pinASong} />
          <SongFinder deed="pin" chosen={new Set(pins.map(({ entity_id }) => entity_id))} onChoose={choose} />
        </section>
        <Ranking title={texts.shownToMembers} songs={shown} pins={pins} />
        <Ranking title={texts.byDownloadsAndListens} songs={computed} pins={[]} />
      </div>
    </>
  )
}

/** The existing pin of a song; for other songs the first free rank. */
function pinningOf(entity_id: number, title: string, pins: readonly Pin[]): Pinning {
  const pin = pins.find((one) => one.entity_id === entity_id)
  const ranks = Array.from({ length: trending.TRENDING_LENGTH }, (_, n) => n + 1)
  const free = ranks.find((rank) => pins.every((one) => one.rank !== rank)) ?? 1
  return { entity_id, title, rank: pin?.rank ?? free, until: pin?.until ?? null, previous_rank: pin?.rank ?? null }
}

function Pins({ pins, onChange }: { pins: Pin[]; onChange: (pin: Pin) => void }) {
  if (pins.length === 0) return <p className={lists.note}>{texts.noPinnedSongsPinA}</p>
  return (
    <ul className={css.pins} aria-label={texts.pinnedSongs}>
      {pins.map((pin) => (
        <li key={pin.entity_id}>
          <b className={`${css.place} num`}>{pin.rank}</b>
          <span className={css.pinned}>
            <b>{pin.title}</b>
            <small>
              {pin.artist} ·{' '}
              {pin.until ? format(texts.untilDate, { until: momentInWords(pin.until) }) : texts.noEndDate}
              {pin.unpublished && <em> · {texts.unpublishedHiddenFromMembers}</em>}
            </small>
          </span>
          <Button aria-label={format(texts.editPinFor, { title: pin.title })} onClick={() => onChange(pin)}>
            {texts.edit}
          </Button>
          <Button aria-label={format(texts.unpinTitleLabel, { title: pin.title })} onClick={() => void takeAway(pin)}>
            {texts.unpin}
          </Button>
        </li>
      ))}
    </ul>
  )
}

async function takeAway({ entity_id, rank, title, until }: Pin) {
  try {
    await unpinSong(entity_id, rank)
    const run = () => void pinSong({ entity_id, rank, until }).catch((error) => toastError(texts.couldntUndo, error))
    void toast({ message: format(texts.unpinned, { title }), action: { label: texts.undo, run } })
  } catch (error) {
    void toastError(texts.couldntUnpinTheSong, error)
  }
}

type RankingProps = { title: string; songs: charts.RankedSong[]; pins: Pin[] }

const Ranking = ({ title, songs, pins }: RankingProps) => (
  <section className={css.side} aria-label={title}>
    <SectionHead title={title} />
    {songs.length === 0 && (
      <EmptyState icon={<IconTrendingUp size={24} />} title={texts.noTrendingSongsYet}>
        {texts.trendingIsCalculatedFromDownloads}
      </EmptyState>
    )}
    <ol className={composer.found}>
      {songs.map((song) => (
        <SongLine
          key={song.entity_id}
          song={song}
          list={songs}
          lead={<span className={`${css.rank} num`}>{song.rank}</span>}
        >
          {pins.some(({ entity_id }) => entity_id === song.entity_id) && (
            <span className={css.isPinned} title={texts.pinned}>
              <IconPin size={16} aria-hidden />
              <span className="sr">{texts.pinnedInSentence}</span>
            </span>
          )}
        </SongLine>
      ))}
    </ol>
  </section>
)
