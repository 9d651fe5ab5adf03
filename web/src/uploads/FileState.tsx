import type { uploads } from '@dubplate/contract'
import { Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { formatBpmRange, formatBytes, formatDuration } from '../format/format.ts'
import { format, rich } from '../format/message.ts'
import { ProgressBar, TextButton } from './elements.tsx'
import { playPreview } from './preview.ts'
import * as texts from './texts.ts'

type Props = { file: uploads.ContainerFile }

/** Played before the fault, for comparison. */
const LEAD_SECONDS = 2

/** The progress of a file's analysis, and its results. */
export function FileState({ file }: Props) {
  const { state, progress } = file.analysis
  if (state === 'done') return <FileFacts file={file} />
  const percent = Math.round(progress * 100)
  return (
    <Group gap="4px 10px" mih={22} fz="xs" c="var(--text-2)">
      {state === 'failed' && <p>{texts.couldntAnalyseThisFileUpload}</p>}
      {state !== 'failed' && (
        <>
          <span>{state === 'queued' ? texts.analysisPending : format(texts.analysing, { percent })}</span>
          <ProgressBar label={format(texts.analysisOf, { file: file.file })} percent={percent} />
        </>
      )}
    </Group>
  )
}

function FileFacts({ file: { bytes, analysis } }: Props) {
  const { duration_seconds, bpm, song_key, loudness_lufs, format: fileFormat, bitrate_kbps } = analysis
  const facts = [
    formatDuration(duration_seconds),
    bpm && format(texts.bpm, { bpm: formatBpmRange(bpm, bpm) }),
    loudness_lufs !== null && format(texts.lufs, { loudness: loudness_lufs.toFixed(1) }),
    fileFormat &&
      (bitrate_kbps > 0
        ? format(texts.formatAndBitrate, { fileFormat: fileFormat.toUpperCase(), bitrate: Math.round(bitrate_kbps) })
        : fileFormat.toUpperCase()),
    formatBytes(bytes),
  ].filter(Boolean)
  return (
    <Group component="p" className="num" gap="4px 10px" mih={22} fz="xs" c="var(--text-2)">
      {song_key && <KeyBadge songKey={song_key} />}
      {facts.map((fact) => (
        <span key={String(fact)}>{fact}</span>
      ))}
    </Group>
  )
}

/** The faults of a file, each with its position; clicking one plays it. */
export function Faults({ file }: Props) {
  const { faults } = file.analysis
  if (faults.length === 0) return null
  return (
    <Stack component="ul" gap="xs" fz="sm" aria-label={texts.problems}>
      {faults.map(({ code, message, at_seconds, blocks }) => (
        <Group
          key={`${code} ${at_seconds}`}
          component="li"
          gap={6}
          wrap="nowrap"
          align="flex-start"
          c={blocks ? 'var(--danger)' : 'var(--warn)'}
        >
          <Text span inherit lh={1} mt={2}>
            {blocks ? <IconCircleX size={16} aria-hidden /> : <IconAlertTriangle size={16} aria-hidden />}
          </Text>
          <span style={{ overflowWrap: 'anywhere' }}>
            {blocks
              ? rich(texts.cantBePublished, { message, hidden: (inside) => <span className="sr">{inside}</span> })
              : message}{' '}
            {at_seconds !== undefined && (
              <TextButton
                className="num"
                aria-label={format(texts.playFrom, { at_seconds: formatDuration(at_seconds) })}
                disabled={!file.mp3}
                onClick={() => playPreview(file, Math.max(0, at_seconds - LEAD_SECONDS))}
              >
                {format(texts.at, { at_seconds: formatDuration(at_seconds) })}
              </TextButton>
            )}
          </span>
        </Group>
      ))}
    </Stack>
  )
}
