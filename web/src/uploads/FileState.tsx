import type { uploads } from '@dubplate/contract'
import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { formatBpmRange, formatBytes, formatDuration } from '../format/format.ts'
import { format, rich } from '../format/message.ts'
import css from './FileState.module.css'
import { playPreview } from './preview.ts'
import * as texts from './texts.ts'

type Props = { file: uploads.ContainerFile }

/** Played before the fault, for comparison. */
const LEAD_SECONDS = 2

/** The progress of a file's analysis, and its results. */
export function FileState({ file }: Props) {
  const { state, progress } = file.analysis
  if (state === 'done') return <FileFacts file={file} />
  if (state === 'failed') return <p className={css.state}>{texts.couldntAnalyseThisFileUpload}</p>
  const percent = Math.round(progress * 100)
  return (
    <div className={css.state}>
      <span>{state === 'queued' ? texts.analysisPending : format(texts.analysing, { percent })}</span>
      <span
        className={css.bar}
        role="progressbar"
        aria-label={format(texts.analysisOf, { file: file.file })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <i style={{ width: `${percent}%` }} />
      </span>
    </div>
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
    <p className={`${css.facts} num`}>
      {song_key && <KeyBadge songKey={song_key} />}
      {facts.map((fact) => (
        <span key={String(fact)}>{fact}</span>
      ))}
    </p>
  )
}

/** The faults of a file, each with its position; clicking one plays it. */
export function Faults({ file }: Props) {
  const { faults } = file.analysis
  if (faults.length === 0) return null
  return (
    <ul className={css.faults} aria-label={texts.problems}>
      {faults.map(({ code, message, at_seconds, blocks }) => (
        <li key={`${code} ${at_seconds}`} data-blocks={blocks || undefined}>
          {blocks ? <IconCircleX size={16} aria-hidden /> : <IconAlertTriangle size={16} aria-hidden />}
          <span>
            {blocks
              ? rich(texts.cantBePublished, { message, hidden: (inside) => <span className="sr">{inside}</span> })
              : message}{' '}
            {at_seconds !== undefined && (
              <button
                type="button"
                className={`${css.place} num`}
                aria-label={format(texts.playFrom, { at_seconds: formatDuration(at_seconds) })}
                disabled={!file.mp3}
                onClick={() => playPreview(file, Math.max(0, at_seconds - LEAD_SECONDS))}
              >
                {format(texts.at, { at_seconds: formatDuration(at_seconds) })}
              </button>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
