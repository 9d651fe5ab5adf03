import { support } from '@dubplate/contract'
import type { FormEvent } from 'react'
import { callApi } from '../../platform/api.ts'
import { Html } from '../../site/Html.tsx'
import { Button } from '../../ui/Button.tsx'
import { RichText } from '../../ui/RichText.tsx'
import words from '../../ui/Words.module.css'
import { EntryEnd } from '../forms/EntryEnd.tsx'
import { TextField } from '../forms/EntryFields.tsx'
import { EntryForm } from '../forms/EntryForm.tsx'
import forms from '../forms/Forms.module.css'
import { useEntry, type Wrong } from '../forms/useEntry.ts'
import css from './SavedReplies.module.css'
import { PLACEHOLDER_WORDS } from './savedReplies.ts'
import * as texts from './texts.ts'
import { askAnswersAnew, readAnswer } from './tickets.ts'

type SavedReply = support.SavedReply
type AnswerEntry = Pick<SavedReply, 'title' | 'answer' | 'version'>
type Props = { answer?: SavedReply; onClose: () => void }

const NEW_ANSWER: AnswerEntry = { title: '', answer: '', version: 0 }
const entryOf = ({ title, answer, version }: SavedReply): AnswerEntry => ({ title, answer, version })

const wrongAnswer = ({ title, answer }: AnswerEntry): Wrong => ({
  ...(title.trim() ? {} : { title: texts.enterAName }),
  ...(answer ? {} : { answer: texts.enterAReply }),
})

async function saveAnswer({ version, ...entry }: AnswerEntry, of: SavedReply | undefined) {
  const { answer } = await callApi(support.saveSavedReply, {
    ...entry,
    ...(of ? { saved_reply_id: of.saved_reply_id, version } : {}),
  })
  await askAnswersAnew()
  return answer
}

/**
 * Edits a saved reply. When someone else changed it in the meantime, their version is shown and what was typed stays.
 */
export function SavedReplyEdit({ answer: saved, onClose }: Props) {
  const entry = useEntry<AnswerEntry, SavedReply>({
    draftName: `saved-reply.${saved?.saved_reply_id ?? 'new'}`,
    first: saved ? entryOf(saved) : NEW_ANSWER,
    wrongOf: wrongAnswer,
    send: (typed) => saveAnswer(typed, saved),
    meanwhile: saved && { read: () => readAnswer(saved.saved_reply_id), entryOf },
    onClose,
  })
  const { typed, wrong, write, theirs } = entry
  return (
    <EntryForm
      entry={theirs ? { ...entry, submit: overTheirs(entry) } : entry}
      title={saved ? texts.editSavedReply : texts.newSavedReply}
    >
      <TextField
        label={texts.name}
        path="title"
        wrong={wrong.title}
        takesFocus
        maxLength={120}
        value={typed.title}
        onChange={(title) => write({ title })}
      />
      <div>
        <RichText
          label={texts.reply}
          value={typed.answer}
          error={wrong.answer}
          onChange={(answer) => write({ answer })}
        />
        <Names />
      </div>
      <EntryEnd entry={entry} verb={theirs ? texts.keepMine : texts.save}>
        {theirs && (
          <section className={forms.theirs} aria-label={texts.currentVersion}>
            <h3>{theirs.title}</h3>
            <Html html={theirs.answer} className={`${words.words} ${css.theirs}`} />
            <Button onClick={entry.takeTheirs}>{texts.useTheirs}</Button>
          </section>
        )}
      </EntryEnd>
    </EntryForm>
  )
}

/** The user has seen their version by now. */
const overTheirs =
  ({ keepMine }: { keepMine: () => void }) =>
  (event: FormEvent) => {
    event.preventDefault()
    keepMine()
  }

/** The placeholders that are filled in when a reply is used. */
const Names = () => (
  <dl className={`${forms.hint} ${css.names}`}>
    {support.PLACEHOLDERS.map((name) => (
      <div key={name}>
        <dt>
          <code>{`{${name}}`}</code>
        </dt>{' '}
        <dd>{PLACEHOLDER_WORDS[name]}</dd>
      </div>
    ))}
  </dl>
)
