import { trending } from '@dubplate/contract'
import { type FormEvent, useState } from 'react'
import { format } from '../../platform/message.ts'
import { toast } from '../../ui/toast.ts'
import { Field } from '../../uploads/Field.tsx'
import { EntryEnd } from '../forms/EntryEnd.tsx'
import { MomentField } from '../forms/EntryFields.tsx'
import forms from '../forms/Forms.module.css'
import { fieldErrorsOf, sentencesOf } from '../forms/refused.ts'
import { isoOf, localOf } from '../moments.ts'
import { pinSong } from './programme.ts'
import * as texts from './texts.ts'

/** A song about to be pinned, or whose pin is being changed. */
export type Pinning = {
  entity_id: number
  title: string
  rank: number
  until: string | null
  previous_rank: number | null
}

/** The rank and end date of a pin. */
export function PinForm({ pinning, onClose }: { pinning: Pinning; onClose: () => void }) {
  const { entity_id, title, previous_rank } = pinning
  const [rank, setRank] = useState(String(pinning.rank))
  const [until, setUntil] = useState(localOf(pinning.until))
  const [complaint, setComplaint] = useState('')
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const [isBusy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setComplaint('')
    setWrong({})
    setBusy(true)
    try {
      // An unchanged time keeps its seconds.
      const end = until === localOf(pinning.until) ? pinning.until : isoOf(until)
      await pinSong({ entity_id, rank: Number(rank), until: end, previous_rank })
      void toast({ message: format(texts.pinnedAtRank, { title, rank }) })
      onClose()
    } catch (error) {
      setComplaint(sentencesOf(error))
      setWrong(fieldErrorsOf(error))
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      data-framed
      className={forms.form}
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <h2>{format(texts.pinTitle, { title })}</h2>
      <div className={forms.pair}>
        <Field
          label={texts.rank}
          path="rank"
          fieldError={wrong.rank}
          note={format(texts.n1To, { TRENDING_LENGTH: trending.TRENDING_LENGTH })}
        >
          {(control) => (
            <input
              {...control}
              // biome-ignore lint/a11y/noAutofocus: the song was chosen just now
              autoFocus
              type="number"
              min={1}
              max={trending.TRENDING_LENGTH}
              value={rank}
              onChange={({ target }) => setRank(target.value)}
            />
          )}
        </Field>
        <MomentField
          label={texts.ends}
          path="until"
          wrong={wrong.until}
          note={texts.leaveEmptyForNoEnd}
          value={until}
          onChange={setUntil}
        />
      </div>
      <EntryEnd entry={{ complaint, isBusy, close: onClose }} verb={texts.pin} />
    </form>
  )
}
