import { ownLibrary } from '@dubplate/contract'
import { IconDeviceLaptop } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { VersionChip } from '../catalogue/VersionChip.tsx'
import { count } from '../format/format.ts'
import { formatList } from '../format/formatList.ts'
import { format } from '../format/message.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { playerActions } from '../player/store.ts'
import { Chips } from '../ui/Chips.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import css from './Matches.module.css'
import { MatchSkeleton } from './MatchList.tsx'
import { SongFacts } from './SongFacts.tsx'
import * as texts from './texts.ts'

const NAMES: Record<ownLibrary.BetterVersions, string> = {
  all: texts.allMissing,
  preferred: texts.preferredMissing,
  lossless: texts.losslessMissing,
}

/** The songs of the library of which the pool has versions that the member lacks. */
export function BetterVersions() {
  const { page = 1, show = 'all' } = useSearch({ from: '/dj-library' })
  const navigate = useNavigate({ from: '/dj-library' })
  const { data, error, isPlaceholderData, refetch } = useApiQuery(
    ownLibrary.getBetterVersions,
    { show, page },
    { keepPrevious: true },
  )
  if (error && !data) return <ErrorState error={error} title={texts.couldntLoadVersions} retry={() => void refetch()} />
  return (
    <>
      <Chips
        label={texts.missingVersions}
        choices={ownLibrary.BETTER_VERSIONS.map((value) => ({
          value,
          label: data
            ? format(texts.nameWithCount, { name: NAMES[value], count: count(data.counts[value]) })
            : NAMES[value],
        }))}
        chosen={show}
        onChoose={(value) =>
          void navigate({
            search: (search) => ({ ...search, show: value === 'all' ? undefined : value, page: undefined }),
            resetScroll: false,
          })
        }
      />
      {!data ? (
        <MatchSkeleton />
      ) : data.songs.length === 0 ? (
        <EmptyState icon={<IconDeviceLaptop size={24} />} title={texts.nothingMissing}>
          {texts.nothingMissingText}
        </EmptyState>
      ) : (
        <ul className={css.matches} aria-label={texts.missingVersions} aria-busy={isPlaceholderData}>
          {data.songs.map((better) => (
            <BetterSongRow key={better.song.entity_id} {...better} />
          ))}
        </ul>
      )}
      {data && <Pagination pagination={data.pagination} />}
    </>
  )
}

function BetterSongRow({ song, owned, missing }: ownLibrary.BetterSong) {
  const labels = song.version.filter(({ song_version_id }) => owned.includes(song_version_id))
  const reasonOf = (id: number) => missing.find(({ song_version_id }) => song_version_id === id)?.reason
  const offered = missing.flatMap(
    ({ song_version_id }) => song.version.find((version) => version.song_version_id === song_version_id) ?? [],
  )
  return (
    <li className={css.match} data-song={song.entity_id}>
      <div className={css.betterSong}>
        <SongFacts song={song} version={offered[0]}>
          <small className="ellipsis">
            {labels.length > 0
              ? format(texts.youHave, { versions: formatList(labels.map(({ version_label }) => version_label)) })
              : texts.youHaveUnknownVersion}
          </small>
        </SongFacts>
      </div>
      <ul className={css.offers} aria-label={format(texts.missingVersionsOf, { title: song.title })}>
        {offered.map((version) => {
          const reason = reasonOf(version.song_version_id)
          return (
            <li key={version.song_version_id}>
              <VersionChip
                song={song}
                version={version}
                onPlay={(chosen) => playerActions.play({ song, version: chosen })}
              />
              {reason && reason !== 'other' && (
                <small>{reason === 'lossless' ? texts.lossless : texts.preferred}</small>
              )}
            </li>
          )
        })}
      </ul>
    </li>
  )
}
