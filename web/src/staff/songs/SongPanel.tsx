import { catalogue } from '@dubplate/contract'
import { ActionIcon, Button, DataList, Group, Stack, Text, Title } from '@mantine/core'
import { IconArrowUpRight, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Fact } from '../../admin/PageSection.tsx'
import { type Neighbours, panelKeys } from '../../admin/panelKeys.ts'
import { formatDate } from '../../format/dates.ts'
import { formatDuration } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { usePreferences } from '../../platform/preferences.ts'
import { apiQuery, queryClient } from '../../platform/queries.ts'
import { currentEntry, playerActions, usePlayer } from '../../player/store.ts'
import { toastError } from '../../ui/toast.ts'
import { CoverImage } from './CoverImage.tsx'
import type { Song } from './songActions.ts'
import { MissingValues, SongStatus } from './songColumns.tsx'
import { displayValue, FIELD_NAMES, type Field } from './songFields.ts'
import * as texts from './texts.ts'

const FACTS = [
  ...['genres', 'bpm', 'song_key', 'year', 'album', 'label', 'remixer', 'isrc', 'song_section_id'],
] as readonly Field[]

type Props = { song: Song; panelProps: Neighbours }

/** A song beside the table: what it sounds like, its values and versions. */
export function SongPanel({ song, panelProps }: Props) {
  const { entity_id, title, artist, versions, created_at, changed_at, lacks } = song
  const notation = usePreferences((preferences) => preferences.notation)
  const navigate = useNavigate()
  const toSong = { to: '/staff/songs/$entityId', params: { entityId: entity_id } } as const
  return (
    <Stack gap="lg" onKeyDown={panelKeys({ row: song, actions: [], ...panelProps })}>
      <Group wrap="nowrap" align="flex-start">
        <CoverImage song={song} size_px={56} />
        <div style={{ flex: 1, minWidth: 0 }}>
          <Title order={2} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          <Text c="var(--text-2)">{artist}</Text>
          <SongStatus song={song} />
        </div>
        {song.status === 'published' && <PlayButton song={song} />}
      </Group>
      <Group gap="sm">
        <Button leftSection={<IconArrowUpRight size={16} />} onClick={() => void navigate(toSong)}>
          {texts.openSongPage}
        </Button>
        <Button variant="default" onClick={() => void navigate({ ...toSong, hash: 'history' })}>
          {texts.history}
        </Button>
      </Group>
      <DataList orientation="horizontal" labelWidth={92}>
        {lacks.length > 0 && (
          <Fact label={texts.missing}>
            <MissingValues song={song} />
          </Fact>
        )}
        {FACTS.map((field) => (
          <Fact key={field} label={FIELD_NAMES[field]}>
            {displayValue(song, field, notation) || '–'}
          </Fact>
        ))}
        <Fact label={texts.addedColumn}>{formatDate(created_at)}</Fact>
        {changed_at && <Fact label={texts.changed}>{formatDate(changed_at)}</Fact>}
      </DataList>
      <Title order={3} fz="md">
        {texts.versions}
      </Title>
      <Stack component="ol" gap="xs" aria-label={format(texts.versionsOf, { title })}>
        {versions.map((version) => (
          <Group key={version.song_version_id} component="li" justify="space-between" wrap="nowrap">
            <Text style={{ overflowWrap: 'anywhere' }} c={version.status === 'unpublished' ? 'dimmed' : undefined}>
              {version.status === 'unpublished'
                ? format(texts.unpublishedVersion, { version_label: version.version_label })
                : version.version_label}
            </Text>
            <Text size="sm" c={version.file === 'missing' ? 'var(--danger)' : 'dimmed'} className="num">
              {[formatDuration(version.duration_seconds), version.format, FILE_NAMES[version.file]]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </Group>
        ))}
      </Stack>
    </Stack>
  )
}

const FILE_NAMES: Record<Song['versions'][number]['file'], string> = {
  stored: '',
  missing: texts.fileMissing,
  generated: texts.generatedOnDemand,
}

/** Plays the first version of a published song in the preview player. */
function PlayButton({ song: { entity_id, title } }: { song: Song }) {
  const isPlaying = usePlayer((player) => player.playing && currentEntry(player)?.song.entity_id === entity_id)
  const toggle = async () => {
    if (currentEntry(usePlayer.getState())?.song.entity_id === entity_id) return playerActions.toggle()
    try {
      const { song } = await queryClient.ensureQueryData(apiQuery(catalogue.getSong, { entity_id }))
      const version = song.version.find(({ available }) => available)
      if (!version) throw new Error(texts.noVersions)
      playerActions.play({ song, version })
    } catch (error) {
      void toastError(format(texts.couldntPlay, { title }), error)
    }
  }
  return (
    <ActionIcon
      size={36}
      radius="xl"
      variant="default"
      aria-label={format(isPlaying ? texts.pauseSong : texts.playSong, { title })}
      onClick={() => void toggle()}
    >
      {isPlaying ? <IconPlayerPauseFilled size={17} /> : <IconPlayerPlayFilled size={17} />}
    </ActionIcon>
  )
}
