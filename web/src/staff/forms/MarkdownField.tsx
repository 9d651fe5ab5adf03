import { type KeyboardEvent, useId, useState } from 'react'
import { InlineError } from '../../platform/InlineError.tsx'
import { format, rich } from '../../platform/message.ts'
import { SiteText } from '../../site/SiteText.tsx'
import { Chips } from '../../ui/Chips.tsx'
import { useMarkdown } from '../markdown.ts'
import css from './MarkdownField.module.css'
import * as texts from './texts.ts'

type Props = {
  label: string
  value: string
  rows: number
  wrong?: string | undefined
  onChange: (markdown: string) => void
  /** Ctrl + Enter. */
  onSend: () => void
}

/** A Markdown field with its preview, side by side or one below the other when there is too little space. */
export function MarkdownField({ label, value, rows, wrong, onChange, onSend }: Props) {
  const id = useId()
  const [shows, setShows] = useState<'text' | 'look'>('text')
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onSend()
  }
  return (
    <div className={css.field}>
      <div className={css.head}>
        <label htmlFor={id}>{label}</label>
        <div className={css.choice}>
          <Chips
            label={texts.view}
            choices={[
              { value: 'text', label: texts.write },
              { value: 'look', label: texts.preview },
            ]}
            chosen={shows}
            onChoose={setShows}
          />
        </div>
      </div>
      <div className={css.both} data-shows={shows}>
        <textarea
          id={id}
          rows={rows}
          value={value}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong ? `${id}-why ${id}-hint` : `${id}-hint`}
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={press}
        />
        <Look label={label} markdown={value} />
      </div>
      {wrong && (
        <p id={`${id}-why`} className={css.wrong} role="alert">
          {wrong}
        </p>
      )}
      <p id={`${id}-hint`} className={css.hint}>
        {rich(texts.markdownHeadingBoldListLink, {
          code: (inside) => <code>{inside}</code>,
          code2: (inside) => <code>{inside}</code>,
          code3: (inside) => <code>{inside}</code>,
          code4: (inside) => <code>{inside}</code>,
        })}
      </p>
    </div>
  )
}

function Look({ label, markdown }: { label: string; markdown: string }) {
  const { data, error, isFetching, refetch } = useMarkdown(markdown)
  return (
    <section
      className={css.look}
      aria-label={format(texts.previewLabel, { label })}
      aria-busy={isFetching || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it
      tabIndex={0}
    >
      {error && <InlineError error={error} subject={texts.thePreview} retry={() => void refetch()} />}
      {data && <SiteText html={data.html} />}
    </section>
  )
}
