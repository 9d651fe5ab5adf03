import type { staffSongs } from '@dubplate/contract'
import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconMetronome, IconRotate } from '@tabler/icons-react'
import { useState } from 'react'
import { format } from '../../format/message.ts'
import { usePreferences } from '../../platform/preferences.ts'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { SourceMark } from '../../uploads/Field.tsx'
import { AutosaveInput } from './AutosaveInput.tsx'
import { saveCell } from './cellStates.ts'
import type { Song } from './songActions.ts'
import { formatSongKey, formatTempo, MAX_LENGTHS } from './songFields.ts'
import * as texts from './texts.ts'

const GridDialog = lazyOnDemand(() => import('../../beatGrids/GridDialog.tsx').then((code) => code.GridDialog))

type Version = staffSongs.StaffVersion
/** Aligns what has no label with the inputs that have one. */
const BELOW_LABEL_PX = 24

type RowProps = { song: Song; version: Version }

/** The tempo and key of each version, with their sources. */
export const VersionTempos = ({ song }: { song: Song }) => (
  <Stack gap="md">
    <Text fz="sm" c="var(--text-2)">
      {texts.versionTemposHint}
    </Text>
    <Stack component="ul" gap="md" aria-label={texts.tempoAndKey}>
      {song.versions.map((version) => (
        <VersionRow key={version.song_version_id} song={song} version={version} />
      ))}
    </Stack>
  </Stack>
)

const VersionRow = ({ song, version }: RowProps) => (
  <Group component="li" gap="sm" align="flex-start" pb="md" style={{ borderBottom: '1px solid var(--line)' }}>
    <Text fw={500} flex={{ base: '1 1 100%', sm: '1 1 140px' }} py={{ sm: 8 }} style={{ overflowWrap: 'anywhere' }}>
      {version.version_label}
    </Text>
    <Bpm song={song} version={version} />
    <Key song={song} version={version} />
    {version.file !== 'generated' && <BeatGridButton {...version} />}
  </Group>
)

function BeatGridButton({ song_version_id, version_label }: Version) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        px="md"
        mt={{ sm: BELOW_LABEL_PX }}
        leftSection={<IconMetronome size={16} aria-hidden />}
        aria-label={format(texts.beatGridOf, { version_label })}
        onClick={() => setOpen(true)}
      >
        {texts.beatGrid}
      </Button>
      {isOpen && <GridDialog target={{ song_version_id }} name={version_label} onClose={() => setOpen(false)} />}
    </>
  )
}

function Bpm({ song, version }: RowProps) {
  const { song_version_id, version_label, bpm, bpm_to, bpm_source, bpm_confidence, measured } = version
  const stored = formatTempo({ min_bpm: bpm, max_bpm: bpm_to ?? bpm })
  const measuredBpm = measured?.bpm ?? null
  const measuredText = formatTempo({ min_bpm: measuredBpm, max_bpm: measuredBpm })
  return (
    <ValueInput
      {...{ song, stored, source: bpm_source, confidence: bpm_confidence, hasFile: version.file !== 'generated' }}
      what={`version.${song_version_id}.bpm`}
      name={format(texts.bpmOf, { version_label })}
      label={texts.bpm}
      maxLength={MAX_LENGTHS.bpm}
      measured={measuredText !== stored && { value: measuredText, confidence: measured?.bpm_confidence ?? 0 }}
      toChange={(bpm) => ({ versions: [{ song_version_id, bpm }] })}
    />
  )
}

function Key({ song, version }: RowProps) {
  const { song_version_id, version_label, song_key, key_source, key_confidence, measured } = version
  const notation = usePreferences((preferences) => preferences.notation)
  const stored = formatSongKey(notation, song_key)
  const measuredText = formatSongKey(notation, measured?.song_key ?? null)
  return (
    <ValueInput
      {...{ song, stored, source: key_source, confidence: key_confidence, hasFile: version.file !== 'generated' }}
      what={`version.${song_version_id}.key`}
      name={format(texts.keyOf, { version_label })}
      label={texts.key}
      maxLength={MAX_LENGTHS.song_key}
      measured={measuredText !== stored && { value: measuredText, confidence: measured?.key_confidence ?? 0 }}
      toChange={(song_key) => ({ versions: [{ song_version_id, song_key }] })}
    />
  )
}

type ValueProps = {
  song: Song
  what: string
  name: string
  label: string
  maxLength: number
  stored: string
  source: staffSongs.Origin | null
  confidence: number | null
  hasFile: boolean
  /** What the analysis of the file measured, if it differs. */
  measured: { value: string; confidence: number } | false
  /** The change to save; null takes the value from the file again. */
  toChange: (text: string | null) => Parameters<typeof saveCell>[0]['change']
}

/** An input with the source of its value, and a button that takes the value from the file again. */
const ValueInput = ({ label, source, confidence, measured, hasFile, toChange, ...input }: ValueProps) => (
  <Stack gap={4} flex={{ base: '1 1 0', sm: '0 0 168px' }} miw={0}>
    <Group gap="xs" wrap="nowrap" align="flex-end">
      <AutosaveInput {...input} label={label} flex="1" toChange={toChange} />
      {source === 'staff' && hasFile && (
        <ActionIcon
          variant="default"
          size={36}
          aria-label={format(texts.useValueOfFile, { name: input.name })}
          title={texts.useValueOfFileShort}
          onClick={() => void saveCell({ ...input, typed: '', change: toChange(null) })}
        >
          <IconRotate size={16} aria-hidden />
        </ActionIcon>
      )}
    </Group>
    <Group gap="xs" mih={20}>
      <SourceMark source={source ?? undefined} />
      {confidence !== null && <Confidence value={confidence} />}
    </Group>
    {measured && measured.value !== '' && (
      <Text fz="xs" c="var(--text-2)">
        {format(texts.measuredValue, { value: measured.value, percent: Math.round(measured.confidence * 100) })}
      </Text>
    )}
  </Stack>
)

const Confidence = ({ value }: { value: number }) => (
  <Text span className="num" fz="xs" c="var(--text-2)">
    {format(texts.confidence, { percent: Math.round(value * 100) })}
  </Text>
)
