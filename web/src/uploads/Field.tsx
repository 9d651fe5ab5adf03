import type { uploadedSongs } from '@dubplate/contract'
import { type ReactNode, useId } from 'react'
import css from './Field.module.css'
import * as texts from './texts.ts'

/** The properties that a field passes to its control. */
type ControlProps = {
  id: string
  className: string | undefined
  'aria-invalid': boolean | undefined
  'aria-describedby': string | undefined
  'data-wrong': boolean | undefined
  name: string
}

type Props = {
  label: string
  /** The name of the value. */
  path: string
  fieldError?: string | undefined
  source?: uploadedSongs.Source | undefined
  /** Shown below the control. */
  note?: ReactNode
  children: (control: ControlProps) => ReactNode
}

const SOURCE: Record<uploadedSongs.Source, { text: string; meaning: string }> = {
  tag: { text: texts.sourceTag, meaning: texts.fromTagsOrName },
  name: { text: texts.sourceName, meaning: texts.fromTheFileName },
  analysis: { text: texts.sourceAnalysis, meaning: texts.detectedByAudioAnalysis },
  uploader: { text: texts.sourceUploader, meaning: texts.enteredByTheUploader },
  staff: { text: texts.sourceStaff, meaning: texts.enteredByStaff },
}

/** The source of a value, in small text next to its label. */
export const SourceMark = ({ source }: { source: uploadedSongs.Source | undefined }) =>
  source ? (
    <small className={css.source} data-source={source} title={SOURCE[source].meaning}>
      <span className="sr">{texts.from} </span>
      {SOURCE[source].text}
    </small>
  ) : null

/** A labelled control with the source of its value and its error. */
export function Field({ label, path, fieldError, source, note, children }: Props) {
  const id = useId()
  const describedByIds = [fieldError && `${id}-why`, note && `${id}-note`].filter(Boolean).join(' ')
  return (
    <div className={css.field}>
      <span className={css.label}>
        <label htmlFor={id}>{label}</label>
        <span id={`${id}-source`}>
          <SourceMark source={source} />
        </span>
      </span>
      {children({
        id,
        name: path,
        className: css.control,
        'aria-invalid': fieldError ? true : undefined,
        'aria-describedby': [describedByIds, source && `${id}-source`].filter(Boolean).join(' ') || undefined,
        'data-wrong': fieldError ? true : undefined,
      })}
      {fieldError && (
        <p id={`${id}-why`} className={css.wrong} role="alert">
          {fieldError}
        </p>
      )}
      {note && (
        <div id={`${id}-note`} className={css.note}>
          {note}
        </div>
      )}
    </div>
  )
}

/** For elements that look like a field but are none. */
export const fieldStyles = css
