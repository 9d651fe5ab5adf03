import { type ReplyOf, staffSongs } from '@dubplate/contract'
import { IconMusicOff } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link, Navigate, useParams } from '@tanstack/react-router'
import { ApiError } from '../../platform/api.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { format } from '../../platform/message.ts'
import { apiQuery } from '../../platform/queries.ts'
import buttonCss from '../../ui/Button.module.css'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { StaffPage } from '../StaffPage.tsx'
import css from './SongDesk.module.css'
import { SongFields } from './SongFields.tsx'
import { SongHead } from './SongHead.tsx'
import { SongPast } from './SongPast.tsx'
import { SongVersions } from './SongVersions.tsx'
import * as texts from './texts.ts'
import { useUndoKeys } from './useUndoKeys.ts'

/** One song: its values with their sources, its versions, and its edits. */
export function StaffSong() {
  const { entityId } = useParams({ from: '/staff/songs/$entityId' })
  const query = useQuery({
    ...apiQuery(staffSongs.getSong, { entity_id: entityId }),
    refetchInterval: ({ state }) => (isAnalysed(state.data) ? REFETCH_MS : false),
  })
  return (
    <StaffPage title={query.data?.song.title ?? format(texts.songPageTitle, { entityId })}>
      <SongDetails key={entityId} entityId={entityId} query={query} />
    </StaffPage>
  )
}

/** How often it is loaded again while a version is analysed. */
const REFETCH_MS = 2000

type Reply = ReplyOf<typeof staffSongs.getSong>

const isAnalysed = (data: Reply | undefined): boolean =>
  Object.values(data?.analysing ?? {}).some(({ state }) => state === 'queued' || state === 'running')

type Props = { entityId: number; query: UseQueryResult<Reply, Error> }

function SongDetails({ entityId, query: { data, error, refetch } }: Props) {
  useUndoKeys()
  if (error instanceof ApiError && error.code === 'unknown_song') return <NoSuchSong />
  if (!data)
    return error ? <ErrorState error={error} subject={texts.thisSong} retry={() => void refetch()} /> : <Skeleton />
  if (data.song.entity_id !== entityId)
    return <Navigate to="/staff/songs/$entityId" params={{ entityId: data.song.entity_id }} replace />
  const { song, value_sources: told, uploader, edits, analysing } = data
  return (
    <>
      <SongHead song={song} uploader={uploader} />
      <div className={css.desk}>
        <section className={css.part} aria-labelledby="values">
          <SectionHead id="values" title={texts.details} />
          <SongFields song={song} told={told} />
        </section>
        <section className={css.part} aria-labelledby="versions">
          <SectionHead id="versions" title={texts.versions} />
          <SongVersions song={song} analysing={analysing} />
        </section>
        <section className={css.part} aria-labelledby="past">
          <SectionHead id="past" title={texts.history} />
          <SongPast edits={edits} />
        </section>
      </div>
    </>
  )
}

const NoSuchSong = () => (
  <EmptyState
    icon={<IconMusicOff size={24} />}
    title={texts.songNotFound}
    action={
      <Link to="/staff/songs" className={buttonCss.button}>
        {texts.backToSongs}
      </Link>
    }
  >
    {texts.thisSongDoesntExistOr}
  </EmptyState>
)

const Skeleton = () => (
  <div aria-busy role="status" aria-label={texts.loadingSong} className={css.desk}>
    <div className={css.headBone} />
    <div className={css.bone} />
    <div className={css.bone} />
  </div>
)
