import { review } from '@dubplate/contract'
import { Alert, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AgoCell, Status } from '../../admin/cells.tsx'
import { PanelActions } from '../../admin/PanelActions.tsx'
import { type Neighbours, panelKeys } from '../../admin/panelKeys.ts'
import type { RowAction } from '../../admin/RowMenu.tsx'
import { format } from '../../format/message.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import * as texts from './texts.ts'
import { UploadDetails } from './UploadDetails.tsx'
import { toggleVersion } from './UploadVersion.tsx'
import { STATE_NAMES, STATE_TONES, type UploadRow } from './uploadStates.ts'

const UploadEditForm = lazyOnDemand(() => import('./UploadEditForm.tsx').then((code) => code.UploadEditForm))

type Props = {
  song: UploadRow
  /** The actions of its row: their keys also work here. */
  actions: readonly RowAction<UploadRow>[]
  isEditing: boolean
  /** The song that opens once this one is decided: it is loaded early. */
  nextId: number | undefined
  panelProps: Neighbours
  onCloseForm: () => void
}

/** One song in review: its values and versions, what staff can decide, and a form that edits it. */
export function UploadPanel({ song, actions, isEditing, nextId, panelProps, onCloseForm }: Props) {
  const { entity_id, title, artist, status, reason, failure } = song
  const { data, error, refetch } = useApiQuery(review.getUpload, { entity_id })
  useApiQuery(review.getUpload, { entity_id: nextId ?? 0 }, { enabled: nextId !== undefined })
  const playVersion = (key: string) => {
    const slot = /^[1-9]$/.test(key) ? data?.versions[Number(key) - 1] : undefined
    if (slot?.file.mp3) toggleVersion(slot)
    return slot !== undefined
  }
  return (
    <Stack gap="lg" onKeyDown={panelKeys({ row: song, actions, ...panelProps, onKey: playVersion })}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          <Text c="var(--text-2)">{artist}</Text>
          <Text size="sm" c="var(--text-2)">
            {song.uploader.dj_name} · <AgoCell at={song.submitted_at ?? song.created_at} />
          </Text>
        </div>
        <Status tone={STATE_TONES[status]}>{STATE_NAMES[status]}</Status>
      </Group>
      {song.is_listed && song.listed_entity_id !== null && (
        <Link to="/song/$entityId" params={{ entityId: song.listed_entity_id }}>
          {texts.viewPublishedSong}
        </Link>
      )}
      {failure && (
        <Alert color="var(--danger)" role="alert">
          {failure}
        </Alert>
      )}
      {status === 'declined' && reason && <Text>{format(texts.declinedReason, { reason })}</Text>}
      {!isEditing && <PanelActions row={song} actions={actions} keys={['a', 'd', 'e']} />}
      {data ? (
        isEditing ? (
          <UploadEditForm key={entity_id} upload={data} onClose={onCloseForm} />
        ) : (
          <UploadDetails upload={data} />
        )
      ) : error ? (
        <ErrorState error={error} title={texts.couldntLoadSong} retry={() => void refetch()} />
      ) : (
        <Skeleton height={360} aria-busy role="status" aria-label={texts.loadingSong} />
      )}
    </Stack>
  )
}
