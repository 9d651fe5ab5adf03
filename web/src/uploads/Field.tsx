import type { uploadedSongs } from '@dubplate/contract'
import type { TextInputProps } from '@mantine/core'
import * as texts from './texts.ts'
import css from './Uploads.module.css'

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

type SongFieldProps = Partial<
  Pick<
    TextInputProps,
    'name' | 'error' | 'autoComplete' | 'errorProps' | 'pos' | 'description' | 'descriptionProps' | 'inputWrapperOrder'
  >
>

/** The properties of an input for a song’s value: its error, and its source at the end of the label’s line. */
export const songField = (name: string, error: string | undefined, source?: uploadedSongs.Source): SongFieldProps => ({
  ...{ name, error, autoComplete: 'off', errorProps: { role: 'alert' } },
  ...(source && {
    pos: 'relative',
    description: <SourceMark source={source} />,
    descriptionProps: { className: css.fieldSource },
    inputWrapperOrder: ['label', 'description', 'input', 'error'],
  }),
})
