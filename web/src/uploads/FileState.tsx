import type { uploads } from '@dubplate/contract'
import { Group, Stack, Text, type TextProps } from '@mantine/core'
import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { formatBpmRange, formatBytes, formatDuration } from '../format/format.ts'
import { format, rich } from '../format/message.ts'
import { playPreview } from './preview.ts'
import * as texts from './texts.ts'
import css from './Uploads.module.css'

type Props = { file: uploads.ContainerFile }

/** Played before the fault, for comparison. */
const LEAD_SECONDS = 2

type ProgressProps = { label: string; percent: number; valueText?: string }

export const ProgressBar = ({ label, percent, valueText }: ProgressProps) => (
  <span
    className={css.bar}
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={percent}
    aria-valuetext={valueText}
  >
    <i style={{ width: `${percent}%` }} />
  </span>
)

/** A button in the middle of a text. */
export const TextButton = (props: ComponentProps<'button'> & Pick<TextProps, 'c'>) => (
  <Text component="button" type="button" inherit td="underline" fw={580} mih={24} c="inherit" {...props} />
)

/** The progress of a file's analysis, and its results. */
export function FileState({ file }: Props) {
  const { state, progress } = file.analysis
  if (state === 'done') return <FileFacts file={file} />
  const percent = Math.round(progress * 100)
  return (
    <Group gap={10} mih={22} fz="xs" c="var(--text-2)">
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
    <Group component="p" className="num" gap={10} mih={22} fz="xs" c="var(--text-2)">
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
