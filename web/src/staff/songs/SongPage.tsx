import { type ReplyOf, staffSongs } from '@dubplate/contract'
import { Container, Grid, Skeleton, Stack } from '@mantine/core'
import { IconMusicOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useParams } from '@tanstack/react-router'
import { PageSection } from '../../admin/PageSection.tsx'
import { format } from '../../format/message.ts'
import { ApiError } from '../../platform/api.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useTabTitle } from '../../platform/Page.tsx'
import { apiQuery } from '../../platform/queries.ts'
import buttonCss from '../../ui/Button.module.css'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SongCover } from './SongCover.tsx'
import { SongDetails } from './SongDetails.tsx'
import { SongHeader } from './SongHeader.tsx'
import { SongHistory } from './SongHistory.tsx'
import { SongQuality } from './SongQuality.tsx'
import { SongVersions } from './SongVersions.tsx'
import * as texts from './texts.ts'
import { useUndoKeys } from './useUndoKeys.ts'
import { VersionTempos } from './VersionTempos.tsx'

type Reply = ReplyOf<typeof staffSongs.getSong>

const ANALYSIS_REFETCH_MS = 2000

const isAnalysing = (data: Reply | undefined): boolean =>
  Object.values(data?.analysing ?? {}).some(({ state }) => state === 'queued' || state === 'running')

/** One song: its details with their sources, its cover, its versions and its history. */
export function SongPage() {
  const { entityId } = useParams({ from: '/staff/songs/$entityId' })
  const { data, error, refetch } = useQuery({
    ...apiQuery(staffSongs.getSong, { entity_id: entityId }),
    refetchInterval: ({ state }) => (isAnalysing(state.data) ? ANALYSIS_REFETCH_MS : false),
  })
  useUndoKeys()
  useTabTitle(
    format(texts.songTabTitle, { title: data?.song.title ?? format(texts.songNumber, { entity_id: entityId }) }),
  )
  if (data && data.song.entity_id !== entityId)
    return <Navigate to="/staff/songs/$entityId" params={{ entityId: data.song.entity_id }} replace />
  return (
    <Container size={1240} px={{ base: 'lg', sm: 32 }} pt="lg" pb={48}>
      {data ? (
        <LoadedSong key={entityId} {...data} />
      ) : error instanceof ApiError && error.code === 'unknown_song' ? (
        <UnknownSong />
      ) : error ? (
        <ErrorState error={error} subject={texts.thisSong} retry={() => void refetch()} />
      ) : (
        <LoadingSong />
      )}
    </Container>
  )
}

const LoadedSong = ({ song, value_sources, uploader, edits, analysing }: Reply) => (
  <>
    <SongHeader song={song} uploader={uploader} />
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 'auto' }} miw={0}>
        <Stack gap="lg">
          <SongDetails song={song} sources={value_sources} />
          <PageSection title={texts.versions}>
            <SongVersions song={song} analysing={analysing} />
          </PageSection>
          {song.versions.length > 0 && (
            <PageSection title={texts.quality}>
              <SongQuality song={song} />
            </PageSection>
          )}
          {song.versions.length > 0 && (
            <PageSection title={texts.tempoAndKey}>
              <VersionTempos song={song} />
            </PageSection>
          )}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 'content' }} w={{ lg: 344 }}>
        <Stack gap="lg">
          <SongCover song={song} />
          <div id="history">
            <SongHistory edits={edits} />
          </div>
        </Stack>
      </Grid.Col>
    </Grid>
  </>
)

const UnknownSong = () => (
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

const LoadingSong = () => (
  <Stack gap="lg" aria-busy role="status" aria-label={texts.loadingSong}>
    <Skeleton h={92} />
    <Skeleton h={560} />
  </Stack>
)
