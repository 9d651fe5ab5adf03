import { DESCRIPTION_LENGTH, playlists, toParagraph } from '@dubplate/contract'
import { TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { format } from '../format/message.ts'
import { ApiError } from '../platform/api.ts'
import { Button } from '../ui/Button.tsx'
import { DescriptionInput } from '../ui/DescriptionInput.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { useAction } from '../ui/useAction.ts'
import css from './Playlists.module.css'
import { savePlaylist } from './playlists.ts'
import * as texts from './texts.ts'

type Errors = { title?: string; description?: string }
type Props = { playlist: playlists.Playlist; onClose: () => void }

/** Edits the name and description of a playlist. */
export function PlaylistForm({ playlist, onClose }: Props) {
  const [title, setTitle] = useState(playlist.title)
  const [description, setDescription] = useState(playlist.description)
  const [errors, setErrors] = useState<Errors>({})
  const [save, isBusy] = useAction(async (form: HTMLFormElement) => {
    const errors = validate(title, description) ?? (await trySave(playlist, { title: title.trim(), description }))
    if (!errors) return onClose()
    setErrors(errors)
    form.querySelector<HTMLElement>(errors.title ? 'input' : 'textarea')?.focus()
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save(event.currentTarget)
  }
  return (
    <Dialog title={texts.editPlaylist} onClose={onClose}>
      <form noValidate className={css.fields} onSubmit={submit}>
        <TextInput
          label={texts.playlistName}
          data-autofocus
          maxLength={playlists.PLAYLIST_TITLE_LENGTH}
          autoComplete="off"
          value={title}
          error={errors.title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <DescriptionInput
          value={description}
          error={errors.description}
          onChange={({ target }) => setDescription(target.value)}
        />
        <div className={css.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {texts.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function validate(title: string, description: string): Errors | undefined {
  if (!title.trim()) return { title: texts.enterAName }
  if (toParagraph(description).length <= DESCRIPTION_LENGTH) return undefined
  return { description: format(texts.useAtMostCharacters, { limit: DESCRIPTION_LENGTH }) }
}

/** Returns the errors by field; those that concern no field are shown at the name. */
async function trySave(...parts: Parameters<typeof savePlaylist>): Promise<Errors | undefined> {
  try {
    await savePlaylist(...parts)
    return undefined
  } catch (error) {
    if (error instanceof ApiError && Object.keys(error.fields).length > 0) return error.fields
    return { title: error instanceof Error ? error.message : texts.somethingWentWrongTryAgain }
  }
}
