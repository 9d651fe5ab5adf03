import { staffSongs } from '@dubplate/contract'
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useId, useState } from 'react'
import { PageSection } from '../../admin/PageSection.tsx'
import { FormMessages } from '../../admin/ResourceForm.tsx'
import { format } from '../../format/message.ts'
import { usePreferences } from '../../platform/preferences.ts'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { SourceMark } from '../../uploads/Field.tsx'
import { SECTION_CHOICES, sectionName } from '../uploads/uploadStates.ts'
import { AutosaveInput, AutosaveSelect } from './AutosaveInput.tsx'
import { cellKey, saveCell, useCells } from './cellStates.ts'
import type { Song } from './songActions.ts'
import {
  displayValue,
  FIELD_NAMES,
  type Field,
  formatSongKey,
  genresOf,
  isTextField,
  MAX_LENGTHS,
  textChange,
} from './songFields.ts'
import * as texts from './texts.ts'

const GenreDialog = lazyOnDemand(() => import('./GenreDialog.tsx').then(({ GenreDialog }) => GenreDialog))

type Source = staffSongs.SelectedSong

/** Every field of a song with the source of its value, and the values of other sources. */
export const SongDetails = ({ song, sources }: { song: Song; sources: readonly Source[] }) => (
  <PageSection title={texts.details}>
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing="lg">
      {staffSongs.FIELDS.map((field) => (
        <Stack key={field} gap={4} component="section" aria-label={FIELD_NAMES[field]}>
          <Group justify="space-between" mih={22}>
            <Text fz="md" fw={500}>
              {FIELD_NAMES[field]}
            </Text>
            <SourceMark source={song.origins[field]} />
          </Group>
          <FieldInput song={song} field={field} />
          <OtherSources song={song} field={field} sources={sources.filter((source) => source.field === field)} />
        </Stack>
      ))}
    </SimpleGrid>
  </PageSection>
)

function FieldInput({ song, field }: { song: Song; field: Field }) {
  const notation = usePreferences((preferences) => preferences.notation)
  const props = { song, what: field, name: FIELD_NAMES[field] }
  if (field === 'genres') return <Genres song={song} />
  if (isTextField(field))
    return (
      <AutosaveInput
        {...props}
        maxLength={MAX_LENGTHS[field]}
        stored={displayValue(song, field, notation)}
        toChange={(text) => ({ change: textChange(field, text) })}
      />
    )
  return (
    <AutosaveSelect
      {...props}
      value={String(song.song_section_id)}
      data={SECTION_CHOICES.map((section) => ({ value: String(section), label: sectionName(section) }))}
      toChange={(song_section_id) => ({ change: { song_section_id } })}
    />
  )
}

function Genres({ song }: { song: Song }) {
  const [isOpen, setOpen] = useState(false)
  const state = useCells(({ cells }) => cells[cellKey(song.entity_id, 'genres')])
  return (
    <>
      <Group justify="space-between" wrap="nowrap" mih={36}>
        <Text fz="md">{genresOf(song) || texts.none}</Text>
        <Button variant="default" size="xs" onClick={() => setOpen(true)}>
          {texts.edit}
        </Button>
      </Group>
      {!isOpen && state?.state === 'refused' && <FormMessages messages={[state.message]} />}
      {isOpen && <GenreDialog song={song} onClose={() => setOpen(false)} />}
    </>
  )
}

const SOURCE_NAMES: Record<staffSongs.Origin, string> = {
  tag: texts.fileTags,
  name: texts.fileName,
  analysis: texts.analysis,
  uploader: texts.uploader,
  staff: texts.staff,
}

const OtherSources = ({ song, field, sources }: { song: Song; field: Field; sources: readonly Source[] }) =>
  sources.length > 0 && (
    <Stack component="ul" gap={2} aria-label={format(texts.otherSourcesFor, { field: FIELD_NAMES[field] })}>
      {sources.map((source) => (
        <SourceValue key={`${source.from} ${source.where} ${source.value}`} song={song} source={source} />
      ))}
    </Stack>
  )

/** The value of one source, with a button to use it. */
function SourceValue({ song, source }: { song: Song; source: Source }) {
  const { field, from, where, value, confidence, alternatives, genre_ids } = source
  const id = useId()
  const notation = usePreferences((preferences) => preferences.notation)
  const text = field === 'song_key' ? formatSongKey(notation, value) : value
  const isSame = text === displayValue(song, field, notation) || hasSameGenres(song, source)
  const isInUse = isSame && song.origins[field] === from
  const canUse = !isInUse && (field !== 'genres' || genre_ids.length > 0)
  const save = (typed: string, change: Parameters<typeof saveCell>[0]['change']) =>
    void saveCell({ song, what: field, name: FIELD_NAMES[field], typed, change })
  const use = () => {
    const change = field === 'genres' ? { genres: { how: 'replace' as const, genre_ids } } : { [field]: value }
    save(text, { change, from })
  }
  const details = [
    SOURCE_NAMES[from],
    where,
    confidence !== null && format(texts.confidence, { percent: Math.round(confidence * 100) }),
  ]
  return (
    <Group component="li" gap="sm" justify="space-between" mih={28}>
      <Text id={id} fz="xs" c="var(--text-2)" flex="1 1 0" miw={180} style={{ overflowWrap: 'anywhere' }}>
        <Text span fz="sm" c="var(--text)">
          {text}
        </Text>{' '}
        {details.filter(Boolean).join(' · ')}
      </Text>
      <Group gap="sm">
        {isInUse && (
          <Text span fz="xs" c="var(--ok)">
            {texts.inUse}
          </Text>
        )}
        {canUse && (
          <Button variant="default" size="compact-sm" aria-describedby={id} onClick={use}>
            {texts.use}
          </Button>
        )}
        {alternatives
          .filter((bpm) => bpm !== displayValue(song, 'bpm', notation))
          .map((bpm) => (
            <Button key={bpm} variant="default" size="compact-sm" onClick={() => save(bpm, { change: { bpm } })}>
              {format(texts.useBpm, { bpm })}
            </Button>
          ))}
      </Group>
    </Group>
  )
}

const hasSameGenres = (song: Song, { field, genre_ids }: Source): boolean =>
  field === 'genres' &&
  genre_ids.length > 0 &&
  genre_ids.every((id) => song.genres.some(({ genre_id }) => genre_id === id))
