import type { openings } from '@dubplate/contract'
import { EntryEnd } from './EntryEnd.tsx'
import { TextField, Tick } from './EntryFields.tsx'
import { EntryForm } from './EntryForm.tsx'
import forms from './Forms.module.css'
import { MarkdownField } from './MarkdownField.tsx'
import { NEW_OPENING, type OpeningEntry, openingEntryOf, openingWish, wrongOpening } from './openingEntry.ts'
import { saveOpening } from './openings.ts'
import { useEntry } from './useEntry.ts'

type Props = { opening?: openings.StaffOpening; onClose: () => void }

const LINES = [
  { name: 'place', label: 'Location', note: 'A city, or “Remote”.' },
  { name: 'hours', label: 'Working hours', note: 'For example “Full time” or “Weekends”.' },
] as const

/** Writes an opening. */
export function OpeningEdit({ opening, onClose }: Props) {
  const id = opening?.job_opening_id
  const entry = useEntry<OpeningEntry, unknown>({
    draftName: `opening.${id ?? 'new'}`,
    first: opening ? openingEntryOf(opening) : NEW_OPENING,
    wrongOf: wrongOpening,
    send: (typed) => saveOpening(openingWish(typed, id)),
    onClose,
  })
  const { typed, wrong, write } = entry
  return (
    <EntryForm entry={entry} title={opening ? 'Edit job opening' : 'New job opening'} heading="h3" isWide>
      <TextField
        label="Title"
        path="title"
        wrong={wrong.title}
        takesFocus
        maxLength={120}
        value={typed.title}
        onChange={(title) => write({ title })}
      />
      <div className={forms.pair}>
        {LINES.map(({ name, label, note }) => (
          <TextField
            key={name}
            label={label}
            path={name}
            note={note}
            wrong={wrong[name]}
            maxLength={120}
            value={typed[name]}
            onChange={(text) => write({ [name]: text })}
          />
        ))}
      </div>
      <MarkdownField
        label="Description"
        value={typed.markdown}
        rows={10}
        wrong={wrong.markdown}
        onChange={(markdown) => write({ markdown })}
        onSend={() => void entry.save()}
      />
      <TextField
        label="How to apply"
        path="apply_at"
        wrong={wrong.apply_at}
        note="Email address or link. Leave empty to use the contact page."
        maxLength={500}
        spellCheck={false}
        value={typed.apply_at}
        onChange={(apply_at) => write({ apply_at })}
      />
      <Tick isTicked={typed.published} onTick={(published) => write({ published })}>
        Published
      </Tick>
      <EntryEnd entry={entry} />
    </EntryForm>
  )
}
