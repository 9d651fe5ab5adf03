import { type staffSongs, uploadedSongs } from '@dubplate/contract'
import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconGripVertical, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { FormMessages } from '../../admin/ResourceForm.tsx'
import { formatDuration } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { moveItem } from '../../library/playlistOrder.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { currentEntry, playerActions, usePlayer } from '../../player/store.ts'
import { MOVE_SHORTCUT, pickedUpMessage, useReordering } from '../../ui/useReordering.ts'
import { AutosaveInput, AutosaveSelect } from './AutosaveInput.tsx'
import { cellKey, saveCell, useCells } from './cellStates.ts'
import { PublishDialog } from './PublishDialog.tsx'
import { playVersion } from './playVersion.ts'
import { cachedSong, reloadSong, type Song, showSongs } from './songActions.ts'
import { formatStart, parseStart } from './songFields.ts'
import * as texts from './texts.ts'

type Version = staffSongs.StaffVersion
type Analysing = Record<string, { state: string; progress: number; last_error: string }>
type Props = { song: Song; analysing?: Analysing }

/** The versions of a song: order, type, name and preview start, each saved at once. */
export function SongVersions({ song, analysing = {} }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const { handlers, announcement } = useVersionOrder(list, song)
  const orderState = useCells(({ cells }) => cells[cellKey(song.entity_id, 'order')])
  const [opened, setOpened] = useState<Version>()
  if (song.versions.length === 0) return <Text c="var(--text-2)">{texts.noVersions}</Text>
  return (
    <>
      <Stack component="ol" ref={list} aria-label={format(texts.versionsOf, { title: song.title })} {...handlers}>
        {song.versions.map((version) => (
          <VersionRow
            key={version.song_version_id}
            song={song}
            version={version}
            analysing={analysing[String(version.song_version_id)]}
            onPublish={() => setOpened(version)}
          />
        ))}
      </Stack>
      <FormMessages messages={orderState?.state === 'refused' ? [orderState.message] : []} />
      <p className="sr" aria-live="assertive">
        {announcement}
      </p>
      {opened && <PublishDialog song={song} version={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

/** Moves versions by dragging, or with Alt and the arrow keys. The new order is shown at once and saved when dropped. */
function useVersionOrder(list: { current: HTMLElement | null }, song: Song) {
  const [announcement, setAnnouncement] = useState('')
  const { entity_id } = song
  const latest = () => cachedSong(entity_id) ?? song
  const save = async () => {
    const order = latest().versions.map(({ song_version_id }) => song_version_id)
    const isSaved = await saveCell({ song, what: 'order', name: texts.versionOrder, typed: '', change: { order } })
    if (!isSaved) void reloadSong(entity_id)
  }
  const handlers = useReordering(list, {
    onMove: (from, to) => {
      const now = latest()
      const at = Math.max(0, Math.min(to, now.versions.length - 1))
      showSongs([{ ...now, versions: moveItem(now.versions, from, at) }])
      return at
    },
    onMoved: (at = 0) => {
      const { versions } = latest()
      const name = versions[at]?.version_label ?? ''
      setAnnouncement(format(texts.movedToPosition, { name, position: at + 1, count: versions.length }))
      void save()
    },
    onPickedUp: (at, isPickedUp) =>
      setAnnouncement(pickedUpMessage(latest().versions[at]?.version_label ?? '', isPickedUp)),
  })
  return { handlers, announcement }
}

/** Aligns what has no label with the inputs that have one. */
const BELOW_LABEL_PX = 24

type RowProps = { song: Song; version: Version; analysing: Analysing[string] | undefined; onPublish: () => void }

function VersionRow({ song, version, analysing, onPublish }: RowProps) {
  const { song_version_id, version_kind_id, version_label, status } = version
  const { data } = useApiQuery(uploadedSongs.getVersions, {})
  const types = (data?.versions ?? []).map(({ version_id, name }) => ({ value: String(version_id), label: name }))
  const isCustom = !types.some(({ value }) => value === String(version_kind_id))
  const isUnpublished = status === 'unpublished'
  return (
    <Group
      component="li"
      data-row
      gap="sm"
      align="flex-start"
      aria-label={version_label}
      pb="md"
      bg="var(--surface)"
      style={{ borderBottom: '1px solid var(--line)' }}
    >
      <ActionIcon
        mt={BELOW_LABEL_PX}
        aria-label={format(texts.moveVersion, { version_label })}
        title={MOVE_SHORTCUT}
        data-handle
        style={{ cursor: 'grab', touchAction: 'none' }}
      >
        <IconGripVertical size={16} aria-hidden />
      </ActionIcon>
      <PlayButton song={song} version={version} />
      <AutosaveSelect
        song={song}
        what={`version.${song_version_id}.kind`}
        name={format(texts.typeOf, { version_label })}
        label={texts.type}
        flex="1 1 130px"
        value={String(version_kind_id)}
        data={isCustom ? [{ value: String(version_kind_id), label: texts.custom }, ...types] : types}
        toChange={(version_kind_id) => ({ versions: [{ song_version_id, version_kind_id }] })}
      />
      <AutosaveInput
        song={song}
        what={`version.${song_version_id}.name`}
        name={format(texts.nameOf, { version_label })}
        label={texts.versionName}
        flex="2 1 140px"
        maxLength={60}
        stored={version_label}
        toChange={(text) => ({ versions: [{ song_version_id, version_label: text }] })}
      />
      <AutosaveInput
        song={song}
        what={`version.${song_version_id}.start`}
        name={format(texts.previewStartOf, { version_label })}
        label={texts.previewStart}
        w={104}
        maxLength={9}
        stored={formatStart(version.start_seconds)}
        toChange={(text) => {
          const start_seconds = parseStart(text)
          if (start_seconds === undefined) return texts.enterTheStartAsMinutes
          return { versions: [{ song_version_id, start_seconds }] }
        }}
      />
      <FileInfo version={version} analysing={analysing} />
      <Button variant="default" px="md" mt={{ sm: BELOW_LABEL_PX }} onClick={onPublish}>
        {isUnpublished ? texts.publishMenuItem : texts.unpublishMenuItem}
      </Button>
    </Group>
  )
}

const FILE_TEXTS = { stored: '', missing: texts.fileMissing, generated: texts.generatedOnDemand }

const FileInfo = ({ version, analysing }: Pick<RowProps, 'version' | 'analysing'>) => (
  <Text component="div" className="num" fz="sm" c="var(--text-2)" flex="1 0 110px" mt={{ sm: BELOW_LABEL_PX }} py={8}>
    {[
      formatDuration(version.duration_seconds),
      version.format?.toUpperCase(),
      FILE_TEXTS[version.file],
      version.status === 'unpublished' && texts.unpublished,
    ]
      .filter(Boolean)
      .join(' · ')}
    {analysing && analysing.state !== 'done' && (
      <Text fz="xs" c={analysing.state === 'failed' ? 'var(--danger)' : 'var(--text-2)'}>
        {describeAnalysis(analysing)}
      </Text>
    )}
  </Text>
)

function describeAnalysis({ state, progress, last_error }: Analysing[string]): string {
  if (state === 'queued') return texts.reAnalysisPending
  if (state === 'running') return format(texts.reAnalysing, { percent: Math.round(progress * 100) })
  return last_error
}

/** Plays a published version in the preview player, as members hear it. */
function PlayButton({ song: { entity_id, status }, version }: Pick<RowProps, 'song' | 'version'>) {
  const { song_version_id, version_label } = version
  const isPlaying = usePlayer(
    (player) => player.playing && currentEntry(player)?.version.song_version_id === song_version_id,
  )
  return (
    <ActionIcon
      mt={BELOW_LABEL_PX}
      radius="xl"
      variant="default"
      disabled={status !== 'published' || version.status !== 'published'}
      aria-label={format(isPlaying ? texts.pauseVersion : texts.playVersion, { version_label })}
      onClick={() => void (isPlaying ? playerActions.toggle() : playVersion(entity_id, version))}
    >
      {isPlaying ? <IconPlayerPauseFilled size={16} /> : <IconPlayerPlayFilled size={16} />}
    </ActionIcon>
  )
}
