import type { openings } from '@dubplate/contract'
import { EntryEnd } from '../forms/EntryEnd.tsx'
import { TextField, Tick } from '../forms/EntryFields.tsx'
import { EntryForm } from '../forms/EntryForm.tsx'
import forms from '../forms/Forms.module.css'
import { MarkdownField } from '../forms/MarkdownField.tsx'
import { useEntry } from '../forms/useEntry.ts'
import { NEW_OPENING, type OpeningEntry, openingEntryOf, openingWish, wrongOpening } from './openingEntry.ts'
import { saveOpening } from './openings.ts'
import * as texts from './texts.ts'

type Props = { opening?: openings.StaffOpening; onClose: () => void }

const LINES = [
  { name: 'place', label: texts.location, note: texts.aCityOrRemote },
  { name: 'hours', label: texts.workingHours, note: texts.forExampleFullTimeOr },
] as const

/** Edits a job opening. */
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
    <EntryForm entry={entry} title={opening ? texts.editJobOpening : texts.newJobOpening} heading="h3" isWide>
      <TextField
        label={texts.title}
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
        label={texts.description}
        value={typed.markdown}
        rows={10}
        wrong={wrong.markdown}
        onChange={(markdown) => write({ markdown })}
        onSend={() => void entry.save()}
      />
      <TextField
        label={texts.howToApply}
        path="apply_at"
        wrong={wrong.apply_at}
        note={texts.emailAddressOrLinkLeave}
        maxLength={500}
        spellCheck={false}
        value={typed.apply_at}
        onChange={(apply_at) => write({ apply_at })}
      />
      <Tick isTicked={typed.published} onTick={(published) => write({ published })}>
        {texts.published}
      </Tick>
      <EntryEnd entry={entry} />
    </EntryForm>
  )
}
